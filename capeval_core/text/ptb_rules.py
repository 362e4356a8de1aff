"""The rules of the COCO toolkit's tokenizer: what a token is, and how it is written.

Reference: Stanford CoreNLP 3.4.1's PTBTokenizer as the COCO caption toolkit calls it, described from its behaviour
           alone; its output for short cases is in tests/golden/ptb.json.

A rule is a pattern (`body`), what must follow (`ahead`, read but not consumed) and a `form`: how the matched text is
written as a token. At each place the rule that reads farthest wins, ahead included; on a tie the one listed first.
Patterns are written over the symbols of ptb_characters.py: é stands for every letter that is not ASCII, ٣ for every
such digit, and so on. `{name}` stands for an entry of DEFINITIONS. A token that is only punctuation is dropped later.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from capeval_core.text.ptb_characters import SOFT_HYPHEN


def visible(text: str) -> str:
    """Without soft hyphens; a soft hyphen alone is a hyphen."""
    return text.replace(SOFT_HYPHEN, "") or "-"


class Rule(NamedTuple):
    body: str
    ahead: str = ""
    form: Callable[[str], str] = visible


_SPELLINGS = str.maketrans(
    {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
    | {"¢": "cents", "£": "#", "½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
    | dict.fromkeys("\x80¤₠€", "$")
    | dict.fromkeys("\x96\x97–—―", "--")
    | dict.fromkeys("\x91‘‛‹", "`")
    | dict.fromkeys("\x92’›", "'")
    | dict.fromkeys("\x93“«", "``")
    | dict.fromkeys("\x94”»", "''")
)
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">"}


def always(token: str) -> Callable[[str], str]:
    return lambda _: token


def spelled(text: str) -> str:
    return text.translate(_SPELLINGS)


def straight(text: str) -> str:
    """n't and 's get typewriter quotes; other words keep a curly apostrophe. Capital &APOS; is left as it is."""
    return spelled(text).replace("&apos;", "'")


def joined(text: str) -> str:
    """Parts of one token stay together: the toolkit splits its output at plain spaces only."""
    return text.replace(" ", "\xa0")


def bracketed(text: str) -> str:
    return text.replace("(", "-lrb-").replace(")", "-rrb-")


def unescaped(text: str) -> str:
    return visible(re.sub("(?i)&(amp|lt|gt);", lambda entity: _ENTITIES[entity[0].lower()], text))


def _words(words: str) -> str:
    """Any of these words; a capital in the list must be a capital in the text, small letters match both."""
    spelled_out = (re.sub("[a-z]+", r"(?i:\g<0>)", word).replace(".", r"\.") for word in words.split())
    return "|".join(spelled_out)


DEFINITIONS = {
    "any": r"[^\x00]",
    "ws": "[ \t\xa0\u3000\n\x85]",
    "an": "[A-Za-z0-9]",
    "digit": "[0-9٣]",
    "apostrophe": "['’]|(?i:&apos;)",
    "quote": "['’‘`]|(?i:&apos;)",
    # Two ideas of a letter: words joined by . ! ? know combining marks and entities, words joined by - and _ do not.
    "letter": "[A-Za-zé˘\xad]|(?i:&[aeiou](acute|grave|uml);)",
    "plain": "[A-Za-zé]",
    "alnum": "[A-Za-zé0-9٣]",
    "word": "{letter}({letter}|{digit})*",
    "dotted": "{word}([.!?]{word})*",
    "part": "({alnum}+|(?i:[dol]){quote}{alnum}{alnum}+)",
    "hyphenated": "{part}([-_‐]{part})*",
    # The same in ASCII: the first part may hold dots and commas, the others may be initials (3.5-mm, non-u.s.-based).
    "initials": r"[A-Za-z](\.[A-Za-z])+\.",
    "compound": r"{an}[A-Za-z0-9.,\xad]*(-([A-Za-z0-9\xad]+|{initials}))+",
    "suffix": "(?i:s|m|d|ll|re|ve)",
    "capitals": r"[A-Z]+((&|\+|(?i:&amp;))[A-Z]+)+",
    "url": r'[^ \t\n"<>|()]',
    "url_end": r'[^ \t\n"<>|().!?{},-]',
    "host": r"""[^ \t\n"()!$',./0-9:;<=>?@A-Z\[\]\\^_`{|}-]+""",
    "mail": r'[^ \t\n\xa0"<>|(){}.]',
    "slashed": "{an}+(-[A-Za-z]+){0,2}",
    "gap": "[ \t\xa0]",
    "name": "[A-Za-z][A-Za-z0-9:._-]*",
    "value": r"""("[^"\n]*"|'[^'\n]*')""",
    "eye": r"[\^x=~<>']",
    # Abbreviations that always keep their dot.
    "title": _words(
        """adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft
        gen gov govs hon insp invt jos lieut lt maj messrs mlle mme mr mrs ms msgr mt natl pfc ph pres prof profs
        pvt rep reps rev sen sens sfc sgt spc st ste supt supts treas vs wm"""
    )
    + "|(?i:m)[ft](?i:g)",
    # The same, but inc.x is split.
    "abbreviation": _words(
        """al ala apr ariz assn aug bancorp bhd bldg blvd bros calif co colo conn corp cos ct dak dec ed.d esq est etc
        ext feb fla fri ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont neb nev nov oct
        okla penn ph.d plc rd rt sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt wed wis wisc wyo Ark
        Az Del Ill La Mass Miss Ore Pa Tex Wash"""
    )
    + "|(?i:pp?t)[ey](?i:s?)",
    # Abbreviations only before a number: no. 5.
    "numbered": _words("art bldg ca fig figs no nos op pp prop"),
    "extension": _words(
        """bat bmp c cgi class cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl png ppt ps
        py sql tar txt wav x xml zip"""
    ),
    "tag": r"<{name}({gap}+{name}({gap}*={gap}*{value})?)*{gap}*/?{gap}*>|</{name}{gap}*>|<[!?][A-Za-z-][^>\n]*>",
    # What starts a sentence, so that a letter and a dot before it end one: plan b. The man.
    "start": _words(
        """A About According Additionally After An As At But Earlier He Her Here However If In It Last Many More Mr.
        Ms. Now Once One Other Our She Since So Some Such That The Their Then There These They This We What When
        While Yet You"""
    )
    + "|{tag}",
}

