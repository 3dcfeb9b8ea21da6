"""Metrics that other programs compute: which segments these see, what is kept, what is refused."""

from __future__ import annotations

import json
import os
import shlex
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
from tests.scorers.conftest import PROGRAM
from tests.scorers.stand_in import score
from truegain.cache import Cache
from truegain.metrics.lookup import make_metric
from truegain.scorers.user_file import with_file

Command = Callable[..., tuple[int, str, str]]
Seen = Callable[[], list[list[str]]]
Define = Callable[..., str]
Forget = Callable[[], None]

COMPARE = ("compare", "-R", "99", "-j", "1", "--src", "src.txt", "--ref", "ref.txt", "base.txt", "new.txt")


def lines(folder: Path, name: str) -> list[str]:
    return (folder / name).read_text("utf-8").splitlines()


def without(*left_out: str) -> list[str]:
    return [one for one in COMPARE if one not in left_out]


def test_scores_are_the_programs(texts: Path, command: Command, define: Define, seen: Seen) -> None:
    file = define()
    code, out, err = command(*COMPARE, "-m", "overlap", "-m", "chrf", "--scorers", file, "-f", "json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    source, reference = lines(texts, "src.txt"), lines(texts, "ref.txt")
    for system in ("base", "new"):
        expected = np.mean([score(*row) for row in zip(source, lines(texts, f"{system}.txt"), reference, strict=True)])
        (own,) = [one for one in result["systems"] if one["metric"] == "overlap" and one["name"] == system]
        assert own["score"] == pytest.approx(expected, abs=1e-9)
    assert [one["label"] for one in result["metrics"]] == ["overlap", "chrF2"]
    assert result["metrics"][0]["signature"].startswith("nrefs:1|by:overlap 1|version:")
    (file,) = [one for one in result["testset"]["inputs"]["files"] if one["role"] == "source"]
    assert (file["name"], file["rows"]) == ("src.txt", 24)
    assert len(seen()) == 48


def test_each_distinct_segment_is_seen_once(texts: Path, define: Define, seen: Seen, forget: Forget) -> None:
    """Ten systems share 60 % of their outputs; all runs go to one call."""
    source = [f"source {i}" for i in range(2000)]
    reference = [f"the reference of segment {i}" for i in range(2000)]
    systems = {
        f"s{s}": [f"output {i}" if i % 5 < 3 else f"output {i} of system {s}" for i in range(2000)] for s in range(10)
    }
    cache = Cache(texts / "cache")
    with with_file(define()):
        scored = tg.score(reference, systems, sources=source, metrics=["overlap"], resamples=50, cache=cache, jobs=1)
        given = seen()
        distinct = {(s, o, r) for own in systems.values() for s, o, r in zip(source, own, reference, strict=True)}
        assert len(given) == len(distinct) == 1200 + 800 * 10
        assert set(map(tuple, given)) == distinct
        forget()
        systems["s3"][7] = "something new"
        again = tg.score(reference, systems, sources=source, metrics=["overlap"], resamples=50, cache=cache, jobs=1)
        assert seen() == [["source 7", "something new", "the reference of segment 7"]]
    for old, new in zip(scored.scores, again.scores, strict=True):
        assert (old.score == new.score) == (old.name != "s3")


def test_what_is_known_takes_no_program(
    texts: Path,
    command: Command,
    define: Define,
    seen: Seen,
    forget: Forget,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = define()
    first = command(*COMPARE, "-m", "overlap", "--scorers", file)
    assert len(seen()) == 48
    forget()
    monkeypatch.setattr("truegain.metrics.scorer.run_program", lambda *_, **__: pytest.fail("the program was run"))
    assert command(*COMPARE, "-m", "overlap", "--scorers", file) == first


def test_the_cache_tells_versions_and_models_apart(
    texts: Path, command: Command, define: Define, seen: Seen, forget: Forget
) -> None:
    model = texts / "one.ckpt"
    model.write_text("1")
    both = ("--source", "{source}", "--reference", "{reference}", "--model", "{model}")
    for more, number in (
        ('version = "1"\nmodel = "one.ckpt"', 48),
        ('version = "1"\nmodel = "one.ckpt"', 0),
        ('version = "2"\nmodel = "one.ckpt"', 48),
        ('version = "2"\nmodel = "two"', 48),
    ):
        forget()
        assert command(*COMPARE, "-m", "overlap", "--scorers", define(*both, more=more))[0] == 0
        assert len(seen()) == number
    forget()
    model.write_text("another")
    file = define(*both, more='version = "1"\nmodel = "one.ckpt"')
    assert command(*COMPARE, "-m", "overlap", "--scorers", file)[0] == 0
    assert len(seen()) == 48
    assert command(*COMPARE, "-m", "overlap:model=two", "--scorers", file)[0] == 0
    assert len(seen()) == 48


def test_scores_that_the_cache_cannot_hold_are_said_once(texts: Path, define: Define, tmp_path: Path) -> None:
    given = ["-m", "truegain", *COMPARE, "-m", "overlap", "--scorers", define(), "-q", "-f", "json"]
    for size, times in (("300", 1), ("30000", 0)):
        environment = {**os.environ, "TRUEGAIN_CACHE": str(tmp_path / "cache"), "TRUEGAIN_CACHE_SIZE": size}
        done = subprocess.run([sys.executable, *given], capture_output=True, text=True, env=environment, check=True)
        assert json.loads(done.stdout)
        assert done.stderr.count("TRUEGAIN_CACHE_SIZE") == times


def test_a_scorer_without_a_version_is_not_kept(texts: Path) -> None:
    """Whatever it imports may have changed; within a process, a changed script tells."""
    script, file = texts / "judge.py", texts / "scorers.toml"
    file.write_text(f"[scorer.judge]\ncommand = {json.dumps([sys.executable, str(script), '{output}', '{result}'])}\n")
    for value in (1, 22):
        script.write_text(
            f"import sys\nn = len(open(sys.argv[1]).readlines())\nopen(sys.argv[2], 'w').write('{value}\\n' * n)\n"
        )
        with with_file(str(file)):
            found = tg.score(None, {"x": ["a", "b"]}, metrics=["judge"], cache=Cache(texts / "cache"), resamples=50)
        assert found.scores[0].score == value
    assert Cache(texts / "cache").info().entries == 0


def test_what_is_known_by_name_imports_nothing_from_here(
    texts: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's folder may hold a package with the name of a scorer's."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name in ("metricx24", "bleurt"):
        (texts / name).mkdir()
        for module in ("__init__", "predict", "score_files"):
            (texts / name / f"{module}.py").write_text(f"open({str(texts / 'broken')!r}, 'w')\n")
    for metric in ("metricx", "bleurt"):
        arguments = COMPARE if metric == "metricx" else [one for one in COMPARE if one not in ("--src", "src.txt")]
        assert command(*arguments, "-m", metric)[0] == 2
    assert not (texts / "broken").exists()


@pytest.mark.parametrize(
    "rows",
    [
        "id,score\n" + "".join(f"{i},1\n{i},0\n" for i in range(48)),
        "id,score\n" + "".join(f"{i},1\n" for i in range(48, 0, -1)),
        "a,b\n" + "1,2\n" * 48,
        "score\n" + "37\n" * 48,
    ],
)
def test_results_that_do_not_fit(texts: Path, command: Command, rows: str) -> None:
    (texts / "rows.csv").write_text(rows)
    (texts / "copy.py").write_text("import sys\nopen(sys.argv[3], 'w').write(open(sys.argv[1]).read())\n")
    given = [sys.executable, "copy.py", "rows.csv", "{output}", "{result}"]
    (texts / "scorers.toml").write_text(
        f"[scorer.copied]\ncommand = {json.dumps(given)}\nresult = 'csv'\nlimits = [0, 1]\n"
    )
    arguments = without("--src", "src.txt", "--ref", "ref.txt")
    code, _, err = command(*arguments, "-m", "copied", "--scorers", "scorers.toml")
    assert code == 2
    assert err.startswith("truegain: copied: ")


def test_half_a_character_is_refused(texts: Path, define: Define) -> None:
    with with_file(define("--source", "{source}")), refused():
        tg.score(None, {"x": ["a \ud800", "b"]}, sources=["a", "b"], metrics=["overlap"], resamples=50)


def test_what_a_program_started_ends_with_it(texts: Path, command: Command) -> None:
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600); 'left-behind'"
    (texts / "parent.py").write_text(
        "import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "open(sys.argv[2], 'w').writelines(f'{i % 7}\\n' for i in range(len(open(sys.argv[1]).readlines())))\n"
    )
    given = [sys.executable, "parent.py", "{output}", "{result}"]
    (texts / "scorers.toml").write_text(f"[scorer.parent]\ncommand = {json.dumps(given)}\n")
    arguments = without("--src", "src.txt", "--ref", "ref.txt")
    code, _, err = command(*arguments, "-m", "parent", "--scorers", "scorers.toml")
    assert code == 0, err
    for _ in range(50):
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        if "left-behind" not in listed:
            return
        time.sleep(0.1)
    pytest.fail("a process was left")


def test_one_without_references_needs_none(texts: Path, command: Command, define: Define, seen: Seen) -> None:
    code, _, err = command(*without("--ref", "ref.txt"), "-m", "overlap", "--scorers", define("--source", "{source}"))
    assert (code, err) == (0, "")
    assert all(reference == "" for *_, reference in seen())


def test_scores_may_come_by_standard_output(texts: Path, command: Command, define: Define) -> None:
    file = Path(define())
    by_file = command(*COMPARE, "-m", "overlap", "--scorers", str(file))
    file.write_text(file.read_text().replace('"{result}"', '"-"').replace('version = "1"', 'version = "2"'))
    assert command(*COMPARE, "-m", "overlap", "--scorers", str(file))[1] == by_file[1].replace("overlap 1", "overlap 2")


def test_line_breaks_become_spaces_and_are_said(texts: Path, define: Define, seen: Seen) -> None:
    outputs = ["two\nlines", "one\u2028other", "plain"]
    with with_file(define()):
        result = tg.score(
            ["a", "b", "c"], {"x": outputs}, sources=["1\r\n2", "3", "4"], metrics=["overlap"], cache=None
        )
    assert [row[:2] for row in seen()] == [["1  2", "two lines"], ["3", "one other"], ["4", "plain"]]
    assert "line-breaks" in kinds(result.notes)


# ---- What is refused, and what is left


@pytest.mark.whole
@pytest.mark.parametrize(
    ("do", "told"),
    [
        ("fail", "Loading the model: 100%|##########| 2/2"),
        ("kill", "SIGKILL"),
        ("few", "47"),
        ("many", "49"),
        ("nan", "line 4"),
        ("words", "line 3"),
        ("none", ""),
    ],
)
def test_a_program_that_fails(texts: Path, command: Command, define: Define, seen: Seen, do: str, told: str) -> None:
    file = define("--source", "{source}", "--reference", "{reference}", "--do", do)
    for _ in range(2):  # nothing of the first was kept
        code, out, err = command(*COMPARE, "-m", "overlap", "--scorers", file)
        assert (code, out) == (2, "")
        assert told in err
        assert err.startswith("truegain: overlap: ")
        assert len(seen()) == 48


def test_users_commands_of_comet_are_run_as_they_stand(texts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is known here may be run without its program, where the package is installed."""
    monkeypatch.setattr("truegain.metrics.scorer.package_here", lambda _: "2.2.7")
    file = texts / "scorers.toml"
    file.write_text('[scorer.xl]\ncommand = ["comet-score", "-t", "{output}", "--fast"]\npackage = "unbabel-comet"\n')
    with with_file(str(file)):
        assert not make_metric("xl")._in_process  # type: ignore[attr-defined]
    assert make_metric("comet")._in_process  # type: ignore[attr-defined]
    assert not make_metric("comet:via=program")._in_process  # type: ignore[attr-defined]
    monkeypatch.setattr("truegain.metrics.scorer.package_here", lambda _: "2.2.4")  # its program gives other scores
    assert not make_metric("comet")._in_process  # type: ignore[attr-defined]
    with refused(naming=["2.2.5"]):
        make_metric("comet:via=package")


def test_models_of_comet_must_be_here(
    texts: Path, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = texts / "bin" / "comet-score"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {PROGRAM.with_name("comet_score.py")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    monkeypatch.setenv("HF_HUB_CACHE", str(texts / "hub"))
    code, _, err = command(*COMPARE, "-m", "comet")
    assert code == 2
    assert "--allow-download" in err
    assert command(*COMPARE, "-m", f"comet:model={texts}")[0] == 2
    refs = texts / "hub" / "models--Unbabel--wmt22-comet-da" / "refs"
    refs.mkdir(parents=True)
    (refs / "main").write_text("0123456789abcdef0123\n")
    code, out, err = command(*COMPARE, "-m", "comet", "-f", "json")
    assert code == 0, err
    assert "|model:Unbabel/wmt22-comet-da|revision:0123456789ab|by:unbabel-comet " in out


def test_programs_and_packages_that_are_not_there(
    texts: Path, command: Command, define: Define, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = define(more='package = "no-such-package"')
    code, _, err = command(*COMPARE, "-m", "overlap", "--scorers", file)
    assert code == 2
    assert "no-such-package" in err
    monkeypatch.setenv("PATH", str(texts))
    code, _, err = command(*COMPARE, "-m", "comet:via=program")
    assert code == 2
    assert "pip install unbabel-comet" in err


@pytest.mark.whole
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_too(texts: Path, define: Define, number: int, tmp_path: Path) -> None:
    file = define("--source", "{source}", "--reference", "{reference}", "--do", "wait")
    temporary = texts / "tmp"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    running = subprocess.Popen(
        [sys.executable, "-m", "truegain", *COMPARE, "-m", "overlap", "--scorers", file],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for _ in range(600):
        if (texts / "seen").exists() and len(lines(texts, "seen")) == 48:
            break
        time.sleep(0.1)
    assert any(temporary.iterdir())
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (128 + number, "")
    assert "Traceback" not in err
    assert not any(temporary.iterdir())
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(texts / "seen") not in listed


def test_sources_and_references_that_do_not_fit(texts: Path, command: Command, define: Define) -> None:
    file = define()
    (texts / "longer.txt").write_text("die kleine Katze\n" * 25)
    for given, option in (
        ((*without("--src", "src.txt"), "-m", "overlap", "--scorers", file), "--src"),
        ((*without("--ref", "ref.txt"), "-m", "overlap", "--scorers", file), "--ref"),
        ((*COMPARE, "--ref", "third.txt", "-m", "overlap", "--scorers", file), "overlap"),
        ((*without("--src", "src.txt"), "--src", "longer.txt", "-m", "overlap", "--scorers", file), "longer.txt"),
        ((*COMPARE, "-m", "bleu"), "--src"),
        ((*without("--ref", "ref.txt"), "-m", "scores"), "--src"),
    ):
        code, _, err = command(*given)
        assert (code, option in err) == (2, True), err
    with refused("sources"):
        tg.score(["a"], {"x": ["a"]}, sources=["b"])


@pytest.mark.parametrize("option", [("--scorers", "scorers.toml"), ("--allow-download",)])
def test_options_of_programs_that_do_not_apply(
    texts: Path, command: Command, define: Define, option: tuple[str, ...]
) -> None:
    define()
    (texts / "experiment.toml").write_text(EXPERIMENT.format(metrics='["bleu"]'))
    commands = (
        ("compare", "--ref", "ref.txt", "base.txt", "new.txt"),
        ("run", "experiment.toml"),
        ("agree", "--human", "human.csv", "metric.csv"),
    )
    for given in commands:
        code, _, err = command(*given, *option)
        assert (code, option[0] in err) == (2, True)


@pytest.mark.parametrize("setting", ["model=x", "batch_size=4", "batch_size=0", "gpus=-1", "via=program", "colour=red"])
def test_settings_that_do_not_apply(texts: Path, define: Define, setting: str) -> None:
    with with_file(define()), refused(naming=["overlap"]):
        make_metric(f"overlap:{setting}")


def test_commands_that_score_run_by_run_refuse(
    texts: Path, command: Command, define: Define, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(texts))
    (texts / "truegain").mkdir()
    Path(define("--reference", "{reference}")).rename(texts / "truegain" / "scorers.toml")
    (texts / "dev.nbest").write_text("".join(f"{i} ||| a ||| F= 1\n{i} ||| b ||| F= 2\n" for i in range(24)))
    for given in (("tune", "--ref", "ref.txt", "--nbest", "dev.nbest", "--metric", "overlap", "-o", "tuned"),):
        code, _, err = command(*given)
        assert (code, "overlap" in err) == (2, True), given


def test_metrics_of_programs_are_held_against_people(texts: Path, command: Command, define: Define, seen: Seen) -> None:
    systems = [f"{name}\t{len(name) + i % 3}\n" for name in ("base", "new", "third") for i in range(24)]
    (texts / "human.mqm.seg.score").write_text("".join(systems))
    outputs = [part for name in ("base", "new", "third") for part in ("--outputs", f"{name}.txt")]
    given = ("agree", "--human", "human.mqm.seg.score", "--ref", "ref.txt", "--src", "src.txt", *outputs, "-R", "50")
    code, out, err = command(*given, "-m", "overlap", "-m", "chrf", "--scorers", define())
    assert code == 0, err
    assert "overlap" in out
    assert len(seen()) == 72
    assert command(*given, "-m", "chrf")[0] == 2


# ---- Security


EVIL = ["; touch broken", "$(touch broken)", "`touch broken`", "a b", "x|y", "{result}", "'", '"', "*", "../x"]


@pytest.mark.whole
@pytest.mark.parametrize("value", EVIL)
def test_values_stay_within_their_argument(texts: Path, define: Define, value: str, tmp_path: Path) -> None:
    """The program reads the very value; no shell sees it."""
    show = texts / "show.py"
    show.write_text(
        "import json, pathlib, sys\n"
        f"pathlib.Path({str(texts / 'argv')!r}).write_text(json.dumps(sys.argv[1:]))\n"
        "n = len(open(sys.argv[1]).readlines())\n"
        "open(sys.argv[2], 'w').write('1\\n' * n)\n"
    )
    file = texts / "scorers.toml"
    command = [sys.executable, str(show), "{output}", "{result}", "--model={model}", "{model}"]
    file.write_text(f'[scorer.shown]\ncommand = {json.dumps(command)}\nmodel = "m"\n')
    with with_file(str(file)):
        from truegain.metrics.scorer import Scorer, ScorerSettings

        definition = make_metric("shown").definition  # type: ignore[attr-defined]
        tg.score(None, {"x": [value, "b"]}, metrics=[Scorer(definition, ScorerSettings(value))], cache=None, jobs=1)
    given = json.loads((texts / "argv").read_text())
    assert given[2:] == [f"--model={value}", value]
    assert not (texts / "broken").exists()


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


def test_experiment_files_name_scorers_and_never_define_them(
    texts: Path, command: Command, define: Define, seen: Seen
) -> None:
    file = define()
    experiment = texts / "experiment.toml"
    experiment.write_text(EXPERIMENT.format(metrics='["overlap"]'))
    code, _, err = command("run", "experiment.toml")
    assert (code, "scorers.toml" in err) == (2, True)
    assert command("run", "experiment.toml", "--scorers", file)[0] == 0
    assert len(seen()) == 48
    for metrics in ('["overlap:model=x"]', '["comet:model=evil.ckpt"]', '[{name = "comet", model = "evil.ckpt"}]'):
        experiment.write_text(EXPERIMENT.format(metrics=metrics))
        assert command("run", "experiment.toml", "--scorers", file)[0] == 2
    experiment.write_text(EXPERIMENT.format(metrics='["overlap"]') + '[scorer.overlap]\ncommand = ["touch", "x"]\n')
    code, _, err = command("run", "experiment.toml", "--scorers", file)
    assert code == 2
    assert "scorer" in err
    assert seen() == []


@pytest.mark.parametrize(
    "content",
    [
        '[scorer.x]\ncommand = "rm {output}"',
        "[scorer.x]\ncommand = []",
        '[scorer.x]\ncommand = ["{output}"]',
        '[scorer.x]\ncommand = ["a"]',
        '[scorer.x]\ncommand = ["a", "{outputs}"]',
        '[scorer.x]\ncommand = ["a", "{output}", "{model}"]',
        '[scorer.x]\ncommand = ["a", "{output}"]\nmodel = "-x"',
        '[scorer.x]\ncommand = ["a", "{output}"]\nresult = "xml"',
        '[scorer.x]\ncommand = ["a", "{output}"]\nreads = ["x"]',
        '[scorer.x]\ncommand = ["a", "{jsonl}"]',
        '[scorer.x]\ncommand = ["a", "{output}"]\nlimits = [1]',
        '[scorer.x]\ncommand = ["a", "{output}"]\nreads = ["source"]',
        '[scorer.x]\ncommand = ["a", "{output}", "{reference}"]\nreads = ["source"]',
        '[scorer.bleu]\ncommand = ["a", "{output}"]',
        '[scorer.x]\ncommand = ["a", "{output}"]\nshell = true',
        '[scorer.x]\nlabel = "X"',
        '[scorer.comet]\ncommand = ["a", "{output}"]',
        '[scorer."a b"]\ncommand = ["a", "{output}"]',
        "scorer = 3",
        "[scorers.x]",
        "[scorer.x",
    ],
)
def test_definitions_that_are_refused(folder: Path, content: str) -> None:
    file = folder / "scorers.toml"
    file.write_text(content)
    with with_file(str(file)), refused():
        make_metric("x")


def test_files_that_are_refused(texts: Path, define: Define) -> None:
    file = Path(define())
    file.chmod(0o666)
    for path in (file, texts, texts / "nosuch"):
        with with_file(str(path)), refused(path=path):
            make_metric("overlap")


# ---- How segments reach programs


def test_objects_in_json(texts: Path) -> None:
    """MetricX reads and writes an object per line; lower is better."""
    program = texts / "metric.py"
    program.write_text(
        "import json, sys\n"
        "rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]\n"
        "with open(sys.argv[2], 'w') as out:\n"
        "    for row in rows:\n"
        "        assert sorted(row) == ['hypothesis', 'reference', 'source']\n"
        "        out.write(json.dumps({**row, 'prediction': len(row['hypothesis'])}) + '\\n')\n"
    )
    command = shlex.split(f"{sys.executable} {program} {{jsonl}} {{result}}")
    file = texts / "scorers.toml"
    file.write_text(
        f"[scorer.wrong]\ncommand = {json.dumps(command)}\nreads = ['source', 'reference']\nresult = 'jsonl'\n"
        "column = 'prediction'\nlower_is_better = true\nlimits = [0, 25]\nlabel = 'Wrong'\n"
    )
    with with_file(str(file)):
        result = tg.compare(
            ["r", "s", "t"],
            {"a": ["1\n2", "333", "22"], "b": ["1", "2", "3"]},
            sources=["x", "y", "z"],
            metrics=["wrong"],
            resamples=99,
        )
    assert [one.score for one in result.scores] == [pytest.approx(8 / 3), 1.0]
    assert result.metrics[0].higher_is_better is False
    assert not [one for one in result.notes if one.kind == "line-breaks"]


def test_progress_is_the_programs(texts: Path, define: Define) -> None:
    told: list[tuple[Any, ...]] = []
    with with_file(define()):
        tg.score(
            ["r", "s"],
            {"a": ["x", "y"], "b": ["x", "z"]},
            sources=["1", "2"],
            metrics=["overlap", "chrf"],
            resamples=99,
            progress=lambda *one: told.append(one),
        )
    scoring = [one for one in told if one[0] == "scoring"]
    assert scoring == [("scoring", 1, 2)] * 2
    own = [one for one in told if one[0] == "overlap"]
    assert own[0] == ("overlap", 0, 3)
    assert sum(done for _, done, _ in own) == 3
