"""Stems; the expected ones were recorded from meteor-1.5.jar: java -cp meteor-1.5.jar Stemmer en < words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capeval_core.text.stems import stem

STEMS = """
skis>ski skies>sky dying>die lying>lie tying>tie idly>idl gently>gentl ugly>ugli early>earli only>onli singly>singl
sky>sky news>news howe>howe atlas>atlas cosmos>cosmos bias>bias andes>andes as>as is>is be>be 'twas>twas man's>man
dogs'>dog boys's'>boy cats>cat caresses>caress ties>tie tied>tie cries>cri cried>cri gas>gas this>this kiwis>kiwi
gaps>gap bus>bus glass>glass inning>inning outing>outing innings>inning canning>canning herring>herring
earring>earring proceed>proceed exceed>exceed succeed>succeed proceeding>proceed succeeded>succeed agreed>agre
agreedly>agre feed>feed feedly>feed plastered>plaster bled>bled motoring>motor sing>sing seemingly>seem
excitedly>excit conflated>conflat troubled>troubl sized>size hopping>hop tanned>tan falling>fall hissing>hiss
fizzed>fizz failing>fail filing>file hoping>hope bee>bee cry>cri by>by say>say happy>happi enjoy>enjoy toys>toy
youth>youth yellow>yellow boyish>boyish relational>relat conditional>condit rational>ration valenci>valenc
hesitanci>hesit digitizer>digit conformabli>conform radicalli>radic differentli>differ vileli>vile analogousli>analog
vietnamization>vietnam realization>realiz ionization>ioniz predication>predic operator>oper feudalism>feudal
decisiveness>decis hopefulness>hope callousness>callous formaliti>formal sensitiviti>sensit sensibiliti>sensibl
analogi>analog apology>apolog geology>geolog really>realli fearlessly>fearless hopelessly>hopeless triplicate>triplic
formative>format formalize>formal electriciti>electr electrical>electr hopeful>hope goodness>good revival>reviv
allowance>allow inference>infer airliner>airlin gyroscopic>gyroscop adjustable>adjust defensible>defens irritant>irrit
replacement>replac adjustment>adjust dependent>depend adoption>adopt homologou>homologou communism>communism
activate>activ angulariti>angular homologous>homolog effective>effect bowdlerize>bowdler probate>probat rate>rate
cease>ceas controll>control roll>roll general>general generally>general generic>generic communication>communic
commune>commune arsenal>arsenal arsenic>arsenic playing>play players>player rotationally>rotat beautiful>beauti
beautifully>beauti skateboarding>skateboard skateboarder>skateboard men>men women>women children>children running>run
runner>runner abilities>abil national>nation nationally>nation rationalize>ration derivative>deriv y>y yes>yes yy>yy
eye>eye oed>o x-ray>x-ray
"""


@pytest.mark.parametrize("pair", STEMS.split())
def test_stem(pair: str) -> None:
    word, expected = pair.split(">")
    assert stem(word) == expected


@given(st.text(alphabet="aeiouybcdglmnrstvwxyz'é", max_size=12))
def test_any_word_has_a_stem_hardly_longer_than_itself(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert "Y" not in stem(word)
