"""A Parquet file (standard input) as lines of JSON (standard output), in a process of its own.

Its pages are packed and may claim any size: what 50 KB become is known only when it is too late. Here a limit on the
memory of the process (the first argument, in bytes; 0 for none) stops that, and a crash stays here too.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO

FAILED = "!"  # begins the last line where reading failed
ROWS_AT_ONCE = 200


def main(source: BinaryIO, memory: int) -> int:
    os.environ |= {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}  # little address space is needed
    try:
        import pyarrow.parquet  # type: ignore[import-untyped]

        _limit(memory)
        file = pyarrow.parquet.ParquetFile(source)
        names = [field.name for field in file.schema_arrow if not _is_binary(field.type)]
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=names, use_threads=False):
            for row in batch.to_pylist():
                print(json.dumps(row, default=str))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError:
        print(f"{FAILED}more than fits into memory")
        return 1
    except Exception as error:  # whatever pyarrow says of a damaged file
        said = " ".join(str(error).split())[:300]
        print(FAILED + said.encode("ascii", "replace").decode())
        return 1
    return 0


def _limit(memory: int) -> None:
    if memory and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _is_binary(kind: Any) -> bool:
    """Bytes (pictures, mostly) have no place in rows of text."""
    from pyarrow import types

    tests = (types.is_binary, types.is_large_binary, types.is_fixed_size_binary)
    if any(test(kind) for test in tests):
        return True
    return any(_is_binary(kind.field(place).type) for place in range(kind.num_fields))


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer, int(sys.argv[1])))
