"""Groups: columns of tables, documents, data frames and ``--table``; scores and rankings by group."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.inference.multiplicity import adjust
from truegain.studies.compare.result import CompareResult
from truegain.studies.grouping import group_rows
from truegain.studies.rank.result import RankResult
from truegain.studies.score.result import ScoreResult

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


def write(folder: Path, ending: str, order: list[int] | None = None) -> list[str]:
    """Write a table for each system; the second one in another order."""
    paths = []
    for system, values in SCORES.items():
        rows = [
            {"id": f"s{i}", "score": float(values[i]), "topic": TOPICS[i], "year": YEARS[i], "output": f"{system}{i}"}
            | ({"model": system} if ending == "jsonl" else {})
            for i in (order if order is not None and system == "new" else range(COUNT))
        ]
        lines = [json.dumps(row) for row in rows]
        if ending == "tsv":
            lines = ["\t".join(rows[0]), *("\t".join(map(str, row.values())) for row in rows)]
        paths.append(str(folder / f"{system}.{ending}"))
        Path(paths[-1]).write_text("\n".join(lines) + "\n")
    return paths


def read(paths: list[str], **more: Any) -> Corpus:
    return tg.read_corpus(paths, outputs_are_scores=True, **more)


def compared(corpus: Any, by: str, *systems: Any) -> CompareResult:
    return tg.compare(corpus, *systems, metrics=["scores:column=score"], by=by, resamples=200)


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
@pytest.mark.parametrize(("by", "labels"), [("topic", TOPICS), ("year", YEARS)])
def test_a_column_of_scores(tmp_path: Path, ending: str, by: str, labels: list[Any]) -> None:
    corpus = read(write(tmp_path, ending, list(reversed(range(COUNT)))))
    assert groups(compared(corpus, by)) == expected(labels)
    assert "output" not in corpus.labels, "it is not the same in both files"


def test_a_column_of_the_documents(tmp_path: Path) -> None:
    lines = [f"s{i}\td{i // 4}\t{['web', 'print'][i % 2]}" for i in reversed(range(COUNT))]
    (tmp_path / "docs.tsv").write_text("\n".join(["id\tdocid\tmedium", *lines]) + "\n")
    corpus = read(write(tmp_path, "tsv"), documents=str(tmp_path / "docs.tsv"))
    result = compared(corpus, "medium")
    assert groups(result) == expected(["web", "print"] * (COUNT // 2))
    assert {one.unit for one in known(result.groups).gains} == {"document"}
    assert "|by:medium|" in result.signature
    assert CompareResult.from_dict(result.to_dict()).render() == result.render()


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


def test_a_column_of_a_table(tmp_path: Path, command: Callable[..., tuple[int, str, str]]) -> None:
    """It is then no system."""
    words = ["a b c d e", "f g h i j", "k l m n o"]
    lines = [f"{words[i % 3]}\t{words[i % 3]} x\t{words[i % 3]} y z\t{TOPICS[i]}" for i in range(COUNT)]
    (tmp_path / "all.tsv").write_text("\n".join(["ref\tbase\tnew\ttopic", *lines]) + "\n")
    given = ["compare", "--table", str(tmp_path / "all.tsv"), "-R", "100", "-f", "json"]
    result = json.loads(command(*given, "--by", "topic")[1])
    assert list(dict.fromkeys(one["system"] for one in result["groups"]["gains"])) == ["new"]
    assert [one["group"] for one in result["groups"]["gains"]] == ["law", "news", "arts"]


@pytest.mark.parametrize("given", ["file", "frame"])
def test_an_unknown_column_is_refused_with_those_there_are(tmp_path: Path, given: str) -> None:
    columns = "topic, year" if given == "file" else "topic"
    frame = pd.DataFrame({**SCORES, "topic": TOPICS}).rename(columns={"base": "score"})
    corpus = read(write(tmp_path, "tsv")) if given == "file" else frame
    with refused(naming=[f"domain, document, length, {columns};", "'genre'"]):
        compared(corpus, "genre")


def test_a_segment_without_a_group_is_refused(tmp_path: Path) -> None:
    paths = write(tmp_path, "tsv")
    for path in map(Path, paths):
        lines = path.read_text().splitlines()
        lines[5] = lines[5].replace(f"\t{TOPICS[4]}\t", "\t\t")
        path.write_text("\n".join(lines) + "\n")
    with refused(naming=["segment 5", "'topic'"]):
        compared(read(paths), "topic")


def test_a_column_named_domain_stands_for_domains(tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": [f"s{i}" for i in range(COUNT)], "score": BASE, "domain": TOPICS})
    frame.to_csv(tmp_path / "base.tsv", sep="\t", index=False)
    corpus = read([str(tmp_path / "base.tsv")])
    assert corpus.domains is None
    assert {name: len(rows) for name, rows in group_rows(corpus, "domain").items()} == dict.fromkeys(TOPICS, 20)


def sample(domains: list[str], systems: tuple[str, ...] = ("baseline", "better", "similar")) -> Corpus:
    """Return the bundled sample with these domains."""
    folder = Path(tg.__file__).parent / "sample"
    corpus = tg.read_corpus([str(folder / f"{name}.1.txt") for name in systems], [str(folder / "ref.1.txt")])
    return replace(corpus, domains=tuple(domains))


DOMAINS = ["few"] * 9 + [["news", "talks", "chat"][i % 3] for i in range(291)]


def test_scores_of_a_group_are_those_of_the_group_alone() -> None:
    corpus = sample(DOMAINS)
    result = tg.score(corpus, metrics=["bleu", "ter"], by="domain", resamples=300)
    assert "|by:domain|" in result.signature
    for group in known(result.groups).groups:
        rows = [i for i, own in enumerate(DOMAINS) if own == group.group]
        alone = tg.score(corpus.of_segments(rows), metrics=["bleu", "ter"], resamples=300)
        assert (group.segments, group.n_units, group.unit) == (len(rows), len(rows), "segment")
        few = group.group == "few"
        assert group.scores == tuple(replace(one, interval=None) if few else one for one in alone.scores)
        assert all(one.standard_error is not None for one in group.scores)
    assert "few: fewer than 10 units" in " ".join(result.render().split())
    assert ScoreResult.from_dict(result.to_dict()).render() == result.render()
    records = result.to_records()
    assert [one["group"] for one in records] == [""] * 6 + [one for one in dict.fromkeys(DOMAINS) for _ in range(6)]
    assert records[6]["score"] == known(result.groups).groups[0].scores[0].score
    assert (records[0]["n_units"], records[6]["n_units"]) == (300, 9)


def test_scores_of_many_systems_by_group_are_a_matrix() -> None:
    values = {f"s{i:02}": RNG.normal(size=COUNT) for i in range(20)}
    result = tg.score(None, values, metrics=["scores"], domains=TOPICS, by="domain", resamples=50)
    (matrix,) = (one for one in result.render().split("\n\n") if one.startswith("score ↑ by domain"))
    assert len(matrix.splitlines()) == 21
    assert max(map(len, matrix.splitlines())) <= 80
    documents = [f"d{i // 4}" for i in range(COUNT)]
    many = tg.score(None, values, metrics=["scores"], documents=documents, by="document", resamples=50)
    assert "20 systems in 15 documents is in JSON" in " ".join(many.render().split())


def test_the_ranking_of_a_group_is_that_of_the_group_alone() -> None:
    corpus = sample(DOMAINS)
    result = tg.rank(corpus, metrics=["bleu"], by="domain", resamples=300)
    groups = known(result.groups)
    assert "|by:domain|" in result.signature
    for group in groups.groups:
        alone = tg.rank(corpus.of_segments([i for i, own in enumerate(DOMAINS) if own == group.group]), resamples=300)
        if group.group == "few":
            assert (group.ranking, group.pairs) == ((), ())
            continue
        assert (group.ranking, group.pairs, group.scores) == (alone.ranking, alone.pairs, alone.scores)
    assert {one.groups for one in groups.leads} == {("news", "talks", "chat")}
    raw = [one.p_value.p for one in groups.leads]
    assert [one.p_adjusted for one in groups.leads] == adjust(raw, "holm")
    assert RankResult.from_dict(result.to_dict()).render() == result.render()
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
    assert "(smallest p after Holm = 0.008)" in " ".join(result.render().split())


def test_two_systems_have_one_lead() -> None:
    """It is half of their difference, so p is that of compare."""
    values = {"a": SCORES["base"], "b": SCORES["new"]}
    given: Any = {"metrics": ["scores"], "domains": TOPICS, "by": "domain", "resamples": 300}
    ranked, compared = tg.rank(None, values, **given), tg.compare(None, values, **given)
    (lead,), (other,) = known(ranked.groups).leads, known(compared.groups).heterogeneity
    assert (lead.p_value.p, lead.p_adjusted) == (other.p, other.p)
    assert lead.q == pytest.approx(other.q)


@pytest.mark.parametrize("study", [tg.score, tg.rank])
def test_what_cannot_be_grouped_is_refused(study: Any) -> None:
    for options, named in (({"by": "genre"}, "'genre'"), ({"by": "length", "unit": "block"}, "units")):
        with refused(naming=[named]):
            study(sample(DOMAINS), resamples=20, **options)


def test_what_does_not_go_with_groups_is_refused(folder: Path, command: Callable[..., tuple[int, str, str]]) -> None:
    (folder / "domains.txt").write_text("a\nb\n" * 12)
    given = ("--ref", "ref.txt", "base.txt", "new.txt", "--domains", "domains.txt", "--by", "domain")
    for study, options, named in (
        ("score", ["--segments"], "segments"),
        ("score", ["--score-only"], "--score-only"),
        ("score", ["--layout", "paper"], "--layout"),
        ("compare", ["--layout", "paper"], "--layout"),
    ):
        code, out, err = command(study, *given, *options)
        assert (code, out, named in err) == (2, "", True), err


def test_scores_of_every_domain_of_a_real_test_set_are_what_they_are_alone(divided: tuple[Corpus, str]) -> None:
    corpus, metric = divided
    groups = known(tg.score(corpus, metrics=[metric], by="domain", resamples=200).groups).groups
    assert len(groups) > 3
    for group in groups:
        rows = [i for i, own in enumerate(corpus.domains or ()) if own == group.group]
        assert group.scores == tg.score(corpus.of_segments(rows), metrics=[metric], resamples=200).scores
