"""Metrics of third parties: from installed packages, and from functions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.cache import Cache
from truegain.metrics import lookup
from truegain.metrics.lookup import make_metric

ROOT = Path(__file__).resolve().parents[2]
REFERENCES = ["the cat sat", "a dog ran", "it was late", "they left"] * 5
SYSTEMS = {
    "base": ["the cat", "a dog ran", "it was", "we left"] * 5,
    "new": ["the cat sat", "a dog", "it was late", "x"] * 5,
}


def exact(**changes: object) -> tg.CustomMetric:
    settings: dict[str, object] = {
        "name": "exact",
        "segment_statistics": lambda outputs, refs: [[o == r, 1] for o, r in zip(outputs, refs[0], strict=True)],
        "total_score": lambda totals: 100 * totals[..., 0] / totals[..., 1],
        "statistic_names": ("equal", "segments"),
    }
    return tg.CustomMetric(**{**settings, **changes})  # type: ignore[arg-type]


def test_two_functions_are_a_metric() -> None:
    result = tg.compare(REFERENCES, SYSTEMS, metrics=["bleu", exact()], resamples=200)
    assert result.score("exact", "base").score == 25.0
    assert result["exact", "new"].delta == 25.0
    assert "nrefs:1|custom:exact|version:none" in result.render("md")
    reverse = tg.compare(REFERENCES, SYSTEMS, metrics=[exact(higher_is_better=False)], resamples=200)
    assert reverse["exact", "new"].delta == -25.0


def test_only_what_has_a_version_is_cached(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    tg.score(REFERENCES, SYSTEMS, metrics=[exact()], resamples=10, cache=cache)
    assert cache.info().entries == 0
    tg.score(REFERENCES, SYSTEMS, metrics=[exact(version="1")], resamples=10, cache=cache)
    assert cache.info().entries == 2


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"segment_statistics": lambda outputs, refs: [[1, 1]]}, ["(1, 2)", "base", "(20, 2)"]),
        ({"segment_statistics": lambda o, r: [[np.nan, 1]] * len(o)}, ["[nan, 1.0]", "segment 1", "base"]),
        ({"total_score": lambda totals: totals[..., 0] * np.nan}, ["exact"]),
        ({"total_score": lambda totals: 1.0}, ["total_score", "()", "(2, 2)"]),
        ({"total_score": lambda t: np.where(t[..., 0] == 5, 1.0, np.nan)}, ["[1.0, nan]"]),
    ],
)
def test_what_a_metric_got_wrong_is_said(changes: dict[str, object], told: list[str]) -> None:
    with refused(naming=told):
        tg.compare(REFERENCES, SYSTEMS, metrics=[exact(**changes)], resamples=50)


def entry_point(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = EntryPoint("toy", value, lookup.PLUGIN_GROUP)
    monkeypatch.setattr(lookup, "plugins", lambda: {"toy": point})


def made(name: str = "toy") -> tg.CustomMetric:
    return exact(name=name)


def test_kinds_of_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    entry_point(monkeypatch, "truegain.metrics.bleu:BLEU")
    assert make_metric("toy:max_ngram_order=2").statistic_names[-1] == "total_2"
    entry_point(monkeypatch, f"{__name__}:made")
    assert make_metric("toy:name=mine").name == "mine"
    with refused(naming=["toy", "nome"]):
        make_metric("toy:nome=mine")
    entry_point(monkeypatch, "truegain.version:__version__")
    with refused(naming=["toy"]):
        make_metric("toy")
    entry_point(monkeypatch, "nowhere:Metric")
    with refused():
        make_metric("toy")
    with refused(naming=["toy"]):
        make_metric("toyy")


@pytest.mark.whole
def test_the_documented_package_is_built_installed_and_used(tmp_path: Path) -> None:
    """The example of docs/plugins.md, taken from the page, as a package of its own."""
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    files = re.findall(r"`(\S+)`:\n\n```\w+\n(.*?)```", page, re.DOTALL)
    assert {name for name, _ in files} == {"pyproject.toml", "wordoverlap.py"}
    source = tmp_path / "source"
    source.mkdir()
    for name, text in files:
        (source / name).write_text(text, encoding="utf-8")
    code = dict(files)["wordoverlap.py"]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    target = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*install, "--disable-pip-version-check", "--target", str(target), str(source)], check=True)
    for name, lines in {"ref": REFERENCES, **SYSTEMS}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def truegain(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(target)}
        command = [sys.executable, "-m", "truegain", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=tmp_path).stdout

    assert "overlap: from the package wordoverlap" in truegain("metrics")
    command = ["compare", "--ref", "ref.txt", "base.txt", "new.txt", "-R", "100", "-f", "csv"]
    plain = truegain(*command, "-m", "overlap")
    assert "overlap,base,new,72.72727273," in plain
