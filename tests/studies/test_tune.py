"""Tuning again and again: runs, files, what is kept, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.known import known
from tests.refusals import refused
from truegain.corpus import Run, System
from truegain.inference.results import MetricInfo
from truegain.inputs import IN_MEMORY, Inputs
from truegain.studies import tune as study
from truegain.studies.tune import TunedRun, TunedSet, TuneResult, _sides

WORDS = ("the", "cat", "sat", "on", "a", "mat", "black", "dog", "under")
Command = Callable[..., tuple[int, str, str]]


def lists(folder: Path, name: str, seed: int, segments: int = 20, skip: int | None = None) -> tuple[str, str]:
    """Write references, and hypotheses whose first feature says how many words are right, with noise."""
    random = np.random.default_rng(seed)
    references, lines = [], []
    for segment in range(segments):
        reference = list(random.choice(WORDS, 8))
        references.append(" ".join(reference))
        for _ in range(8 if segment != skip else 0):
            said = [word if random.random() < 0.6 else str(random.choice(WORDS)) for word in reference]
            right = sum(a == b for a, b in zip(said, reference, strict=True)) + random.normal(0, 2)
            noise = " ".join(f"{one:.4f}" for one in random.normal(0, 3, 4))
            text = " ".join(said)
            lines.append(f"{segment} ||| {text} ||| right= {right:.4f} noise= {noise} flat= 1.5 ||| {noise.split()[0]}")
    (folder / f"{name}.ref").write_text("".join(f"{one}\n" for one in references), encoding="utf-8")
    (folder / f"{name}.nbest").write_text("".join(f"{one}\n" for one in lines), encoding="utf-8")
    return str(folder / f"{name}.ref"), str(folder / f"{name}.nbest")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lists")
    lists(folder, "dev", 1)
    lists(folder, "test", 2, segments=15, skip=4)
    return folder


def tuned(files: Path, **options: Any) -> TuneResult:
    given: dict[str, Any] = {"runs": 3, "metric": "bleu:tokenize=none"}
    if options.get("optimizer", "mert") == "mert":
        given["restarts"] = 2
    apply = {"test": (str(files / "test.nbest"), str(files / "test.ref"))}
    return tg.tune(str(files / "dev.ref"), str(files / "dev.nbest"), **{"apply": apply, **given, **options})


@pytest.mark.parametrize("optimizer", ["mert", "pro", "mira"])
def test_weights_are_better_than_the_first_hypotheses_and_not_than_the_oracle(files: Path, optimizer: str) -> None:
    result = tuned(files, optimizer=optimizer)
    sizes = [(one.name, one.segments, one.hypotheses) for one in result.sets]
    assert sizes == [("dev", 20, 160), ("test", 15, 112)]
    assert result.features == ("right", "noise_0", "noise_1", "noise_2", "noise_3")
    for place, one in enumerate(result.sets):
        assert known(one.worst) < min(result.scores(place)) <= max(result.scores(place)) <= known(one.best)
    assert min(result.scores(0)) > known(result.sets[0].first)
    assert all(run.weights[0] > 0.0 for run in result.runs)
    read = [(Path(one.name).name, one.role, one.rows, one.system) for one in result.inputs.files]
    assert read[:2] == [("dev.ref", "reference", 20, None), ("dev.nbest", "hypotheses", 160, "dev")]
    for naming in ("flat ", "segment 4"):
        assert any(naming in note.text for note in result.notes)


def test_the_scores_are_those_of_the_outputs_that_are_written(files: Path, tmp_path: Path) -> None:
    result, _ = (tuned(files, folder=tmp_path / out, jobs=jobs) for jobs, out in ((1, "out"), (2, "two")))
    one, two = ({path.name: path.read_bytes() for path in (tmp_path / out).iterdir()} for out in ("out", "two"))
    kinds_of_files = ("dev.{}.txt", "test.{}.txt", "weights.{}.json")
    assert one.keys() == {name.format(f"run0{i}") for name in kinds_of_files for i in (1, 2, 3)}
    assert one == two, "on one and two threads"
    for place, name in enumerate(("dev", "test")):
        for run in result.runs:
            path = tmp_path / "out" / f"{name}.run{run.number:02d}.txt"
            again = tg.score(str(files / f"{name}.ref"), {"x": str(path)}, metrics=["bleu:tokenize=none"])
            assert again.scores[0].score == pytest.approx(run.scores[place])
    held = json.loads((tmp_path / "out" / "weights.run02.json").read_text(encoding="utf-8"))
    assert list(held["weights"].values()) == list(result.runs[1].weights)


def test_runs_that_are_there_are_kept(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "out"
    whole = tuned(files)
    tuned(files, folder=folder, runs=2)
    calls: list[int] = []
    real = study._tuned

    def counted(lists: Any, options: Any, number: int) -> Any:
        calls.append(number)
        return real(lists, options, number)

    monkeypatch.setattr(study, "_tuned", counted)
    again = tuned(files, folder=folder)
    assert (calls, again.runs) == ([3], whole.runs)
    assert ["2" in note.text for note in again.notes if note.kind == "kept-runs"] == [True]
    with refused(path=folder / "weights.run01.json"):
        tuned(files, folder=folder, seed=9)


def test_a_set_without_references_has_outputs_only(files: Path, tmp_path: Path) -> None:
    result = tuned(files, apply={"more": str(files / "test.nbest")}, folder=tmp_path)
    assert result.sets[1].best is None
    assert result.runs[0].scores[1] is None
    lines = (tmp_path / "more.run01.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 15
    assert lines[4] == ""


def test_other_metrics_and_several_references(files: Path) -> None:
    references = (files / "dev.ref").read_text(encoding="utf-8").splitlines()
    two = [references, [f"{line} too" for line in references]]
    for metric in ("ter", "chrf"):
        result = tg.tune(two, str(files / "dev.nbest"), metric=metric, runs=1, restarts=2)
        first, best = known(result.sets[0].first), known(result.sets[0].best)
        turned = -1.0 if metric == "ter" else 1.0
        assert turned * first < turned * result.scores(0)[0] < turned * best


def test_weights_that_are_applied_to_the_development_set_are_told_of(files: Path) -> None:
    again = tuned(files, apply={"again": str(files / "dev.nbest")}, features=["right"], runs=1)
    for result, said in ((again, ["again"]), (tuned(files, features=["right"], runs=1), [])):
        assert [note.scope for note in result.notes if note.kind == "development-is-test" and note.warning] == said


def test_s_sel_is_that_of_all_runs(files: Path, tmp_path: Path) -> None:
    result = tuned(files, features=["right", "noise_0"], runs=4, folder=tmp_path)
    assert result.distinct < 4
    for name, tuned_set in zip(("dev", "test"), result.sets, strict=True):  # a segment of test has no hypothesis
        reference, *outputs = (
            tuple(path.read_text(encoding="utf-8").splitlines())
            for path in (files / f"{name}.ref", *sorted(tmp_path.glob(f"{name}.run*.txt")))
        )
        system = System("x", tuple(Run(str(i), one) for i, one in enumerate(outputs)))
        corpus = tg.Corpus(name, len(reference), (reference,), (system,))
        (scored,) = tg.score(corpus, metrics=["bleu:tokenize=none"], resamples=1000).variability
        assert scored.runs == 4
        assert tuned_set.s_sel == pytest.approx(scored.s_sel, rel=1e-12)


def of_runs(dev: Sequence[float], test: Sequence[float], s_sel: float, first: float | None) -> list[str]:
    """Return what is said of runs with these scores, and a 1-best with that score on both sets."""
    result = TuneResult(
        optimizer="mira",
        sets=tuple(TunedSet(name, 100, 900, first, 60.0, 10.0, s_sel) for name in ("dev", "test")),
        metrics=(MetricInfo("bleu", "BLEU", True, ""),),
        features=("a",),
        runs=tuple(TunedRun(i, both, (1.0,), None) for i, both in enumerate(zip(dev, test, strict=True), 1)),
        restarts=None,
        seed=1,
        inputs=Inputs((), "id"),
        fingerprint="",
        signature="",
    )
    return [finding.text for finding in study._in_words(result).findings]


CALM, WILD, OVER = (32.0, 32.1, 32.2), (31.0, 32.1, 33.2), (31.5, 32.1, 32.7)


@pytest.mark.parametrize(
    ("runs", "reading"),
    [
        ((CALM, CALM, 0.9, 30.0), None),
        ((WILD, WILD, 0.9, 30.0), study.LARGE_S_DEV(s_dev="1.10", gain="+2.10")),  # wild on both is no overfitting
        ((CALM, OVER, 0.9, 30.0), study.OVERFITTING(name="test", deviation="0.60", s_dev="0.10")),
        ((CALM, (31.9, 32.1, 32.3), 0.9, 30.0), None),  # of three runs this may be chance
        ((CALM, CALM, 1.1, 30.0), study.LARGE_S_SEL(name="test", s_sel="1.10", gain="+2.10")),
        ((CALM, CALM, 1.1, 34.0), study.LARGE_S_SEL(name="test", s_sel="1.10", gain="−1.90")),
        ((WILD, WILD, 9.0, None), None),  # nothing to hold them against
    ],
)
def test_clarks_readings(runs: Any, reading: str | None) -> None:
    texts = of_runs(*runs)
    assert [" of MIRA (mean " in text for text in texts].count(True) == 2
    assert [text for text in texts if " of MIRA (mean " not in text] == [text for text in [reading] if text]


def test_the_answer(files: Path) -> None:
    several, single, equal = (tuned(files, **more) for more in ({}, {"runs": 1}, {"features": ["right"], "runs": 2}))
    slots = {"label": "BLEU", "optimizer": "MERT"}
    for place, name in enumerate(("dev", "test")):
        mean, deviation = f"{several.mean(place):.2f}", f"{several.deviation(place):.2f}"
        varies = study.VARIES(**slots, name=name, mean=mean, deviation=deviation, runs="3 runs")
        assert varies in [finding.text for finding in several.findings]
        alone = study.MEAN(**slots, name=name, mean=f"{single.mean(place):.2f}", runs="1 run")
        assert alone in [finding.text for finding in single.findings]
    assert equal.findings[-1].text == study.SAME(distinct=1, count=2)


@pytest.mark.parametrize(
    ("options", "naming"),
    [
        ({"optimizer": "pro", "restarts": 3}, ["pro"]),
        ({"metric": "scores"}, []),
        ({"metric": "length"}, []),
        ({"features": ["flat"]}, []),
        ({"features": ["wrong"]}, ["right, noise_0, noise_1, noise_2, noise_3, flat"]),
        ({"apply": {"dev": "x"}}, ["'dev'"]),
        ({"apply": {"a/b": "x"}}, ["'a/b'"]),
        ({"runs": 0}, ["runs"]),
        ({"optimizer": "sgd"}, ["optimizer"]),
    ],
)
def test_what_is_refused(files: Path, options: dict[str, Any], naming: list[str]) -> None:
    with refused(naming=naming):
        tuned(files, **options)


def test_ids_that_do_not_fit_the_references_and_segments_that_are_empty_or_name_a_folder(files: Path) -> None:
    with refused(naming=["id 15", "15 references"]):
        tg.tune(str(files / "test.ref"), str(files / "dev.nbest"))
    for odd in ("", ".", "/", "é" * 300):
        assert _sides(["a b", odd, "c"]) == [(IN_MEMORY, ("a b", odd, "c"))]


def test_the_command(files: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    given = ["--ref", "dev.ref", "--nbest", "dev.nbest", "--apply", "test=test.nbest", "--apply-ref", "test=test.ref"]
    options = ["-m", "bleu:tokenize=none", "--runs", "3", "--restarts", "2", "-o", str(tmp_path / "out"), "-q"]
    code, _, err = command("tune", *given, *options)
    assert code == 0, err
    loaded = tg.load(tmp_path / "out" / "tune.json")
    assert isinstance(loaded, TuneResult)
    assert [run.weights for run in loaded.runs] == [run.weights for run in tuned(files).runs]
    assert (tmp_path / "out" / "tune.html").exists()
    code, out, err = command("score", "--ref", "test.ref", f"tuned={tmp_path / 'out' / 'test.run0*.txt'}", "-R", "100")
    assert (code, "tuned ×3" in out) == (0, True), err
    gone = [word for number in range(20) for word in ("--ref", f"gone{number}.ref")]
    for wrong, named in (
        ([*given[:6], "--apply-ref", "other=test.ref"], "'other'"),
        ([*given[:4], "--apply", "test"], "'test'"),
        ([*gone, *given[2:4]], "truegain: gone0.ref: "),  # as many names as segments are no segments
        ([*given[:6], *(word.replace("--ref", "--apply-ref").replace("gone", "test=gone") for word in gone)], "gone0"),
    ):
        code, _, err = command("tune", *wrong, *options)
        assert (code, named in err) == (2, True), err


def test_tokenised_text_gets_the_note_that_compare_gives(tmp_path: Path) -> None:
    reference, lists_of_texts = tmp_path / "dev.ref", tmp_path / "dev.nbest"
    reference.write_text("".join(f"the cat sat {place} .\n" for place in range(120)))
    entries = [
        f"{place} ||| the {animal} sat {place} . ||| lm= {number + place % 3} tm= {place % 2 - number} ||| 0\n"
        for place in range(120)
        for number, animal in enumerate(("cat", "dog"))
    ]
    lists_of_texts.write_text("".join(entries))
    given: Any = {"runs": 1, "restarts": 1}
    result = tg.tune(reference, str(lists_of_texts), folder=tmp_path, **given)
    compared = tg.score(str(reference), {"tuned": str(tmp_path / "dev.run01.txt")}, resamples=20)
    (said,) = (note for note in result.notes if note.kind == "tokenised-text")
    assert (said.file, said.text in [note.text for note in compared.notes]) == (str(lists_of_texts), True)
    split = tg.tune(reference, str(lists_of_texts), metric="bleu:tokenize=none", **given)
    assert "tokenised-text" not in [note.kind for note in split.notes]


def sentences(path: Path, seed: int, count: int = 40) -> list[str]:
    """Write lists of three hypotheses each, of random words, and return the first ones."""
    random = np.random.default_rng(seed)
    texts = [" ".join("".join(random.choice(list("abdeghiklmnorstu"), 5)) for _ in range(8)) for _ in range(count)]
    lines = [
        f"{i} ||| {one}{more} ||| lm= {len(more)}\n" for i, one in enumerate(texts) for more in ("", " and", " so")
    ]
    path.write_text("".join(lines), encoding="utf-8")
    return texts


def test_parts_of_a_set_that_count_ids_anew_are_refused_and_other_references_warned_of(tmp_path: Path) -> None:
    one, other, both = (tmp_path / name for name in ("one", "other", "both"))
    texts, others = sentences(one, 1), sentences(other, 2)
    both.write_text(one.read_text() + other.read_text(), encoding="utf-8")
    given: dict[str, Any] = {"runs": 1, "restarts": 1, "metric": "bleu:tokenize=none"}
    for lists_of_others in ([str(one), str(other)], str(both)):
        with refused(naming=[40]):
            tg.tune(texts, lists_of_others, **given)
    longer = tmp_path / "longer"
    again = [line.replace(" ||| lm", " indeed ||| lm") for line in one.read_text().splitlines(keepends=True)]
    longer.write_text("".join(again), encoding="utf-8")
    assert tg.tune(texts, [str(one), str(longer)], **given).sets[0].hypotheses == 240
    result = tg.tune(others, str(one), **given)
    assert [note.kind for note in result.notes if note.warning] == ["unlike-reference"]
