"""Inflection: a lemma and a Penn tag in, the form out (vest + NNS -> vests, ride + VBG -> riding)."""

from __future__ import annotations

import re

from capeval_core.perturb.wordlists import word_set

_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "ox": "oxen", "knife": "knives", "wife": "wives", "life": "lives",
    "leaf": "leaves", "loaf": "loaves", "shelf": "shelves", "half": "halves", "wolf": "wolves", "calf": "calves",
    "scarf": "scarves", "thief": "thieves", "hoof": "hooves", "elf": "elves", "policeman": "policemen",
    "sheep": "sheep", "deer": "deer", "fish": "fish", "aircraft": "aircraft", "cattle": "cattle", "bison": "bison",
    "clothing": "clothing", "apparel": "apparel", "luggage": "luggage", "baggage": "baggage", "gear": "gear",
    "equipment": "equipment", "furniture": "furniture", "people": "people", "police": "police", "tuna": "tuna",
    "tomato": "tomatoes", "potato": "potatoes", "hero": "heroes", "mango": "mangoes", "echo": "echoes",
}  # fmt: skip
_SINGULARS = {plural: lemma for lemma, plural in _PLURALS.items()}
# Words that are plurals already.
_PLURAL_ONLY = word_set(
    "folks woods clothes garments trousers pants slacks jeans shorts trunks shades spectacles eyeglasses glasses "
    "sunglasses denims tights stairs barracks headphones binoculars scissors cops"
)
_VERBS = {  # past, participle
    "be": "was been", "have": "had had", "do": "did done", "go": "went gone", "sit": "sat sat", "stand": "stood stood",
    "hold": "held held", "ride": "rode ridden", "run": "ran run", "lie": "lay lain", "lay": "laid laid",
    "throw": "threw thrown", "catch": "caught caught", "hit": "hit hit", "cut": "cut cut", "put": "put put",
    "set": "set set", "shut": "shut shut", "swing": "swung swung", "swim": "swam swum", "sing": "sang sung",
    "spin": "spun spun", "ring": "ringed ringed", "hang": "hung hung", "wear": "wore worn", "tear": "tore torn",
    "eat": "ate eaten", "drink": "drank drunk", "drive": "drove driven", "fly": "flew flown", "grow": "grew grown",
    "draw": "drew drawn", "see": "saw seen", "take": "took taken", "give": "gave given", "make": "made made",
    "get": "got gotten", "come": "came come", "leave": "left left", "feed": "fed fed", "lead": "led led",
    "read": "read read", "meet": "met met", "sleep": "slept slept", "sweep": "swept swept", "keep": "kept kept",
    "weep": "wept wept", "kneel": "knelt knelt", "bend": "bent bent", "build": "built built", "buy": "bought bought",
    "teach": "taught taught", "fight": "fought fought", "bring": "brought brought", "think": "thought thought",
    "sell": "sold sold", "tell": "told told", "say": "said said", "pay": "paid paid", "begin": "began begun",
    "break": "broke broken", "speak": "spoke spoken", "write": "wrote written", "rise": "rose risen",
    "fall": "fell fallen", "blow": "blew blown", "show": "showed shown", "dig": "dug dug", "stick": "stuck stuck",
    "strike": "struck struck", "shake": "shook shaken", "hide": "hid hidden", "bite": "bit bitten",
    "fling": "flung flung", "creep": "crept crept", "feel": "felt felt", "find": "found found", "let": "let let",
    "light": "lit lit", "shoot": "shot shot", "slide": "slid slid", "speed": "sped sped", "spring": "sprang sprung",
    "hurt": "hurt hurt", "sink": "sank sunk", "leap": "leapt leapt", "win": "won won", "lose": "lost lost",
    "send": "sent sent", "spend": "spent spent", "spread": "spread spread", "split": "split split",
    "choose": "chose chosen", "freeze": "froze frozen", "wake": "woke woken", "become": "became become",
    "clothe": "clothed clothed", "dive": "dived dived", "grind": "ground ground", "wind": "wound wound",
}  # fmt: skip
_COMPARED = {"good": "better best", "bad": "worse worst", "far": "farther farthest"}
_HISSING = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
# One short syllable doubles its last letter (run, chat); so do a few longer verbs stressed at the end.
_DOUBLES = re.compile(r"^(?:qu|[^aeiou])*[aeiouy][bdfgklmnprstvz]$")
_ALSO_DOUBLE = frozenset(
    ("begin", "admit", "commit", "occur", "prefer", "refer", "equip", "forget", "unplug", "regret")
)
_KEEPS_E = re.compile(r"(?:ee|oe|ye)$")


def inflect(lemma: str, tag: str) -> str:
    """Tags without a form of their own (NN, VB, VBP, JJ) keep the lemma."""
    if tag == "NNS":
        return plural(lemma)
    if tag == "VBZ":
        return {"be": "is", "have": "has", "do": "does", "go": "goes"}.get(lemma) or _with_s(lemma)
    if tag == "VBG":
        return _progressive(lemma)
    if tag in ("VBD", "VBN"):
        irregular = _VERBS.get(lemma)
        return irregular.split()[tag == "VBN"] if irregular else _with("ed", lemma)
    if tag in ("JJR", "JJS"):
        compared = _COMPARED.get(lemma)
        return compared.split()[tag == "JJS"] if compared else _with("er" if tag == "JJR" else "est", lemma)
    return "are" if (lemma, tag) == ("be", "VBP") else lemma


def plural(lemma: str) -> str:
    if lemma in _PLURAL_ONLY:
        return lemma
    if lemma in _PLURALS:
        return _PLURALS[lemma]
    if lemma.endswith("man") and len(lemma) > 4 and lemma not in ("human", "german", "roman", "shaman"):
        return lemma[:-2] + "en"
    return _with_s(lemma)


def singular(word: str) -> str:
    """Of a plural that no rule explains: children, men; anything else as it is."""
    return _SINGULARS.get(word, word[:-2] + "an" if word.endswith("men") else word)


def _with_s(word: str) -> str:
    if _HISSING.search(word):
        return word + "es"
    return word[:-1] + "ies" if _CONSONANT_Y.search(word) else word + "s"


def _progressive(lemma: str) -> str:
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if lemma.endswith("e") and not _KEEPS_E.search(lemma) and lemma != "be":
        return lemma[:-1] + "ing"
    return _doubled(lemma) + "ing"


def _with(ending: str, lemma: str) -> str:
    if lemma.endswith("e"):
        return lemma + ending[1:]
    if _CONSONANT_Y.search(lemma):
        return lemma[:-1] + "i" + ending
    return _doubled(lemma) + ending


def _doubled(lemma: str) -> str:
    return lemma + lemma[-1] if _DOUBLES.search(lemma) or lemma in _ALSO_DOUBLE else lemma
