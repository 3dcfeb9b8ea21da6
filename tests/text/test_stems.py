"""Porter's stemmer, against NLTK's, and base forms and their synsets."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from truegain.text.porter import stem
from truegain.text.synonyms import Synsets

PEER = PorterStemmer()
ENDINGS = [
    *("s", "es", "ies", "sses", "eed", "ied", "ed", "ing", "at", "bl", "iz", "y", "alli", "logi", "ational", "tional"),
    *("enci", "anci", "izer", "bli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism"),
    *("iveness", "fulness"),
    *("ousness", "aliti", "iviti", "biliti", "fulli", "icate", "ative", "alize", "iciti", "ical", "ful", "ness", "al"),
    *("ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion", "ion", "ou", "ism"),
    *("ate", "iti", "ous", "ive", "ize", "e", "l", "ll"),
]
beginnings = st.text("aeiouybcdflstzwx1", max_size=6)
words = st.tuples(beginnings, st.lists(st.sampled_from(ENDINGS), max_size=3).map("".join)).map("".join)


@pytest.mark.whole
@settings(deadline=None, max_examples=1000)
@given(words.filter(bool))
def test_made_up_words_as_nltk(word: str) -> None:
    assert stem(word) == PEER.stem(word)


IRREGULAR_AND_SHORT = "skies sky dying is dies flies died spied enjoy happy"
ONE_FOR_EACH_STEP = "hopping falling filing conditionally geology hopefully controlling adoption relational 2015"


@pytest.mark.parametrize("word", f"{IRREGULAR_AND_SHORT} {ONE_FOR_EACH_STEP}".split())
def test_words(word: str) -> None:
    assert stem(word) == PEER.stem(word)


@pytest.mark.whole
@pytest.mark.parametrize(
    "pattern", ["realsumm_cnndm/**/*.txt.gz", "sacrebleu_wmt17_ende/ref0.de.gz", "wmt11_deen/**/*.gz"]
)
def test_every_word_of_real_texts_as_nltk(shared_data: Path, pattern: str) -> None:
    files = sorted(shared_data.glob(pattern))
    assert files
    texts = (gzip.decompress(file.read_bytes()).decode("utf-8").lower() for file in files)
    found = {word for text in texts for word in re.findall("[a-z0-9]+", text)}
    assert len(found) > 5000
    assert {word: stem(word) for word in found} == {word: PEER.stem(word) for word in found}


# ---- Synsets, by base forms

SYNSETS = Synsets.read(
    ["area", "1", "region", "1 2", "attache", "3", "attach", "4", "levy", "5", "go", "6", "bos", "7", "axe", "8"],
    ["go", "goes went gone"],
)


# Of "attached" the first base form is the only one, and "boss" is no plural.
EXPECTED = {
    **{"area": [1], "regions": [1, 2], "attached": [3], "attaching": [3], "levies": [5], "went": [6], "going": [6]},
    **{"boss": [], "axes": [8], "as": [], "unknown": [], "": []},
}


@pytest.mark.parametrize(("word", "expected"), EXPECTED.items())
def test_synsets(word: str, expected: list[int]) -> None:
    assert SYNSETS.of([word]) == [expected]
    assert SYNSETS.of(["area", word, word]) == [[1], expected, expected]
