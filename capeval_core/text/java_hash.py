"""Java's hash of a string, which decides scores: METEOR compares words by it, SPICE orders merged words by it."""


def java_hash(text: str) -> int:
    """31 * hash + code unit over the UTF-16 code units, in 32 bits (unsigned)."""
    number = 0
    for unit in memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H"):
        number = (31 * number + unit) & 0xFFFFFFFF
    return number
