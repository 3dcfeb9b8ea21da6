"""What Python programs can rely on."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.errors import InputError
from truegain.old_names import OLD_NAMES
from truegain.report import ENDINGS, FORMATS

REFERENCE = ["the cat sat", "a dog ran off", "it was late"]
SYSTEMS = {"base": ["the cat sits", "a dog ran", "it was late"], "new": ["the cat sat", "a dog ran off", "it is late"]}


@pytest.mark.parametrize("name", tg.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(tg, name) is not None
    assert name in dir(tg)


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'truegain' has no attribute 'compair'"):
        _ = tg.compair  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", OLD_NAMES)
def test_a_name_that_is_gone_says_what_to_type_instead(name: str) -> None:
    with pytest.raises(AttributeError, match=f"{name!r}: .*truegain (compare|--version)"):
        tg.__getattr__(name)  # the command may have the name of a module


def test_importing_costs_nothing() -> None:
    script = "import truegain, sys, json; print(json.dumps([truegain.__version__, sorted(sys.modules)]))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    version, modules = json.loads(answer.stdout)
    assert version == tg.__version__
    assert "truegain.version" in modules
    assert not {"numpy", "rich", "click", "sacrebleu", "truegain.studies.compare"} & set(modules)


def test_the_package_says_that_it_is_typed_and_has_the_version_that_is_installed() -> None:
    assert (importlib.resources.files("truegain") / "py.typed").is_file()
    project = (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text()
    assert '"py.typed"' in project
    assert importlib.metadata.version("truegain") == tg.__version__


def test_a_corpus_read_from_files_can_be_compared_and_scored(tmp_path: Path) -> None:
    paths = {}
    for name, lines in {"ref": REFERENCE, **SYSTEMS}.items():
        paths[name] = tmp_path / f"{name}.txt"
        paths[name].write_text("\n".join(lines) + "\n")
    corpus = tg.read_corpus([str(paths["base"]), str(paths["new"])], [str(paths["ref"])])
    result = tg.compare(corpus, resamples=50)
    in_memory = tg.compare(REFERENCE, SYSTEMS, resamples=50)
    assert result["bleu", "new"].p == in_memory["bleu", "new"].p
    from_paths = tg.compare(paths["ref"], {"base": paths["base"], "new": paths["new"]}, resamples=50)
    assert from_paths["bleu", "new"].interval == in_memory["bleu", "new"].interval
    scores = tg.score(corpus, resamples=50)
    assert scores["bleu", "new"].score == result.score("bleu", "new").score


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    tg.compare(REFERENCE, SYSTEMS, resamples=50)
    tg.score(REFERENCE, SYSTEMS, resamples=50)
    assert capsys.readouterr() == ("", "")


def test_systems_are_needed() -> None:
    with pytest.raises(TypeError, match="systems are needed"):
        tg.compare(REFERENCE)


def test_a_development_set_is_a_pair() -> None:
    for given in ({"base": ["a"]}, "dev.txt", (REFERENCE,)):
        with pytest.raises(TypeError, match=r"a Corpus\W+or references and systems"):
            tg.compare(REFERENCE, SYSTEMS, development=given)


def test_results_are_found_by_metric_and_system() -> None:
    result = tg.compare(REFERENCE, SYSTEMS, metrics=["bleu", "chrf"], resamples=50)
    assert len(result) == 2
    assert [one.metric for one in result] == ["bleu", "chrf"]
    with pytest.raises(KeyError):
        result["bleu", "base"]
    with pytest.raises(KeyError):
        tg.score(REFERENCE, SYSTEMS, resamples=50)["chrf", "base"]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_data_frames(package: str) -> None:
    result = tg.compare(REFERENCE, SYSTEMS, metrics=["bleu", "chrf"], resamples=50)
    frame = getattr(result, f"to_{package}")()
    records = result.to_records()
    assert list(frame.columns) == list(records[0])
    assert frame.shape == (2, len(records[0]))
    for name in ("metric", "delta", "p", "significant", "better", "wins", "resamples", "design_effect"):
        assert [None if one != one else one for one in list(frame[name])] == [record[name] for record in records], name
    segments = tg.score(REFERENCE, SYSTEMS, resamples=50, segments=True)
    assert getattr(segments, f"to_{package}")().shape == (3, 3)


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_data_frames_without_the_package(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with refused(naming=["'truegain[frames]'", package]):
        getattr(tg.score(REFERENCE, SYSTEMS, resamples=50), f"to_{package}")()


def test_the_extra_that_is_named_exists() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text())
    extra = project["project"]["optional-dependencies"]["frames"]
    assert [re.match(r"\w+", one)[0] for one in extra] == ["pandas", "polars"]  # type: ignore[index]


def test_results_are_saved_by_the_ending_of_the_file_and_loaded(tmp_path: Path) -> None:
    result = tg.compare(REFERENCE, SYSTEMS, resamples=50)
    for ending, format in ENDINGS.items():
        result.save(tmp_path / f"result{ending}")
        assert (tmp_path / f"result{ending}").read_text(encoding="utf-8") == result.render(format)
    assert tg.load(tmp_path / "result.json") == result.rounded()
    with refused(naming=[", ".join(ENDINGS)]):
        result.save(tmp_path / "result.docx")
    with refused(naming=["'yaml'", ", ".join(FORMATS)]):
        result.render("yaml")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0}, "alpha must be between 0 and 1; got 0"),
        ({"alpha": 1.0}, "alpha must be between 0 and 1; got 1"),
        ({"alpha": float("nan")}, "alpha must be between 0 and 1; got nan"),
        ({"resamples": 0}, "the number of resamples must be at least 1; got 0"),
        ({"seed": -1}, "the seed must be from 0"),
        ({"seed": 2**64}, "the seed must be from 0"),
        ({"jobs": -1}, "the number of jobs must be at least 1; got -1"),
        ({"jobs": 0}, "the number of jobs must be at least 1; got 0"),
        ({"interval": "exact"}, "percentile, basic, bca, normal; got 'exact'"),
        ({"unit": "sentence"}, "unit must be one of auto, segment, document, block, domain, testset; got 'sentence'"),
        ({"metrics": []}, "there is no metric to score with"),
        ({"metrics": ["blue"]}, "did you mean 'bleu'?"),
        ({"metrics": ["bleu", "bleu"]}, "the metric 'bleu' is asked for twice"),
    ],
)
@pytest.mark.parametrize("study", ["compare", "score"])
def test_options_that_no_study_can_use_are_refused(study: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        getattr(tg, study)(REFERENCE, SYSTEMS, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "ttest"}, "test must be one of auto, crossed, raters, ar, tango, bootstrap, skew-t, exact,"),
        ({"alternative": "up"}, "alternative must be one of two-sided, greater, less; got 'up'"),
        ({"baseline": "bas"}, "the baseline must be one of base, new; got 'bas'\n  did you mean 'base'?"),
    ],
)
def test_options_that_no_comparison_can_use_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        tg.compare(REFERENCE, SYSTEMS, **options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)
