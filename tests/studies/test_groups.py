"""``compare`` by group: each group is what it is alone, and whether groups differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.corpus import Corpus
from truegain.inference.multiplicity import adjust
from truegain.studies.compare.result import CompareResult

SAMPLE = Path(tg.__file__).parent / "sample"
FEW = 500


def parts(corpus: Corpus, labels: list[str]) -> dict[str, Corpus]:
    numbers = {name: [i for i, own in enumerate(labels) if own == name] for name in dict.fromkeys(labels)}
    return {name: corpus.of_segments(rows) for name, rows in numbers.items()}


def with_labels(domains: Sequence[str] | None = None, documents: Sequence[str] | None = None) -> Corpus:
    """Return the bundled sample with these domains and documents."""
    systems = [str(SAMPLE / f"{name}.1.txt") for name in ("baseline", "better")]
    corpus = tg.read_corpus(systems, [str(SAMPLE / "ref.1.txt")])
    labels = [None if one is None else tuple(one) for one in (domains, documents)]
    return replace(corpus, domains=labels[0], documents=labels[1])


DOMAINS = [["news", "talks", "chat"][i % 3] for i in range(300)]


def test_a_group_is_what_it_is_alone() -> None:
    """Δ to the bit; the draws are keyed by position, so p and the interval are the same too."""
    corpus = with_labels(domains=DOMAINS)
    result = tg.compare(corpus, by="domain", metrics=["bleu", "ter"], resamples=FEW)
    alone = {
        name: tg.compare(one, metrics=["bleu", "ter"], resamples=FEW) for name, one in parts(corpus, DOMAINS).items()
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
    result = tg.compare(with_labels(domains=DOMAINS), by="domain", resamples=FEW)
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


def test_small_groups_have_a_gain_only() -> None:
    labels = ["tiny"] * 9 + ["rest"] * 291
    result = tg.compare(with_labels(domains=labels), by="domain", resamples=FEW)
    assert [one.comparison is None for one in known(result.groups).gains] == [True, False]
    assert known(result.groups).heterogeneity == ()
    assert "tiny: fewer than 10 units" in " ".join(result.render().split())


def test_documents_have_segments_as_units() -> None:
    labels = [f"d{i // 50}" for i in range(300)]
    result = tg.compare(with_labels(documents=labels), by="document", resamples=FEW)
    assert {(one.unit, one.n_units) for one in known(result.groups).gains} == {("segment", 50)}


def test_length_is_quartiles_of_reference_words() -> None:
    documents = (SAMPLE / "docs.txt").read_text().splitlines()
    corpus = with_labels(documents=documents)
    groups = known(tg.compare(corpus, by="length", resamples=FEW).groups)
    words = [len(line.split()) for line in corpus.references[0] if line is not None]
    ends = [(3, 13), (14, 17), (18, 23), (24, 47)]
    counts = {f"{low}–{high} words": sum(low <= count <= high for count in words) for low, high in ends}
    assert [(one.group, one.segments) for one in groups.gains] == list(counts.items())
    assert {one.unit for one in groups.gains} == {"document"}  # they cut across the groups
    assert len(groups.heterogeneity) == 1


@pytest.mark.parametrize(
    ("given", "naming"),
    [
        ({"by": "domain"}, ["domain"]),
        ({"by": "genre"}, ["domain, document, length"]),
        ({"by": "length", "unit": "block"}, ["units"]),
    ],
)
def test_what_cannot_be_grouped_is_refused(given: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        tg.compare(with_labels(), resamples=10, **given)


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
    whole = with_labels(domains=DOMAINS)
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
    (tmp_path / "domains.txt").write_text("".join(f"{one}\n" for one in DOMAINS))
    (tmp_path / "e.toml").write_text(
        f'by = "domain"\nresamples = 50\n[systems]\nbase = "{SAMPLE}/baseline.1.txt"\nnew = "{SAMPLE}/better.1.txt"\n'
        f'[[testset]]\nname = "1"\nreference = "{SAMPLE}/ref.1.txt"\ndomains = "domains.txt"\n'
    )
    result = tg.run(str(tmp_path / "e.toml"))
    assert [one.group for one in known(result.sets[0].groups).gains] == ["news", "talks", "chat"]
    (tmp_path / "e.toml").write_text((tmp_path / "e.toml").read_text().replace('"domain"', '"topic"'))
    with refused(naming=["'topic'"]):
        tg.run(str(tmp_path / "e.toml"))
