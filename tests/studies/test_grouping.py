"""Groups: columns of tables, documents, data frames and ``--table``; comparisons, scores and rankings by group."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from msgspec import structs

import truegain as tg
from tests.conftest import only_with_all
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


def test_a_segment_without_a_group_is_refused_and_a_column_may_stand_for_domains(tmp_path: Path) -> None:
    paths = write(tmp_path, "tsv")
    for path in map(Path, paths):
        lines = path.read_text().splitlines()
        lines[5] = lines[5].replace(f"\t{TOPICS[4]}\t", "\t\t")
        path.write_text("\n".join(lines) + "\n")
    with refused(naming=["segment 5", "'topic'"]):
        compared(read(paths), "topic")
    # A column named domain stands for domains.
    frame = pd.DataFrame({"id": [f"s{i}" for i in range(COUNT)], "score": BASE, "domain": TOPICS})
    frame.to_csv(tmp_path / "base.tsv", sep="\t", index=False)
    corpus = read([str(tmp_path / "base.tsv")])
    assert corpus.domains is None
    assert {name: len(rows) for name, rows in group_rows(corpus, "domain").items()} == dict.fromkeys(TOPICS, 20)


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
    [
        ({"by": "domain"}, ["domain"]),
        ({"by": "genre"}, ["domain, document, length", "'genre'"]),
        ({"by": "length", "unit": "block"}, ["units"]),
    ],
)
def test_what_cannot_be_grouped_is_refused(study: Any, given: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        study(sample(), resamples=20, **given)


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


@pytest.fixture(params=["wmt23", *only_with_all("conll18")])
def divided(request: pytest.FixtureRequest, shared_data: Path, tmp_path: Path) -> tuple[Corpus, str]:
    """Two systems on a real test set with domains, and a metric for them."""
    if request.param == "wmt23":  # the file of documents has domains in its first column
        folder = shared_data / "wmt23_mtme"
        systems = [str(folder / "system-outputs/en-de" / f"{name}.txt.gz") for name in ("AIRC", "Lan-BridgeMT")]
        documents = str(folder / "documents/en-de.docs.gz")
        return tg.read_corpus(systems, [str(folder / "references/en-de.refA.txt.gz")], documents=documents), "chrf"
    folder = shared_data / "conll18_en_ewt"  # the genre is the first part of a sentence's id
    with gzip.open(folder / "gold.conllu.gz", "rt") as stream:
        ids = [line.partition("= ")[2] for line in stream if line.startswith("# sent_id")]
    genres = tmp_path / "genres.txt"
    genres.write_text("".join(f"{one.partition('-')[0]}\n" for one in ids))
    systems = [str(one) for one in sorted((folder / "systems").iterdir())[:2]]
    return tg.read_corpus(systems, [str(folder / "gold.conllu.gz")], domains=str(genres)), "las"


def test_scores_of_every_domain_of_a_real_test_set_are_what_they_are_alone(divided: tuple[Corpus, str]) -> None:
    corpus, metric = divided
    groups = known(tg.score(corpus, metrics=[metric], by="domain", resamples=200).groups).groups
    assert len(groups) > 3
    for group, (name, part) in zip(groups, parts(corpus, list(known(corpus.domains))).items(), strict=True):
        assert (group.group, group.scores) == (name, tg.score(part, metrics=[metric], resamples=200).scores)


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


def test_the_answer_and_one_table_come_first() -> None:
    result = tg.compare(sample(domains=THIRDS), by="domain", resamples=FEW)
    assert "of 3 domains" in " ".join(result.render().split("\n\n")[1].split())
    assert [one.name for one in result.pictures()][:2] == ["forest", "groups"]
    assert CompareResult.from_dict(result.to_dict()).render() == result.render()
    records = result.to_records()
    assert [one["group"] for one in records] == ["", "news", "talks", "chat"]
    assert records[1]["p_adjusted"] >= records[1]["p"]
    assert "|by:domain|" in result.signature


def test_groups_that_differ_are_found() -> None:
    generator = np.random.default_rng(4)
    base = generator.normal(size=200)
    new = base + generator.normal(0.0, 0.5, size=200) + np.repeat([1.0, -1.0], 100)
    options: Any = {"metrics": ["scores"], "domains": ["a"] * 100 + ["b"] * 100, "by": "domain", "resamples": FEW}
    result = tg.compare(None, {"base": base, "new": new}, **options)
    assert known(known(result.groups).tested("scores", "base", "new")).p == 1 / (FEW + 1)
    assert "better in 1 and worse in 1 of 2 domains" in " ".join(result.render().split())


def test_small_groups_have_a_gain_only_and_documents_have_units() -> None:
    labels = ["tiny"] * 9 + ["rest"] * 291
    result = tg.compare(sample(domains=labels), by="domain", resamples=FEW)
    assert [one.comparison is None for one in known(result.groups).gains] == [True, False]
    assert known(result.groups).heterogeneity == ()
    assert "tiny: fewer than 10 units" in " ".join(result.render().split())
    labels = [f"d{i // 50}" for i in range(300)]  # documents have segments as units
    result = tg.compare(sample(documents=labels), by="document", resamples=FEW)
    assert {(one.unit, one.n_units) for one in known(result.groups).gains} == {("segment", 50)}


def test_length_is_quartiles_of_reference_words() -> None:
    documents = (SAMPLE / "docs.txt").read_text().splitlines()
    corpus = sample(documents=documents)
    groups = known(tg.compare(corpus, by="length", resamples=FEW).groups)
    words = [len(line.split()) for line in corpus.references[0] if line is not None]
    ends = [(3, 13), (14, 17), (18, 23), (24, 47)]
    counts = {f"{low}–{high} words": sum(low <= count <= high for count in words) for low, high in ends}
    assert [(one.group, one.segments) for one in groups.gains] == list(counts.items())
    assert {one.unit for one in groups.gains} == {"document"}  # they cut across the groups
    assert len(groups.heterogeneity) == 1


@pytest.mark.whole
def test_every_domain_of_a_real_test_set_is_what_it_is_alone(divided: tuple[Corpus, str]) -> None:
    corpus, metric = divided
    groups = known(tg.compare(corpus, by="domain", metrics=[metric], resamples=FEW).groups)
    own = parts(corpus, list(known(corpus.domains)))
    assert len(own) == (4 if metric == "chrf" else 5)
    for name, part in own.items():
        alone = tg.compare(part, metrics=[metric], resamples=FEW).comparisons[0]
        found = next(one for one in groups.gains if one.group == name)
        assert (found.delta, known(found.comparison).p) == (alone.delta, alone.p)
    assert len(groups.heterogeneity) == 1


@pytest.mark.whole
@pytest.mark.parametrize("format", ["terminal", "md", "latex", "html", "json", "csv", "tsv"])
def test_no_group_is_significant(format: str) -> None:
    rng = np.random.default_rng(4)
    scores = {name: rng.normal(size=90) for name in ("base", "new", "other")}
    domains = [["a", "b", "c"][i % 3] for i in range(86)] + ["few"] * 4
    result = tg.compare(None, scores, domains=domains, by="domain", metrics=["scores"], resamples=FEW)
    assert "in any of 4 domains" in " ".join(result.render().split())
    assert result.render(format)


def many(shift: float, **more: Any) -> CompareResult:
    rng = np.random.default_rng(6)
    base = rng.normal(size=120)
    scores = {"base": base} | {f"s{i}": base + rng.normal(shift, 0.5, size=120) for i in range(5)}
    scores["s4"] = scores["s4"] + np.repeat([1.0, -1.0], 60)
    domains = ["a"] * 60 + ["b"] * 60
    return tg.compare(None, scores, domains=domains, by="domain", metrics=["scores"], resamples=FEW, **more)


def test_many_pairs_have_one_sentence_and_one_table() -> None:
    result = many(0.5)
    text = " ".join(result.render().split())
    assert "5 better in some of 2 domains (3 in all) and 1 worse in some" in text
    tables = [one for one in result.render().split("\n\n") if "by domain" in one.splitlines()[0]]
    assert len(tables) == 1
    assert [line.split()[0] for line in tables[0].splitlines()[1:]] == ["s0", "s1", "s2", "s3", "s4"]
    assert max(map(len, tables[0].splitlines())) <= 80
    found = known(known(result.groups).tested("scores", "base", "s4"))
    assert f"{found.p:.3f}" in tables[0].splitlines()[-1]
    every = " ".join(many(0.5, family="all").render().split())
    assert "of 15 pairs" in every
    assert "s1 − s0" in every


def test_many_groups_of_many_pairs_are_not_shown() -> None:
    rng = np.random.default_rng(7)
    scores = {f"s{i}": rng.normal(size=150) for i in range(5)}
    documents = [f"d{i // 10}" for i in range(150)]
    result = tg.compare(None, scores, documents=documents, by="document", metrics=["scores"], resamples=50)
    assert "4 pairs in 15 documents are in JSON" in " ".join(result.render().split())
    assert len(result.to_records()) == 4 + 4 * 15


@pytest.mark.parametrize("count", [2, 8])
def test_groups_of_several_test_sets(count: int) -> None:
    """Each set is what it is alone; with many sets the tables are left out, and it is said."""
    whole = sample(domains=THIRDS)
    corpora = [replace(whole.of_segments(range(i, 300, count)), name=f"set{i}") for i in range(count)]
    result = tg.pool(corpora, by="domain", resamples=100)
    assert result.sets[0].groups == tg.compare(corpora[0], by="domain", resamples=100).groups
    assert known(result.micro).groups is None
    text = " ".join(result.render().split())
    assert "|by:domain|" in result.signature
    assert ("on 8 test sets are in JSON" in text) == (count == 8)
    assert text.count("BLEU ↑ by domain") == (0 if count == 8 else 2)
    records = result.to_records()
    assert [one["group"] for one in records[:5]] == ["", *dict.fromkeys(corpora[0].domains or ()), ""]
    assert [one["group"] for one in records[-2:]] == ["", ""]
    assert records[1]["sets_shown"] is None


def test_experiment_files_group(tmp_path: Path) -> None:
    (tmp_path / "domains.txt").write_text("".join(f"{one}\n" for one in THIRDS))
    (tmp_path / "e.toml").write_text(
        f'by = "domain"\nresamples = 50\n[systems]\nbase = "{SAMPLE}/baseline.1.txt"\nnew = "{SAMPLE}/better.1.txt"\n'
        f'[[testset]]\nname = "1"\nreference = "{SAMPLE}/ref.1.txt"\ndomains = "domains.txt"\n'
    )
    result = tg.run(str(tmp_path / "e.toml"))
    assert [one.group for one in known(result.sets[0].groups).gains] == ["news", "talks", "chat"]
    (tmp_path / "e.toml").write_text((tmp_path / "e.toml").read_text().replace('"domain"', '"topic"'))
    with refused(naming=["'topic'"]):
        tg.run(str(tmp_path / "e.toml"))
