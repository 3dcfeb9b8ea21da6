"""Metrics that comet-score computes: which segments it sees, what is kept, what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truegain as tg
from tests.refusals import kinds, refused
from tests.scorers.comet_score import score
from truegain.cache import Cache
from truegain.metrics.lookup import make_metric
from truegain.metrics.scorer import Scorer, ScorerSettings
from truegain.scorers.definition import DEFINITIONS

Command = Callable[..., tuple[int, str, str]]
Comet = Callable[..., None]
Seen = Callable[[], list[list[str]]]
Forget = Callable[[], None]

COMPARE = ("compare", "-R", "99", "-j", "1", "--src", "src.txt", "--ref", "ref.txt", "base.txt", "new.txt")


TWO: dict[str, Any] = {"sources": ["c", "d"], "resamples": 50, "jobs": 1}


def lines(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text("utf-8").splitlines()


def without(*left_out: str) -> list[str]:
    return [one for one in COMPARE if one not in left_out]


def running(path: Path) -> bool:
    """Return whether a process has this path among its arguments."""
    return str(path) in subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout


def test_scores_are_the_programs_and_what_is_known_takes_none(
    texts: Path, command: Command, seen: Seen, forget: Forget, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = (*COMPARE, "-m", "comet", "-m", "chrf", "-f", "json")
    code, out, err = command(*given)
    assert (code, err) == (0, "")
    result = json.loads(out)
    source, reference = lines(texts, "src.txt"), lines(texts, "ref.txt")
    for system in ("base", "new"):
        expected = np.mean([score(*row) for row in zip(source, lines(texts, f"{system}.txt"), reference, strict=True)])
        (own,) = [one for one in result["systems"] if one["metric"] == "comet" and one["name"] == system]
        assert own["score"] == pytest.approx(expected, abs=1e-9)
    assert [one["label"] for one in result["metrics"]] == ["COMET", "chrF2"]
    known = "nrefs:1|model:Unbabel/wmt22-comet-da|revision:0123456789ab|by:unbabel-comet "
    assert result["metrics"][0]["signature"].startswith(known)
    (file,) = [one for one in result["testset"]["inputs"]["files"] if one["role"] == "source"]
    assert (file["name"], file["rows"]) == ("src.txt", 24)
    assert len(seen()) == 48
    forget()
    monkeypatch.setattr("truegain.metrics.scorer.run_program", lambda *_, **__: pytest.fail("the program was run"))
    assert command(*given) == (code, out, err)


def test_each_distinct_segment_is_seen_once(texts: Path, seen: Seen, forget: Forget) -> None:
    """Ten systems share 60 % of their outputs; all runs go to one call."""
    source = [f"source {i}" for i in range(2000)]
    reference = [f"the reference of segment {i}" for i in range(2000)]
    shared = [i % 5 < 3 for i in range(2000)]
    systems = {f"s{s}": [f"output {i}" + f" of s{s}" * (not own) for i, own in enumerate(shared)] for s in range(10)}
    given: dict[str, Any] = {"sources": source, "metrics": ["comet"], "resamples": 50, "jobs": 1}
    cache = Cache(texts / "cache")
    scored = tg.score(reference, systems, cache=cache, **given)
    found = seen()
    distinct = {(s, o, r) for own in systems.values() for s, o, r in zip(source, own, reference, strict=True)}
    assert len(found) == len(distinct) == 1200 + 800 * 10
    assert set(map(tuple, found)) == distinct
    forget()
    systems["s3"][7] = "something new"
    again = tg.score(reference, systems, cache=cache, **given)
    assert seen() == [["source 7", "something new", "the reference of segment 7"]]
    for old, new in zip(scored.scores, again.scores, strict=True):
        assert (old.score == new.score) == (old.name != "s3")


def test_the_cache_tells_models_apart(texts: Path, command: Command, comet: Comet, seen: Seen, forget: Forget) -> None:
    def count(model: str) -> int:
        forget()
        assert command(*COMPARE, "-m", f"comet:model={model}")[0] == 0
        return len(seen())

    (texts / "one.ckpt").write_text("1")
    (texts / "two.ckpt").write_text("1")
    assert [count("one.ckpt"), count("one.ckpt"), count("two.ckpt")] == [48, 0, 48]
    (texts / "one.ckpt").write_text("another")
    assert [count("one.ckpt"), count("one.ckpt")] == [48, 0]
    comet(first="# another version")
    assert [count("one.ckpt"), count("one.ckpt")] == [48, 0]


def test_it_runs_offline_in_a_private_folder(texts: Path, command: Command, comet: Comet, forget: Forget) -> None:
    """A stranger's folder may hold a package that a program would import."""
    for options, offline in (((), "1 1"), (("--allow-download",), "")):
        forget()
        comet(first=f'echo "$HF_HUB_OFFLINE $TRANSFORMERS_OFFLINE" `stat -c %a .` `pwd` > {texts}/place # {offline}')
        assert command(*COMPARE, "-m", "comet", *options)[0] == 0
        *told, mode, place = (texts / "place").read_text().split()
        assert (" ".join(told), mode) == (offline, "700")
        assert Path(place).name.startswith("truegain-scorer-")
        assert not Path(place).exists()


