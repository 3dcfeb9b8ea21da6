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
from truegain.studies.tune import TunedRun, TuneResult
from truegain.studies.tune_sets import TunedSet, _sides

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
    dev, test = result.sets
    assert (dev.name, dev.segments, dev.hypotheses) == ("dev", 20, 160)
    assert (test.name, test.segments, test.hypotheses) == ("test", 15, 112)
    assert result.features == ("right", "noise_0", "noise_1", "noise_2", "noise_3")
    for place, one in enumerate(result.sets):
        assert known(one.worst) < min(result.scores(place)) <= max(result.scores(place)) <= known(one.best)

    assert min(result.scores(0)) > known(dev.first)
    assert all(run.weights[0] > 0.0 for run in result.runs)
    read = [(Path(one.name).name, one.role, one.rows, one.system) for one in result.inputs.files]
    assert read == [
        ("dev.ref", "reference", 20, None),
        ("dev.nbest", "hypotheses", 160, "dev"),
        ("test.ref", "reference", 15, None),
        ("test.nbest", "hypotheses", 112, "test"),
    ]
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


@pytest.mark.whole
@pytest.mark.parametrize("optimizer", ["mert", "pro", "mira"])
def test_one_seed_one_answer_on_any_number_of_threads(files: Path, optimizer: str) -> None:
    alone = tuned(files, optimizer=optimizer, jobs=1)
    assert alone.to_dict() == tuned(files, optimizer=optimizer, jobs=2).to_dict()
    assert tuned(files, optimizer=optimizer, seed=7).runs != alone.runs


