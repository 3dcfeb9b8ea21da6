"""What fuzzing starts from and what it found, tried again: an answer or a refusal, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from fuzz import targets
from fuzz.guided import FOUND, SEEDS
from fuzz.targets import kept
from truegain.cache import Cache, key_of
from truegain.readers import formats
from truegain.readers.any_format import read_scores
from truegain.readers.experiment_file import read_experiment
from truegain.results import CLASSES
from truegain.results import load as load_result
from truegain.statistics.scored_once import SegmentScores
from truegain.studies.tune import _kept

CASES = [
    pytest.param(target, path, id=f"{home.name}/{target}/{path.name}")
    for target in targets.names()
    for home in (SEEDS, FOUND)
    for path in sorted((home / target).glob("*"))
]


@pytest.mark.parametrize(("target", "path"), CASES)
def test_nothing_breaks(target: str, path: Path) -> None:
    targets.load(target).check(path.read_bytes())


def test_every_target_has_something_to_start_from() -> None:
    assert {path.name for path in SEEDS.iterdir()} == set(targets.names())
    assert {path.name for path in FOUND.iterdir()} <= set(targets.names())


# ---- Seeds reach what they are for: a reader that refuses all of them would be fuzzed in vain

#: Targets that read files of any format, and take less than seconds for their seeds.
READING = (
    *("column_files", "documents", "generated", "json_lines", "logs", "people", "plain", "scores", "sgml", "tables"),
    *("tags", "treebanks", "trees", "utterances", "xml"),
)


@pytest.mark.whole
def test_every_format_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    reached: set[str] = set()

    def watched(name: str, function: Callable[..., Any] | None) -> Callable[..., Any] | None:
        def call(*given: Any) -> Any:
            found = function(*given) if function is not None else None
            if found is not None and not isinstance(found, bool):
                reached.add(name)
            return found

        return None if function is None else call

    def load(name: str) -> formats.Format:
        form = known(name)
        changed: Any = {
            kind: watched(name, getattr(form, kind)) for kind in ("segments", "text", "texts", "table", "scores")
        }
        return form._replace(**changed)

    known = formats.load
    monkeypatch.setattr(formats, "load", load)
    for target in READING:
        for path in sorted((SEEDS / target).glob("*")):
            targets.load(target).check(path.read_bytes())
    assert set(formats.FORMATS) - reached == set()


def test_every_study_has_a_stored_result() -> None:
    found = {load_result(path).study for path in (SEEDS / "results").glob("*")}
    assert found == set(CLASSES)


def test_what_is_kept_is_read(tmp_path: Path) -> None:
    """Its forms have versions and checksums, of which an old one would be refused at once."""
    content = {path.name: path.read_bytes() for path in (SEEDS / "kept").glob("*")}
    for name in ("entry", "counts", "scores"):
        (tmp_path / "key.statistics").write_bytes(kept.entry("key", content[name]))
        assert Cache(tmp_path).get("key") is not None, name
    stored = key_of("segment scores", "a scorer")
    (tmp_path / f"{stored}.statistics").write_bytes(kept.entry(stored, content["scores"]))
    assert sorted(SegmentScores(Cache(tmp_path), "a scorer").scores.values()) == [0.0, 0.5]
    (tmp_path / "weights.run01.json").write_bytes(content["weights"])
    weights = _kept(tmp_path, 1, kept._MARK)
    assert weights is not None
    assert weights.tolist() == [0.5, -1.0]


def test_experiments_and_people_are_read(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "a.1.txt", "ref.txt"):
        (tmp_path / name).write_text("a b c\n")
    for path in (SEEDS / "experiments").glob("*"):
        (tmp_path / "x.toml").write_bytes(path.read_bytes())
        assert read_experiment(str(tmp_path / "x.toml")).testsets
    for path in (SEEDS / "people").glob("*"):
        given = path.read_bytes().split(b"\n====\n")[0]
        ending = {"scores": "a.seg.score", "ratings": "a.seg.rating", "table": "a.csv", "lines": "a.jsonl"}[path.name]
        (tmp_path / ending).write_bytes(given)
        if path.name == "ratings":  # which have several columns, and people's scores one
            assert len(read_scores(str(tmp_path / ending))) == 3
        else:
            assert tg.agree(tmp_path / ending, {"m": tmp_path / ending}, resamples=9).agreement