def test_what_a_program_started_ends_with_it(texts: Path, command: Command, comet: Comet) -> None:
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    comet(first=f'{sys.executable} -c "{child}" {texts}/left-behind &')
    code, _, err = command(*COMPARE, "-m", "comet")
    assert code == 0, err
    for _ in range(50):
        if not running(texts / "left-behind"):
            return
        time.sleep(0.1)
    pytest.fail("a process was left")


def test_one_without_references_needs_none(texts: Path, seen: Seen) -> None:
    tg.score(None, {"x": ["a", "b"]}, metrics=["cometkiwi"], **TWO)
    assert {reference for *_, reference in seen()} == {""}


def test_line_breaks_become_spaces_and_are_said(texts: Path, seen: Seen) -> None:
    outputs = ["two\nlines", "one\u2028other", "plain"]
    result = tg.score(["a", "b", "c"], {"x": outputs}, sources=["1\r\n2", "3", "4"], metrics=["comet"], cache=None)
    assert [row[:2] for row in seen()] == [["1  2", "two lines"], ["3", "one other"], ["4", "plain"]]
    assert "line-breaks" in kinds(result.notes)


def test_progress_is_the_programs(texts: Path) -> None:
    told: list[tuple[Any, ...]] = []
    systems = {"a": ["x", "y"], "b": ["x", "z"]}
    tg.score(["r", "s"], systems, metrics=["comet", "chrf"], progress=lambda *one: told.append(one), **TWO)
    assert [one for one in told if one[0] == "scoring"] == [("scoring", 1, 2)] * 2
    own = [one for one in told if one[0] == "comet"]
    assert own[0] == ("comet", 0, 3)
    assert sum(done for _, done, _ in own) == 3


def test_it_is_held_against_people(texts: Path, command: Command, seen: Seen) -> None:
    systems = [f"{name}\t{len(name) + i % 3}\n" for name in ("base", "new", "third") for i in range(24)]
    (texts / "human.mqm.seg.score").write_text("".join(systems))
    outputs = [part for name in ("base", "new", "third") for part in ("--outputs", f"{name}.txt")]
    given = ("agree", "--human", "human.mqm.seg.score", "--ref", "ref.txt", "--src", "src.txt", *outputs, "-R", "50")
    code, out, err = command(*given, "-m", "comet", "-m", "chrf")
    assert code == 0, err
    assert "COMET" in out
    assert len(seen()) == 72
    assert command(*given, "-m", "chrf")[0] == 2


# ---- What is refused, and what is left


FAILURES = {"fail": "Loading the model: 100%|##########| 2/2", "kill": "SIGKILL", "few": "47", "many": "49"}
FAILURES |= {"nan": "segment 4", "words": "'good'", "none": ""}


@pytest.mark.whole
@pytest.mark.parametrize(("do", "told"), FAILURES.items())
def test_a_program_that_fails(texts: Path, command: Command, comet: Comet, seen: Seen, do: str, told: str) -> None:
    comet("--do", do)
    for _ in range(2):  # nothing of the first was kept
        code, out, err = command(*COMPARE, "-m", "comet")
        assert (code, out) == (2, "")
        assert told in err
        assert err.startswith("truegain: COMET: ")
        assert len(seen()) == 48


@pytest.mark.parametrize(
    "result",
    [
        *("", "{", "[]", "3", "{}", '{"a": [], "b": []}', '{"a": [{}]}', '{"a": [3]}', '{"a": [{"COMET": [1]}]}'),
        *('{"a": {"COMET": 1}}', '{"a": [{"COMET": null}]}', f'{{"a": [{{"COMET": 1{"0" * 400}}}]}}', "[" * 90_000),
    ],
    ids=range(13),
)
def test_results_that_cannot_be_read(texts: Path, comet: Comet, result: str) -> None:
    (texts / "given.json").write_text(result)
    comet(first=f'while [ $# -gt 1 ]; do shift; done; cp {texts}/given.json "$1"; exit')
    with refused(naming=["comet-score"]):
        tg.score(["a"], {"x": ["b"]}, sources=["c"], metrics=["comet"], resamples=50)


def test_half_a_character_and_sources_for_nothing_are_refused(texts: Path) -> None:
    with refused():
        tg.score(None, {"x": ["a \ud800", "b"]}, sources=["a", "b"], metrics=["cometkiwi"], resamples=50)
    with refused("sources"):  # which nothing wants
        tg.score(["a"], {"x": ["a"]}, sources=["b"])


def test_the_package_serves_only_if_its_program_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("truegain.metrics.scorer.package_here", lambda: "2.2.7")
    assert make_metric("comet")._in_process  # type: ignore[attr-defined]
    assert not make_metric("comet:via=program")._in_process  # type: ignore[attr-defined]
    monkeypatch.setattr("truegain.metrics.scorer.package_here", lambda: "2.2.4")
    assert not make_metric("comet")._in_process  # type: ignore[attr-defined]
    with refused(naming=["2.2.5"]):
        make_metric("comet:via=package")


