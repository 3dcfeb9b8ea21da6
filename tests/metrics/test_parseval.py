"""PARSEVAL: trees worked out by hand, a plain twin of evalb's loops, and 13 parsers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.metrics.parseval import Parseval
from truegain.readers.any_format import read_text

GOLD = "(TOP (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat) (PP-LOC=2 (IN on) (NP (DT the) (NN mat)))) (. .)))"


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # S, NP 0-2, VP 2-6, PP 3-6, NP 4-6
        (GOLD, [5, 5, 5]),
        (GOLD.replace("TOP", "ROOT"), [5, 5, 5]),
        (GOLD.replace("(TOP ", "( "), [5, 5, 5]),
        (GOLD[5:-1], [5, 5, 5]),
        # The full stop is no word, so it does not matter where it hangs.
        ("(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat) (. .))))))", [5, 5, 5]),
        # Attached to the noun: the verb phrase keeps its words, one bracket more is found.
        ("(S (NP (DT the) (NN cat)) (VP (VBD sat) (NP (PP (IN on) (NP (DT the) (NN mat))))) (. .))", [5, 5, 6]),
        # One label is wrong.
        (GOLD.replace("(VP", "(XP"), [4, 5, 5]),
        # Flat.
        ("(S (DT the) (NN cat) (VBD sat) (IN on) (DT the) (NN mat) (. .))", [1, 5, 1]),
        # A chain of the same label counts as often as it stands.
        (GOLD.replace("(NP-SBJ (DT the) (NN cat))", "(NP (NP (DT the) (NN cat)))"), [5, 5, 6]),
        # A parse that failed.
        ("", [0, 5, 0]),
        ("(())", [0, 5, 0]),
    ],
)
def test_by_hand(tree: str, expected: list[int]) -> None:
    assert Parseval().statistics([tree], [[GOLD]]).tolist() == [expected]


def test_unlabelled() -> None:
    tree = GOLD.replace("(VP", "(XP")
    assert Parseval(labelled=False).statistics([tree], [[GOLD]]).tolist() == [[5, 5, 5]]
    chain = GOLD.replace("(NP-SBJ (DT the) (NN cat))", "(NP (X (DT the) (NN cat)))")
    assert Parseval(labelled=False).statistics([chain], [[GOLD]]).tolist() == [[5, 5, 6]]


def test_adverbs_and_particles_are_the_same() -> None:
    gold, system = "(S (ADVP (RB up)) (NP (NN x)))", "(S (PRT (RP up)) (NP (NN x)))"
    assert Parseval().statistics([system], [[gold]]).tolist() == [[3, 3, 3]]


def test_traces_and_what_they_leave_empty_are_left_out() -> None:
    gold = "(S (NP (NN x)) (VP (VBZ is) (NP (-NONE- *T*-1)) (SBAR (-NONE- 0) (S (NN y)))))"
    system = "(S (NP (NN x)) (VP (VBZ is) (SBAR (S (NN y)))))"
    assert Parseval().statistics([system], [[gold]]).tolist() == [[5, 5, 5]]


def test_where_only_tags_of_punctuation_differ_the_reference_decides() -> None:
    gold, system = "(S (NP (NN a)) (: -) (NP (NN b)))", "(S (NP (NN a) (NN -)) (NP (NN b)))"
    assert Parseval().statistics([system], [[gold]]).tolist() == [[3, 3, 3]]
    assert Parseval().statistics([gold], [[system]]).tolist() == [[2, 3, 3]]
    assert Parseval(errors="skip").statistics([system], [[gold]]).tolist() == [[0, 0, 0]]


def test_other_ways_to_write_a_word_are_the_same_word() -> None:
    gold, system = r"(S (NN a\/b) (NN -LRB-) (NN ``))", '(S (NN a/b) (NN -LRB-) (NN "))'
    assert Parseval().statistics([system], [[gold]]).tolist() == [[1, 1, 1]]


def test_other_words() -> None:
    gold, system = "(S (NP (NN a)) (NP (NN b)))", "(S (NP (NN a)) (NP (NN c)))"
    with refused(naming=["1", "c", "b"]):
        Parseval().statistics([system], [[gold]])
    with refused(naming=["b"]):
        Parseval().statistics(["(S (NN a))"], [[gold]])
    assert Parseval(errors="zero").statistics([system], [[gold]]).tolist() == [[0, 3, 3]]
    assert Parseval(errors="skip").statistics([system, "(())"], [[gold, gold]]).tolist() == [[0, 0, 0]] * 2


def test_what_is_no_tree_is_refused() -> None:
    with refused(line=2):
        Parseval().statistics(["(S (NN a))", "(S (NN a)"], [["(S (NN a))"] * 2])
    with refused(naming=["reference:1", "a"]):
        Parseval().prepare([["a tree"]])


# A twin that goes from bracket to bracket as evalb does, on nested lists.
Node = tuple[str, "str | list[Node]"]


def nested(text: str) -> Node:
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()

    def node() -> Node:
        assert tokens.pop(0) == "("
        label = tokens.pop(0) if tokens[0] not in "()" else ""
        if tokens[0] not in "()":
            word = tokens.pop(0)
            assert tokens.pop(0) == ")"
            return label, word
        children = []
        while tokens[0] == "(":
            children.append(node())
        tokens.pop(0)
        return label, children

    return node()


def spans(node: Node, start: int, found: list[tuple[str, int, int]]) -> int:
    label, inside = node
    if isinstance(inside, str):
        return start + (label not in (",", ":", "``", "''", ".", "-NONE-"))
    end = start
    for child in inside:
        end = spans(child, end, found)
    short = label.replace("=", "-").split("-")[0]
    if end > start and short not in ("TOP", "ROOT", "S1", ""):
        found.append((short, start, end))
    return end


def twin(gold: str, system: str) -> list[int]:
    wanted: list[tuple[str, int, int]] = []
    found: list[tuple[str, int, int]] = []
    assert spans(nested(gold), 0, wanted) == spans(nested(system), 0, found)
    free = list(found)
    matched = 0
    for label, start, end in wanted:
        for other in free:
            same = label == other[0] or {label, other[0]} == {"ADVP", "PRT"}
            if same and (start, end) == other[1:]:
                free.remove(other)
                matched += 1
                break
    return [matched, len(wanted), len(found)]


@st.composite
def trees(draw: st.DrawFn, tagged: list[str]) -> str:
    """Any tree over the words, with unary chains and labels of all kinds."""

    def over(words: list[str]) -> str:
        if len(words) == 1 and not draw(st.booleans()):
            return words[0]
        label = draw(st.sampled_from(["NP", "NP-SBJ", "NP=1", "VP", "ADVP", "PRT", "TOP"]))
        parts: list[str] = []
        rest = words
        while rest:
            count = draw(st.integers(1, len(rest) if parts or len(words) == 1 else max(1, len(rest) - 1)))
            parts.append(over(rest[:count]))
            rest = rest[count:]
        return f"({label} {' '.join(parts)})"

    return f"(TOP {over(tagged)})"


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    tags = draw(st.lists(st.sampled_from(["NN", "VB", "DT", ",", ".", "''"]), min_size=1, max_size=7))
    words = [f"({tag} w{number})" for number, tag in enumerate(tags)]
    return draw(trees(words)), draw(trees(words))


@given(pairs())
def test_the_counts_are_those_of_the_twin(pair: tuple[str, str]) -> None:
    gold, system = pair
    assert Parseval().statistics([system], [[gold]]).tolist() == [twin(gold, system)]


def test_thirteen_parsers(shared_data: Path) -> None:
    folder = shared_data / "parses_sample_13parsers"
    gold = read_text(str(folder / "wsj01.mrg")).lines
    parsers = sorted(path for path in folder.glob("*.mrg") if path.stem != "wsj01")
    assert len(parsers) == 13
    metric = Parseval()
    scores = {}
    for path in parsers:
        lines = read_text(str(path)).lines
        statistics = metric.statistics(lines, [gold])
        np.testing.assert_array_equal(statistics, [twin(*pair) for pair in zip(gold, lines, strict=True)])
        scores[path.stem] = f"{metric.score(statistics.sum(0)):.2f}"
    assert max(scores, key=scores.__getitem__) == "charniak_selftrained_basic"
    assert scores["berkeley"] == "89.16"