def test_runs_that_are_there_are_kept(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "out"
    whole = tuned(files)
    tuned(files, folder=folder, runs=2)
    calls: list[int] = []
    real = study._tuned

    def counted(lists: Any, options: Any, restarts: Any, number: int) -> Any:
        calls.append(number)
        return real(lists, options, restarts, number)

    monkeypatch.setattr(study, "_tuned", counted)
    again = tuned(files, folder=folder)
    assert calls == [3]
    assert again.runs == whole.runs
    assert ["2" in note.text for note in again.notes if note.kind == "kept-runs"] == [True]
    with refused(path=folder / "weights.run01.json"):
        tuned(files, folder=folder, seed=9)
    (folder / "weights.run01.json").write_text("{}", encoding="utf-8")
    with refused(path=folder / "weights.run01.json"):
        tuned(files, folder=folder)


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


def test_equal_runs_and_weights_that_are_applied_to_the_development_set_are_told_of(files: Path) -> None:
    equal = tuned(files, restarts=30, features=["right"], runs=4)
    assert equal.distinct == 1
    assert equal.runs[-1].same_as is not None
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


def of_runs(optimizer: Any, dev: Sequence[float], test: Sequence[float], s_sel: float, first: float | None) -> str:
    """Return what is said of runs with these scores, and a 1-best with that score on both sets."""
    result = TuneResult(
        optimizer=optimizer,
        sets=tuple(TunedSet(name, 100, 900, first, 60.0, 10.0, s_sel) for name in ("dev", "test")),
        metrics=(MetricInfo("bleu", "BLEU", True, ""),),
        features=("a",),
        runs=tuple(TunedRun(i, both, (1.0,), None) for i, both in enumerate(zip(dev, test, strict=True), 1)),
        restarts=2 if optimizer == "mert" else None,
        seed=1,
        inputs=Inputs((), "id"),
        fingerprint="",
        signature="",
    )
    return " ".join(finding.text for finding in study._in_words(result).findings)


CALM, WILD, OVER = (32.0, 32.1, 32.2), (31.0, 32.1, 33.2), (31.5, 32.1, 32.7)


@pytest.mark.parametrize(
    ("runs", "readings"),
    [
        (("mert", CALM, CALM, 0.9, 30.0), []),
        (("mert", WILD, WILD, 0.9, 30.0), ["s_dev (1.10)", "(+2.10)", "more restarts"]),
        (("pro", WILD, WILD, 0.9, 30.0), ["s_dev (1.10)", "tune more often"]),
        (("mira", CALM, OVER, 0.9, 30.0), ["overfitting"]),
        (("mira", CALM, (31.9, 32.1, 32.3), 0.9, 30.0), []),  # of three runs this may be chance
        (("mira", WILD, WILD, 0.9, 30.0), ["s_dev"]),  # what is wild on both sets is no overfitting
        (("mert", CALM, CALM, 1.1, 30.0), ["s_sel on test (1.10)"]),
        (("mert", CALM, CALM, 1.1, 34.0), ["s_sel on test (1.10)"]),  # a loss counts as a gain does
        (("mert", WILD, WILD, 9.0, None), []),  # nothing to hold them against
    ],
)
def test_clarks_readings(runs: Any, readings: list[str]) -> None:
    answer, _, rest = of_runs(*runs).partition("). ")
    assert answer.startswith("Over 3 runs of ")
    assert ("Clark" in rest, "overfitting" in rest) == (bool(readings), readings == ["overfitting"])
    assert [part for part in readings if part not in rest] == []


def test_the_answer_and_what_stands_behind_a_flag(files: Path) -> None:
    several, one, equal = (tuned(files, **options) for options in ({}, {"runs": 1}, {"features": ["right"], "runs": 2}))
    assert [table.kind for table in several.tables(None)] == ["table", "further", "further"]
    (answer, *_), (mean, *_) = several.findings, one.findings
    for place, tuned_set in enumerate(several.sets):
        spread = f"{several.deviation(place):.2f} on {tuned_set.name} (mean {several.mean(place):.2f})"
        assert spread in answer.text
        assert f"{one.mean(place):.2f} on {tuned_set.name}" in mean.text
    assert study.ALL_SAME(runs="2 runs") in [finding.text for finding in equal.findings]


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
    runs = str(tmp_path / "out" / "test.run0*.txt")
    code, out, err = command("score", "--ref", "test.ref", f"tuned={runs}", "-R", "100")
    assert code == 0, err
    assert "tuned ×3" in out
    for wrong, named in ((["--apply-ref", "other=test.ref"], "'other'"), (["--apply", "test"], "'test'")):
        code, _, err = command("tune", *given[:6], *wrong, *options)
        assert (code, named in err) == (2, True), err


def test_files_of_references_that_are_not_there(
    files: Path, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many names as there are segments were taken for the segments themselves."""
    monkeypatch.chdir(files)
    names = [f"gone{i}.ref" for i in range(20)]
    many = [word for name in names for word in ("--ref", name)]
    applied = [word for name in names[:15] for word in ("--apply-ref", f"test={name}")]
    for given in (many, ["--ref", "dev.ref", "--apply", "test=test.nbest", *applied]):
        code, _, err = command("tune", *given, "--nbest", "dev.nbest", "-o", str(tmp_path / "out"), "-q")
        assert (code, err.startswith(f"truegain: {names[0]}: ")) == (2, True), err
    with refused(path=names[0]):
        tg.tune(["dev.ref", names[0]], "dev.nbest")


def test_a_folder_that_cannot_be_made(files: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    given = ["--ref", "dev.ref", "--nbest", "dev.nbest", "--runs", "1", "--restarts", "1", "-q", "-o", "dev.ref/made"]
    code, _, err = command("tune", *given)
    assert (code, "dev.ref/made: " in err.splitlines()[0]) == (2, True), err


def test_tokenised_text_gets_the_note_that_compare_gives(tmp_path: Path) -> None:
    count = 120
    reference = tmp_path / "dev.ref"
    reference.write_text("".join(f"the cat sat {place} .\n" for place in range(count)))
    entries = [
        f"{place} ||| the {animal} sat {place} . ||| lm= {number + place % 3} tm= {place % 2 - number} ||| 0\n"
        for place in range(count)
        for number, animal in enumerate(("cat", "dog"))
    ]
    (tmp_path / "dev.nbest").write_text("".join(entries))
    given: Any = {"runs": 1, "restarts": 1, "folder": tmp_path / "tuned"}
    lists = str(tmp_path / "dev.nbest")
    result = tg.tune(reference, lists, apply={"test": lists}, **given)
    compared = tg.score(str(reference), {"tuned": str(tmp_path / "tuned" / "dev.run01.txt")}, resamples=20)
    (said,) = (note for note in result.notes if note.kind == "tokenised-text")  # there are no references of test
    assert said.file == lists
    assert said.text in [note.text for note in compared.notes]
    split = tg.tune(reference, lists, metric="bleu:tokenize=none", **(given | {"folder": None}))
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
    texts = sentences(one, 1)
    others = sentences(other, 2)
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