def test_models_and_programs_must_be_here(texts: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command(*COMPARE, "-m", f"comet:model={texts}")[0] == 2
    with monkeypatch.context() as patch:
        patch.setenv("HF_HUB_CACHE", str(texts / "empty"))
        code, _, err = command(*COMPARE, "-m", "comet")
        assert (code, "--allow-download" in err) == (2, True)
    (texts / "bin" / "comet-score").write_text(f"#!{sys.executable}\n")  # a Python without the package
    assert command(*COMPARE, "-m", "comet")[0] == 2
    monkeypatch.setenv("PATH", str(texts))
    code, _, err = command(*COMPARE, "-m", "comet:via=program")
    assert (code, "pip install unbabel-comet" in err) == (2, True)


@pytest.mark.whole
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_too(texts: Path, comet: Comet, number: int) -> None:
    comet("--do", "wait")
    temporary = texts / "tmp"
    temporary.mkdir()
    line = [sys.executable, "-m", "truegain", *COMPARE, "-m", "comet:via=program"]
    environment = {**os.environ, "TMPDIR": str(temporary)}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(line, env=environment, start_new_session=True, **pipes)
    for _ in range(600):
        if (texts / "seen").exists() and len(lines(texts, "seen")) == 48:
            break
        time.sleep(0.1)
    assert any(temporary.iterdir())
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, "")
    assert "Traceback" not in err
    assert not any(temporary.iterdir())
    assert not running(texts / "bin")


EXPERIMENT = """
metrics = {metrics}
resamples = 99
[systems]
base = "base.txt"
new = "new.txt"
[[testset]]
name = "news"
reference = "ref.txt"
source = "src.txt"
"""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((*without("--src", "src.txt"), "-m", "comet"), "--src"),
        ((*without("--ref", "ref.txt"), "-m", "comet"), "--ref"),
        ((*COMPARE, "--ref", "third.txt", "-m", "comet"), "COMET"),
        ((*without("--src", "src.txt"), "--src", "longer.txt", "-m", "comet"), "longer.txt"),
        ((*COMPARE, "-m", "bleu"), "--src"),
        ((*without("--ref", "ref.txt"), "-m", "scores"), "--src"),
        (("tune", "--ref", "ref.txt", "--nbest", "dev.nbest", "--metric", "comet", "-o", "tuned"), "COMET"),
        # Downloads are allowed only where there are any.
        (("compare", "--ref", "ref.txt", "base.txt", "new.txt", "--allow-download"), "--allow-download"),
        (("run", "experiment.toml", "--allow-download"), "--allow-download"),
        (("agree", "--human", "human.csv", "metric.csv", "--allow-download"), "--allow-download"),
    ],
)
def test_what_does_not_fit_is_refused(texts: Path, command: Command, given: tuple[str, ...], told: str) -> None:
    (texts / "longer.txt").write_text("die kleine Katze\n" * 25)
    (texts / "experiment.toml").write_text(EXPERIMENT.format(metrics='["bleu"]'))
    (texts / "dev.nbest").write_text("".join(f"{i} ||| a ||| F= 1\n{i} ||| b ||| F= 2\n" for i in range(24)))
    code, _, err = command(*given)
    assert (code, told in err) == (2, True), err


@pytest.mark.parametrize(
    ("metric", "option", "naming"),
    [
        *((f"comet:{one}", (), "comet") for one in ("model=-x", "batch_size=0", "gpus=-1", "via=red", "colour=red")),
        *((one, ("metrics",), "scores") for one in ("metricx", "bleurt", "BLEURT:model=x")),  # which are given
    ],
)
def test_settings_and_metrics_that_are_refused(metric: str, option: tuple[str, ...], naming: str) -> None:
    with refused(*option, naming=[naming]):
        make_metric(metric)


# ---- Security


EVIL = ["; touch broken", "$(touch broken)", "`touch broken`", "a b", "x|y", "{result}", "'", '"', "*", "../x"]


@pytest.mark.whole
@pytest.mark.parametrize("value", EVIL)
def test_values_stay_within_their_argument(texts: Path, comet: Comet, value: str) -> None:
    """The program reads the very value; no shell sees it."""
    comet(first=f"""printf '%s\\n' "$@" > {texts}/argv""")
    metric = Scorer(DEFINITIONS["cometkiwi"], ScorerSettings(value), downloads=True)
    tg.score(None, {"x": [value, "b"]}, sources=["c", "d"], metrics=[metric], cache=None, jobs=1)
    given = lines(texts, "argv")
    assert given[given.index("--model") + 1] == value
    assert not list(texts.rglob("broken"))


def test_experiment_files_name_scorers_and_set_none(texts: Path, command: Command, seen: Seen) -> None:
    experiment = texts / "experiment.toml"
    experiment.write_text(EXPERIMENT.format(metrics='["comet"]'))
    assert command("run", "experiment.toml")[0] == 0
    assert len(seen()) == 48
    for metrics in ('["comet:model=evil.ckpt"]', '[{name = "comet", model = "evil.ckpt"}]'):
        experiment.write_text(EXPERIMENT.format(metrics=metrics))
        assert command("run", "experiment.toml")[0] == 2
    assert seen() == []