RULES = [
    # Words written as one, told apart.
    Rule("(?i:can)", "(?i:not)"),
    Rule("(?i:gon|wan)", "(?i:na)"),
    Rule("(?i:got)", "(?i:ta)"),
    Rule("(?i:gim|lem)", "(?i:me)"),
    Rule("'(?i:t)", "(?i:is|was)"),
    # Addresses.
    Rule(r'(?i:https?)://[^ \t\n"<>|(){}]+{url_end}', form=str),
    Rule(r"(<|(?i:&lt;))?{an}({mail}|\.)*@({mail}+\.)*{mail}+>?", form=str),
    Rule("#{letter}+", form=str),
    Rule("@[A-Za-z_][A-Za-z0-9_]*"),
    Rule("##+|@@+"),
    # Negation: do n't. The base has no second n: ann't is no negation.
    Rule("[A-Za-z\xad]*[A-MO-Za-mo-z]\xad*", "(?i:n){quote}(?i:t)"),
    Rule("(?i:n){quote}(?i:t)", "[^A-Za-zé]", straight),
    # A letter and a dot: an initial, unless a new sentence follows.
    Rule("[A-Za-z]", r"\.{ws}+{start}{ws}"),
    Rule(r"[A-Za-z]\.|{initials}"),
    # Words and their suffixes: dog 's.
    Rule("{dotted}", "{apostrophe}{suffix}"),
    Rule("{apostrophe}{suffix}", "[^A-Za-z]", straight),
    Rule("{dotted}"),
    Rule(r'(?i:www)\.([^ \t\n"<>|().!?{},]+\.)+[A-Za-z]{2,4}(/{url}+{url_end})?', form=str),
    Rule(r"({host}\.)+(?i:com|net|org|edu)(/{url}+{url_end})?", form=str),
    Rule("{hyphenated}"),
    Rule("{alnum}+([-_‐]{alnum}+)*", "{apostrophe}{suffix}"),
    Rule(r"({abbreviation})\.", "{any}{any}"),
    Rule(r"({letter}|{digit})+(\.({letter}|{digit})+)*\.{extension}", "{ws}|[,.!?]", str),
    Rule("{compound}"),
    Rule(r"(?i:(canada|eu|japan|korean|non|sino)-u\.s)", "{ws}"),
    Rule(r"({dotted}|{hyphenated}|{compound}|{capitals})\.", "[,;:、]", unescaped),
    # Apostrophes inside, at the end and at the start of a word.
    Rule("((?i:n)|[A-HJ-XZ]){quote}{plain}{plain}+"),
    Rule("(?i:o){quote}(?i:o)|(?i:cap){apostrophe}(?i:n)|(?i:c){apostrophe}(?i:est)"),
    Rule("(?i:e'er|li'l|ev'ry|c'mon|s'mores|nat'l|nor'easter)"),
    Rule("{plain}+[AEIOUYaeiouy]{quote}[aeiouA-Z]{plain}*"),
    Rule("(?i:d|l|j|ol|dunkin|somethin){apostrophe}"),
    Rule("(?i:y){apostrophe}", "{plain}"),
    Rule("{apostrophe}((?i:cause|em|till?|[2-9]0s)|(?i:n){apostrophe}?)"),
    Rule("{apostrophe}[0-9][0-9]", "{ws}"),
    Rule("'", "[A-Za-z][^ \t\n\xa0]"),
    Rule("{apostrophe}{suffix}", form=straight),
    # Numbers, dates, fractions, telephones.
    Rule("[+-]?({digit}*([.,:٫\xad]{digit}+)+|{digit}+)"),
    Rule("{digit}{1,2}[-/]{digit}{1,2}[-/]{digit}{2,4}"),
    Rule("({digit}{1,4}[ \xa0-])?{digit}{1,4}[/⁄]{digit}{1,4}", form=joined),
    Rule(r"{slashed}(\\?/{slashed}){1,2}"),
    Rule(r"\([0-9]{2,3}\)[ \xa0]?[0-9]{3,4}[ \xa0-]?[0-9]{3,5}", form=lambda text: bracketed(joined(text))),
    Rule(r"(\+\+?)?([0-9]{2,4}[ \xa0-]){1,2}[0-9]{3,4}[ \xa0-]?[0-9]{3,5}", form=joined),
    Rule(r"[0-9]{2,4}\.[0-9]{2,4}\.[0-9]{3,4}\.[0-9]{3,5}"),
    # Capitals joined by an ampersand, and other entities.
    Rule("{capitals}|(?i:s&(amp;)?(ls|p-500))", form=unescaped),
    Rule("(?i:&(amp|lt|gt);)", form=unescaped),
    Rule("(?i:&(ndash|mdash|md);)", form=always("--")),
    Rule("&(quot|apos);", form=always("''")),
    Rule("(?i:&(#[0-9]+|quot|apos|ht|lr|qc|ql|qr|tl|ur|cdq|odq);)"),
    # Abbreviations.
    Rule(r"({title})\."),
    Rule(r"({numbered})\.", "{ws}?{digit}"),
    Rule("(?i:pro|anti)-"),
    # Mark-up and faces.
    Rule("{tag}", form=joined),
    Rule(r"[<>]?[:;=][-o'*]?[()DPdpO|@\\\[\]{]", "[^A-Za-z0-9]", bracketed),
    Rule(r"({eye}|-)_({eye}|-)|\(({eye}|-)[_.]?({eye}|-)\)|\({eye}-({eye}|`)\)", form=bracketed),
    Rule("(?i:-[lr][rsc]b-)"),
    # Punctuation.
    Rule(r"[…\x85]|\.{3,5}|\.( \.){2,4}", form=always("...")),
    Rule("[!?]+"),
    Rule("-|------*"),
    Rule("-{2,4}", form=always("--")),
    Rule(r"\*+|(\\\*)+|_+|<<|>>|⁺?(²+|₂+)"),
    Rule(r"(?i:c\+\+|[cf]#)"),
    Rule(r"[A-Z]+\$"),
    Rule("''|``|\"", form=always("''")),
    Rule("[’‘“`]{1,2}", form=spelled),
    Rule(r"[\[\](){}€•–]", form=spelled),
    Rule(r"[.,;:'、⁺%&+=~^|\\/<>@#$⁄]"),
    Rule("([ \t\xa0\u3000\n]|(?i:&nbsp;))+", form=always("")),
]


def spell_out(pattern: str) -> str:
    """The pattern with every {name} replaced by its definition."""
    return re.sub(r"\{([a-z_]+)\}", lambda name: f"({spell_out(DEFINITIONS[name[1]])})", pattern)
