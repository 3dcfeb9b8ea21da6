"""Simulated systems: their quality, what they share, and what they do not."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

import truegain
from benchmarks.simulation import SimulatedTestSet, SystemSpec, simulate
from benchmarks.simulation.language import write_parallel_text
from benchmarks.simulation.mistakes import split_sentence, spoil
from benchmarks.simulation.scene import Scene, text_streams

SAMPLE = Path(truegain.__file__).parent / "sample"


def spec(name: str, quality: float = 0.75, runs: int = 1) -> SystemSpec:
    return SystemSpec(name=name, quality=quality, runs=runs)


def make_scene(segments: int = 3000, seed: int = 1, **changes: float) -> Scene:
    plan, renderer = text_streams(seed, renderings=1)
    text = write_parallel_text(segments=segments, plan=plan, renderers=[renderer])
    settings = {"correlation": 0.6, "document_correlation": 0.2, "run_sd": 0.0} | changes
    return Scene(translation=text.renderings[0], documents=text.documents, seed=seed, **settings)


def spoiled(scene: Scene, name: str, quality: float = 0.75, runs: int = 1) -> np.ndarray:
    """Return for each run and word whether it is spoiled."""
    runs_of_system = scene.mistakes(name=name, quality=quality, runs=runs)
    return np.array([np.isin(np.arange(scene.starts[-1]), mistakes.words) for mistakes in runs_of_system])


def bleu(outputs: tuple[str, ...], test_set: SimulatedTestSet) -> float:
    return float(sacrebleu.corpus_bleu(outputs, test_set.references).score)


# One seed, one answer


def test_one_seed_gives_one_test_set() -> None:
    systems = [spec("a", runs=2), spec("b", 0.9)]
    first, again, other = (simulate(segments=60, systems=systems, seed=seed) for seed in (4, 4, 5))
    assert again == first
    assert other.references != first.references
    assert other.systems["a"] != first.systems["a"]


def test_further_systems_runs_and_references_change_nothing_else() -> None:
    few = simulate(segments=80, systems=[spec("a", runs=1)], references=1)
    many = simulate(segments=80, systems=[spec("c", 0.5), spec("a", runs=3), spec("b")], references=3)
    assert many.systems["a"][:1] == few.systems["a"]
    assert many.references[:1] == few.references
    assert len({*many.systems["a"], *many.systems["b"]}) == 4
    assert len(set(many.references)) == 3


@pytest.mark.whole
@pytest.mark.parametrize("quality", [0.05, 0.3, 0.6, 0.8, 0.97])
@pytest.mark.parametrize("run_sd", [0.0, 1.5])
def test_quality_is_the_share_of_words_without_a_mistake(quality: float, run_sd: float) -> None:
    # With run_sd each run has a quality of its own: the mean over many short runs is what counts.
    runs, segments = (1, 3000) if run_sd == 0 else (400, 12)
    scene = make_scene(segments, run_sd=run_sd, document_correlation=0.0, correlation=0.0)
    share = 1 - spoiled(scene, "a", quality, runs).mean()
    assert share == pytest.approx(quality, abs=0.012 if run_sd == 0 else 0.05)


def test_the_score_rises_with_the_quality() -> None:
    qualities = [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98]
    test_set = simulate(segments=250, systems=[spec(f"s{number}", q) for number, q in enumerate(qualities)])
    scores = [bleu(runs[0], test_set) for runs in test_set.systems.values()]
    assert all(low + 1 < high for low, high in pairwise(scores)), scores


def test_a_better_system_makes_some_of_the_mistakes_of_a_worse_one() -> None:
    scene = make_scene(300)
    worse, better = spoiled(scene, "a", 0.7), spoiled(scene, "a", 0.8)
    assert better.sum() < worse.sum()
    assert not np.any(better & ~worse)


def wins(quality: float, repetitions: int = 200) -> int:
    """Count how often a system of quality 0.75 makes more mistakes than one of the given quality."""
    count = 0
    for seed in range(repetitions):
        scene = make_scene(40, seed)
        count += int(spoiled(scene, "a").sum() > spoiled(scene, "b", quality).sum())
    return count


@pytest.mark.whole
def test_systems_of_equal_quality_are_exchangeable() -> None:
    # 200 fair coins fall on one side 100 ± 28 times in all but one of 15,000 cases.
    assert 72 <= wins(0.75) <= 128


@pytest.mark.whole
def test_the_check_of_exchangeability_sees_a_small_difference() -> None:
    assert wins(0.78) > 128


# Correlation


def agreement(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


@pytest.mark.whole
def test_correlation_makes_systems_alike() -> None:
    found = []
    for correlation in (0.0, 0.4, 0.8, 1.0):
        scene = make_scene(1000, correlation=correlation, document_correlation=0.0)
        found.append(agreement(spoiled(scene, "a"), spoiled(scene, "b")))
    assert abs(found[0]) < 0.03
    assert found[1] > 0.15
    assert found[2] > found[1] + 0.2
    assert found[3] == pytest.approx(1)


def test_full_correlation_makes_systems_equal() -> None:
    test_set = simulate(segments=80, systems=[spec("a", runs=2), spec("b")], correlation=1.0, run_sd=0.0)
    assert test_set.systems["a"][0] == test_set.systems["a"][1] == test_set.systems["b"][0]


def test_runs_are_more_alike_than_systems() -> None:
    scene = make_scene(1000, correlation=0.4)
    runs, other = spoiled(scene, "a", runs=2), spoiled(scene, "b")
    assert agreement(runs[0], runs[1]) > agreement(runs[0], other[0]) + 0.1


def test_runs_differ_in_quality_by_run_sd() -> None:
    spread = {
        run_sd: float(spoiled(make_scene(300, run_sd=run_sd), "a", runs=30).mean(axis=1).std())
        for run_sd in (0.0, 0.05, 0.5)
    }
    assert spread[0.0] < 0.01
    # At a quality of 0.75 a logit is worth about 0.19.
    assert 0.05 < spread[0.5] < 0.14
    assert spread[0.0] < spread[0.05] < spread[0.5]


def intraclass_correlation(values: np.ndarray, groups: np.ndarray) -> float:
    """Return the share of the variance that lies between groups, estimated by the analysis of variance."""
    sizes = np.bincount(groups)
    means = np.bincount(groups, values) / sizes
    between = float(sizes @ (means - values.mean()) ** 2) / (len(sizes) - 1)
    within = float(np.sum((values - means[groups]) ** 2)) / (len(values) - len(sizes))
    size = (len(values) - float(sizes @ sizes) / len(values)) / (len(sizes) - 1)
    return (between - within) / (between + (size - 1) * within)


def single(scene: Scene) -> np.ndarray:
    return np.bincount(scene.segment_of_word, spoiled(scene, "a")[0]) / np.bincount(scene.segment_of_word)


def difference(scene: Scene) -> np.ndarray:
    other = np.bincount(scene.segment_of_word, spoiled(scene, "b")[0]) / np.bincount(scene.segment_of_word)
    return np.asarray(single(scene) - other)


@pytest.mark.whole
@pytest.mark.parametrize("values", [single, difference])
def test_segments_of_a_document_are_alike_when_asked(values: Callable[[Scene], np.ndarray]) -> None:
    found = {}
    for share in (0.0, 0.2, 0.9):
        scene = make_scene(2000, document_correlation=share)
        found[share] = intraclass_correlation(values(scene), scene.document_of_segment)
    assert abs(found[0.0]) < 0.04
    assert found[0.2] > found[0.0]
    assert found[0.9] > 0.2


# Mistakes


@pytest.mark.parametrize(
    ("mistake", "expected"),
    [
        ((0, 0.5, 0.0), "Council rejected 12.5 plans."),  # omission; the next word gets the capital
        ((4, 0.5, 0.0), "The council rejected 12.5."),  # the full stop stays
        ((1, 0.7, 0.0), "The council council rejected 12.5 plans."),  # repetition
        ((1, 0.7, 0.4), "The council also rejected 12.5 plans."),  # insertion
        ((1, 0.8, 0.0), "The rejected council 12.5 plans."),  # word order
        ((4, 0.8, 0.0), "The council rejected plans 12.5."),
        ((2, 0.1, 0.0), "The council turned down 12.5 plans."),  # synonym
        ((2, 0.9, 0.0), "The council reject 12.5 plans."),  # inflection
        ((4, 0.9, 0.0), "The council rejected 12.5 plan."),
        ((3, 0.3, 0.0), "The council rejected 12.6 plans."),  # wrong number
    ],
)
def test_each_kind_of_mistake(mistake: tuple[int, float, float], expected: str) -> None:
    assert spoil(split_sentence("The council rejected 12.5 plans."), [mistake]) == expected


def test_punctuation_outlives_its_word_and_one_word_stays() -> None:
    quoted = split_sentence('"That is it," said Anna Dahl, the mayor.')
    assert spoil(quoted, []) == '"That is it," said Anna Dahl, the mayor.'
    assert spoil(quoted, [(0, 0.5, 0.0), (2, 0.5, 0.0)]) == '"Is," said Anna Dahl, the mayor.'
    assert len(spoil(split_sentence('"That is it."'), [(position, 0.5, 0.0) for position in range(3)]).split()) == 1


@pytest.mark.parametrize("quality", [0.01, 0.5, 0.99])
def test_outputs_are_clean_lines(quality: float) -> None:
    test_set = simulate(segments=500, systems=[spec("a", quality)])
    lines = (*test_set.systems["a"][0], *test_set.references[0], *test_set.documents)
    assert len(lines) == 3 * 500
    for line in lines:
        assert line.isprintable(), line
        assert line == " ".join(line.split()), line
        assert re.search(r"\w", line), line
        assert not re.search(r"[][{}<>|()*+]", line), line


# The sample


def test_the_sample_can_be_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", (SAMPLE / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code
    monkeypatch.chdir(tmp_path)
    exec(code[1], {})
    made = {path.name: path.read_bytes() for path in (tmp_path / "sample").iterdir()}
    assert made == {path.name: path.read_bytes() for path in SAMPLE.iterdir() if path.suffix == ".txt"}
    assert len(made) == 9


def test_the_sample_is_what_its_readme_says() -> None:
    assert sum(path.stat().st_size for path in SAMPLE.iterdir()) <= 300_000
    lines = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in SAMPLE.glob("*.txt")}
    assert {len(part) for part in lines.values()} == {300}
    assert len(set(lines["docs"])) == 38
    scores = {
        name: sacrebleu.corpus_bleu(lines[name], [lines["ref.1"], lines["ref.2"]]).score
        for name in lines
        if not name.startswith(("ref", "docs"))
    }
    assert all(25 < score < 45 for score in scores.values())
    for run in "12":
        for other in "12":
            assert scores[f"better.{run}"] - scores[f"baseline.{other}"] == pytest.approx(2.74, abs=1 / 3)
            assert scores[f"similar.{run}"] - scores[f"baseline.{other}"] == pytest.approx(0, abs=1 / 3)
