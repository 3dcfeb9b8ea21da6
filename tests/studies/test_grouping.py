"""Groups: columns of tables, documents, data frames and ``--table``; comparisons, scores and rankings by group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import truegain as tg
from tests.known import known
from tests.refusals import refused
from tests.sentences import says
from truegain.corpus import Corpus
from truegain.inference.multiplicity import adjust
from truegain.readers.memory import corpus_from_memory
from truegain.studies.compare import CompareResult
from truegain.studies.grouping import ALIKE, DIFFER, UNTESTED, group_nouns
from truegain.studies.parts import NOTHING, WITHIN_DOCUMENTS, group_findings, group_tables
from truegain.words import Sentence

COUNT = 60
TOPICS = [["law", "news", "arts"][i % 3] for i in range(COUNT)]
YEARS = [2019 + i % 2 for i in range(COUNT)]
RNG = np.random.default_rng(8)
BASE = RNG.normal(size=COUNT).round(4)
SCORES = {"base": BASE, "new": (BASE + RNG.normal(0.2, 0.5, size=COUNT)).round(4)}


def groups(result: CompareResult) -> dict[str, float]:
    return {one.group: one.delta for one in known(result.groups).gains}


def expected(labels: list[Any]) -> dict[str, Any]:
    gains = SCORES["new"] - SCORES["base"]
    places = {str(name): [i for i, own in enumerate(labels) if own == name] for name in dict.fromkeys(labels)}
    return {name: pytest.approx(gains[rows].mean()) for name, rows in places.items()}


def write(folder: Path, order: list[int]) -> list[str]:
    """Write a table for each system; the second one in another order."""
    paths = []
    for system, values in SCORES.items():
        rows = [f"s{i}\t{values[i]}\t{TOPICS[i]}\t{YEARS[i]}\t{system}{i}" for i in order]
        paths.append(str(folder / f"{system}.tsv"))
        Path(paths[-1]).write_text("\n".join(["id\tscore\ttopic\tyear\toutput", *rows]) + "\n")
        order = order[::-1]
    return paths


def read(paths: list[str], **more: Any) -> Corpus:
    return tg.read_corpus(paths, outputs_are_scores=True, **more)


def compared(corpus: Any, by: str, *systems: Any) -> CompareResult:
    return tg.compare(corpus, *systems, metrics=["scores:column=score"], by=by, resamples=200)


def test_a_column_of_scores(tmp_path: Path) -> None:
    corpus = read(write(tmp_path, list(range(COUNT))))
    for by, labels in (("topic", TOPICS), ("year", YEARS)):
        assert groups(compared(corpus, by)) == expected(labels)
    assert "output" not in corpus.labels, "it is not the same in both files"


def test_a_column_of_the_documents(tmp_path: Path) -> None:
    lines = [f"s{i}\td{i // 4}\t{['web', 'print'][i % 2]}" for i in reversed(range(COUNT))]
    (tmp_path / "docs.tsv").write_text("\n".join(["id\tdocid\tmedium", *lines]) + "\n")
    corpus = read(write(tmp_path, list(range(COUNT))), documents=str(tmp_path / "docs.tsv"))
    result = compared(corpus, "medium")
    assert groups(result) == expected(["web", "print"] * (COUNT // 2))
    assert {one.unit for one in known(result.groups).gains} == {"document"}
    assert "|by:medium|" in result.signature


@pytest.mark.parametrize("by", ["topic", "year"])
@pytest.mark.parametrize("long", [False, True])
def test_a_column_of_a_frame(by: str, long: bool) -> None:
    """A column of numbers is then no system."""
    wide = pd.DataFrame({**SCORES, "topic": TOPICS, "year": YEARS})
    frame = wide[[*SCORES, by]]
    if long:
        frame = wide.assign(id=range(COUNT)).melt(["id", by], list(SCORES), "system", "score")
    result = tg.compare(frame, metrics=["scores"], by=by, resamples=200)
    assert groups(result) == expected(TOPICS if by == "topic" else YEARS)
    assert not [note for note in result.notes if note.kind == "columns"]


def test_an_item_of_a_frame_lies_in_one_group() -> None:
    frame = pd.DataFrame({**SCORES, "id": range(COUNT)}).melt("id", list(SCORES), "system", "score")
    frame["topic"] = [*TOPICS, *TOPICS[1:], "law"]
    with refused(naming=["'0'", "'news'", "'topic'", "'law'"]):
        tg.compare(frame, metrics=["scores"], by="topic", resamples=20)


def test_an_unknown_column_is_refused_with_those_there_are() -> None:
    frame = pd.DataFrame({**SCORES, "topic": TOPICS}).rename(columns={"base": "score"})
    with refused(naming=["domain, document, length, topic;", "'genre'"]):
        compared(frame, "genre")


def test_a_segment_without_a_group_is_refused() -> None:
    corpus = corpus_from_memory(None, SCORES)
    with refused(naming=["segment 5", "'topic'"]):
        compared(replace(corpus, labels={"topic": (*TOPICS[:4], None, *TOPICS[5:])}), "topic")


SAMPLE = Path(tg.__file__).parent / "sample"
FEW = 500
THIRDS = [["news", "talks", "chat"][i % 3] for i in range(300)]
DOMAINS = ["few"] * 9 + THIRDS[:291]
PAIR, THREE = ("baseline", "better"), ("baseline", "better", "similar")


def sample(
    domains: Sequence[str] | None = None, documents: Sequence[str] | None = None, systems: Sequence[str] = PAIR
) -> Corpus:
    """Return the bundled sample with these domains and documents."""
    corpus = tg.read_corpus([str(SAMPLE / f"{name}.1.txt") for name in systems], [str(SAMPLE / "ref.1.txt")])
    labels = [None if one is None else tuple(one) for one in (domains, documents)]
    return replace(corpus, domains=labels[0], documents=labels[1])


def parts(corpus: Corpus, labels: list[str]) -> dict[str, Corpus]:
    numbers = {name: [i for i, own in enumerate(labels) if own == name] for name in dict.fromkeys(labels)}
    return {name: corpus.of_segments(rows) for name, rows in numbers.items()}


def test_scores_of_a_group_are_those_of_the_group_alone() -> None:
    corpus = sample(DOMAINS, systems=THREE)
    result = tg.score(corpus, metrics=["bleu", "ter"], by="domain", resamples=300)
    assert "|by:domain|" in result.signature
    for group, part in zip(known(result.groups).groups, parts(corpus, DOMAINS).values(), strict=True):
        alone = tg.score(part, metrics=["bleu", "ter"], resamples=300)
        assert (group.segments, group.n_units, group.unit) == (part.segments, part.segments, "segment")
        few = group.group == "few"
        assert group.scores == tuple(
            structs.replace(one, ci=None, ci_level=None, ci_method=None) if few else one for one in alone.scores
        )
        assert all(one.standard_error is not None for one in group.scores)
    records = result.to_records()
    assert [one["group"] for one in records] == [""] * 6 + [one for one in dict.fromkeys(DOMAINS) for _ in range(6)]
    assert (records[0]["n_units"], records[6]["n_units"]) == (300, 9)


def test_the_ranking_of_a_group_is_that_of_the_group_alone() -> None:
    corpus = sample(DOMAINS, systems=THREE)
    result = tg.rank(corpus, metrics=["bleu"], by="domain", resamples=300)
    groups = known(result.groups)
    assert "|by:domain|" in result.signature
    for group, part in zip(groups.groups, parts(corpus, DOMAINS).values(), strict=True):
        alone = tg.rank(part, resamples=300)
        if group.group == "few":
            assert (group.ranking, group.pairs) == ((), ())
            continue
        assert (group.ranking, group.pairs, group.scores) == (alone.ranking, alone.pairs, alone.scores)
    assert {one.groups for one in groups.leads} == {("news", "talks", "chat")}
    raw = [one.p_value.p for one in groups.leads]
    assert [one.p_adjusted for one in groups.leads] == adjust(raw, "holm")
    records = result.to_records()
    assert [one["group"] for one in records] == [""] * 3 + ["news"] * 3 + ["talks"] * 3 + ["chat"] * 3
    assert records[3]["n_units"] == DOMAINS.count("news")


def test_leads_that_differ_are_found() -> None:
    values = {name: RNG.normal(size=120) for name in ("a", "b", "c", "d")}
    values["c"] = values["c"] + np.repeat([1.5, -1.5], 60)
    domains = ["x"] * 60 + ["y"] * 60
    result = tg.rank(None, values, metrics=["scores"], domains=domains, by="domain", resamples=500)
    found = {one.system: one.p_adjusted for one in known(result.groups).leads}
    assert found["c"] == pytest.approx(4 / 501)
    assert result.findings[-1].text.endswith("domains differ by more than chance (p = .008 after Holm).")
    # The one lead of two systems is half of their difference, so p is that of compare.
    values = {"a": SCORES["base"], "b": SCORES["new"]}
    given: Any = {"metrics": ["scores"], "domains": TOPICS, "by": "domain", "resamples": 300}
    ranked, compared = tg.rank(None, values, **given), tg.compare(None, values, **given)
    (lead,), (other,) = known(ranked.groups).leads, known(compared.groups).heterogeneity
    assert (lead.p_value.p, lead.p_adjusted) == (other.p, other.p)
    assert lead.q == pytest.approx(other.q)


@pytest.mark.parametrize("study", [tg.compare, tg.score, tg.rank])
@pytest.mark.parametrize(
    ("given", "naming"),
    [({"by": "genre"}, ["domain, document, length", "'genre'"]), ({"by": "length", "unit": "block"}, ["units"])],
)
def test_what_cannot_be_grouped_is_refused(study: Any, given: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        study(sample(), resamples=20, **given)


@pytest.mark.parametrize(
    ("study", "options"), [("score", "--segments"), ("score", "--score-only"), ("compare", "--layout paper")]
)
def test_what_does_not_go_with_groups_is_refused(
    folder: Path, command: Callable[..., tuple[int, str, str]], study: str, options: str
) -> None:
    (folder / "domains.txt").write_text("a\nb\n" * 12)
    given = ("--ref", "ref.txt", "base.txt", "new.txt", "--domains", "domains.txt", "--by", "domain")
    code, out, err = command(study, *given, *options.split())
    assert (code, out, options.split()[0].strip("-") in err) == (2, "", True), err


# ---- Comparisons by group: each is what it is alone, and whether groups differ


def test_a_group_is_what_it_is_alone() -> None:
    """Δ to the bit; the draws are keyed by position, so p and the interval are the same too."""
    corpus = sample(domains=THIRDS)
    result = tg.compare(corpus, by="domain", metrics=["bleu", "ter"], resamples=FEW)
    alone = {
        name: tg.compare(one, metrics=["bleu", "ter"], resamples=FEW) for name, one in parts(corpus, THIRDS).items()
    }
    for metric in ("bleu", "ter"):
        gains = known(result.groups).of(metric, "baseline", "better")
        assert [one.group for one in gains] == ["news", "talks", "chat"]
        raw = []
        for one in gains:
            own, found = alone[one.group][metric, "better"], known(one.comparison)
            assert (one.delta, found.delta) == (own.delta, own.delta)
            assert (found.p, found.interval) == (own.p, own.interval)
            raw.append(own.p)
        assert [one.comparison.p_adjusted for one in gains if one.comparison] == adjust(raw, "holm")


def grouped(gains: dict[str, tuple[float, int]], systems: int = 1, **more: Any) -> CompareResult:
    """Systems with a gain over the baseline in each group, and how many items it has; the last system has none."""
    rng = np.random.default_rng(4)
    sizes = [count for _, count in gains.values()]
    base = rng.normal(size=sum(sizes))
    steps = np.repeat([gain for gain, _ in gains.values()], sizes)
    values = {"base": base} | {
        f"s{i}": base + rng.normal(scale=0.5, size=base.size) + steps * (i == 0 or i < systems - 1)
        for i in range(systems)
    }
    domains = np.repeat([*gains], sizes).tolist()
    return tg.compare(None, values, metrics=["scores"], domains=domains, by="domain", resamples=FEW, **more)


ALL = dict.fromkeys(("a", "b", "c", "d"), (2.0, 30))
NONE = dict.fromkeys(("a", "b", "c"), (0.0, 30))
BOTH = {"a": (1.0, 60), "b": (-1.0, 60), "c": (0.0, 60)}


@pytest.mark.parametrize(
    ("result", "sentence", "parts", "tone"),
    [
        (lambda: grouped(ALL), ALIKE, ["By domain: better in all four;"], "good"),
        (lambda: grouped(BOTH), DIFFER, ["better in a (+1.", "worse in b (−", "not shown in c"], "undecided"),
        (lambda: grouped(NONE), ALIKE, [NOTHING(count="three")], "undecided"),
        (lambda: grouped({"a": (2.0, 60), "t": (0.0, 9)}), UNTESTED, ["better in a", "too few units in t"], "good"),
        (lambda: grouped(ALL, null_gain=9.0), ALIKE, ["not better than base by more than 9 in all four"], "plain"),
        (lambda: grouped(ALL, null_gain=1.0), ALIKE, ["better than base by more than 1 in all four"], "good"),
        (lambda: grouped(BOTH, 2), DIFFER, ["s0 in score by domain: better in a"], "undecided"),
        (lambda: grouped(BOTH, 5), DIFFER, ["score by domain: 4 of 5 systems", " 0 in all;", "after Holm"], "plain"),
        (lambda: grouped(NONE, 5), ALIKE, [" of 5 systems have significant gains"], "plain"),
        (lambda: grouped(BOTH, 5, family="all"), DIFFER, [" of 15 pairs have significant"], "plain"),
    ],
)
def test_findings(result: Callable[[], CompareResult], sentence: Sentence, parts: list[str], tone: str) -> None:
    finding = next(group_findings(result()))
    assert says(finding.text, sentence)
    assert [part for part in parts if part not in finding.text] == []
    assert finding.tone == tone


def test_tables() -> None:
    """By the size of the gain, with the scores of both; sections of several pairs."""
    (table,) = group_tables(grouped(BOTH), None)
    heads = ["domain", "items", "base", "s0", "Δ", "95 % CI of Δ", "p Holm"]
    assert [column.heading for column in table.columns] == heads
    assert [row[0].text for row in table.rows] == ["a", "c", "b"]
    for row in table.rows:
        old, new, gain = (known(cell.value) for cell in row[2:5])
        assert new - old == pytest.approx(gain)
    (table,) = group_tables(grouped(BOTH, 2), None)
    assert [heading for _, heading in table.sections] == ["s0: score ↑", "s1: score ↑"]
    (table,) = group_tables(grouped({"a": (1.0, 60), "t": (0.0, 9)}), None)
    assert [cell.text != "" for cell in table.rows[1]] == [True] * 5 + [False] * 2


def test_small_groups_have_a_gain_only_and_documents_have_units() -> None:
    labels = ["tiny"] * 9 + ["rest"] * 291
    result = tg.compare(sample(domains=labels), by="domain", resamples=FEW)
    assert [one.comparison is None for one in known(result.groups).gains] == [True, False]
    assert known(result.groups).heterogeneity == ()
    assert CompareResult.from_dict(result.to_dict()).groups == known(result.groups).rounded()
    assert [one.name for one in result.pictures()][:2] == ["forest", "groups"]
    records = result.to_records()
    assert [one["group"] for one in records] == ["", "tiny", "rest"]
    assert records[2]["p_adjusted"] >= records[2]["p"]
    labels = [f"d{i // 50}" for i in range(300)]  # documents have segments as units
    result = tg.compare(sample(documents=labels), by="document", resamples=FEW)
    assert {(one.unit, one.n_units) for one in known(result.groups).gains} == {("segment", 50)}
    (table,) = group_tables(result, None)
    assert table.notes == (WITHIN_DOCUMENTS(),)


def test_length_is_quartiles_of_reference_words() -> None:
    documents = (SAMPLE / "docs.txt").read_text().splitlines()
    corpus = sample(documents=documents)
    result = tg.compare(corpus, by="length", resamples=FEW)
    groups = known(result.groups)
    words = [len(line.split()) for line in corpus.references[0] if line is not None]
    ends = [(3, 13), (14, 17), (18, 23), (24, 47)]
    counts = {f"{low}–{high} words": sum(low <= count <= high for count in words) for low, high in ends}
    assert {one.group: one.segments for one in groups.gains} == counts
    assert {one.unit for one in groups.gains} == {"document"}  # they cut across the groups
    assert len(groups.heterogeneity) == 1
    (table,) = group_tables(result, None)
    assert [row[0].text for row in table.rows] == [*counts], "from the shortest on"
    assert table.columns[1].heading == "documents"


def test_nouns() -> None:
    columns = {"domain": "domains", "path": "paths"}
    assert {by: group_nouns(by) for by in columns} == columns
    assert all(group_nouns(by) == f"groups by {by}" for by in ("class", "X", "is_hard", "category"))


def test_groups_of_several_test_sets() -> None:
    """Each set is what it is alone."""
    whole = sample(domains=THIRDS)
    corpora = [replace(whole.of_segments(range(i, 300, 2)), name=f"set{i}") for i in range(2)]
    result = tg.pool(corpora, by="domain", resamples=100)
    assert result.sets[0].groups == tg.compare(corpora[0], by="domain", resamples=100).groups
    assert known(result.micro).groups is None
    assert "|by:domain|" in result.signature
    assert len([one for one in result.findings if one.text.startswith("set")]) == 2
    tables = [table for table in cast(Any, result.tables(None)) if table.caption.startswith("set")]
    assert [table.columns[0].heading for table in tables] == ["set0: domain", "set1: domain"]
    assert [one["group"] for one in result.to_records()[:5]] == ["", *dict.fromkeys(corpora[0].domains or ()), ""]
