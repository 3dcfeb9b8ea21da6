"""What tests share: a small test set, the command line, the real data beside the project, a cache of their own."""

from __future__ import annotations

import gc
import gzip
import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

from benchmarks.data import REAL_DATA

# The same examples every time, so that a change is the only reason for a failure; HYPOTHESIS=random looks for others.
# No deadlines: how long an example takes says more about the machine's other work than about the code.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS", "fixed"))

ROOT = Path(__file__).resolve().parents[1]
#: In the reasons of skips that TRUEGAIN_STRICT allows.
MAY_BE_MISSING = (
    *("--all", "--slow", "TRUEGAIN_DATA", "is not installed here: another Python"),
    *("no disk can be mounted", "only the superuser can"),
)


#: What needs a browser, LaTeX, Jupyter or a type checker, what the documentation says to run, what tests the tests, and
#: what asks the same question of very many inputs: ``make test-pages`` runs it too.
PAGES = (
    *("e2e/test_docs.py", "e2e/test_gate_page.py", "e2e/test_kinds_of_pages.py", "e2e/test_latex.py"),
    *("e2e/test_net.py", "e2e/test_notebook.py", "e2e/test_people.py", "e2e/test_report_page.py", "e2e/test_site.py"),
    *("test_prose.py", "test_quick.py", "typing"),
    *("fuzz/test_found.py", "inference/test_margins.py", "metamorphic", "procedures/test_borrowed_runs.py"),
    *("procedures/test_kept_gains.py", "scorers/test_programs.py"),
    *("studies/test_alone_and_beside.py", "studies/test_one_question.py"),
)
#: What both leave to ``make test-all``: clusters, other programs, faults of the surroundings, levels of tests,
#: measurements. Files that are named are always run.
ONLY_WITH_ALL = (
    *("benchmarks", "calibration", "faults", "parity"),
    *("engines/test_every_engine.py", "engines/test_torch.py", "engines/test_triton.py"),
    *("fuzz/test_commands.py", "fuzz/test_large.py", "text/test_tokenizers.py"),
)


def only_with_all(*values: Any) -> list[Any]:
    """Mark values of a parameter whose tests ``make test`` leaves to ``make test-all``: others of them say as much."""
    return [pytest.param(value, marks=pytest.mark.whole) for value in values]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run everything, the tests that take minutes too")
    parser.addoption("--pages", action="store_true", help="run the quick tests, and those of pages")
    parser.addoption("--all", action="store_true", help="run everything but the tests that take minutes")
    parser.addoption("--renew-golden", action="store_true", help="write the files in tests/golden anew")


def _only_the_quick(config: pytest.Config) -> bool:
    """Return whether no tests were named, nor all wanted."""
    named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    return not (named or config.getoption("--all") or config.getoption("--slow"))


def _left_out(config: pytest.Config) -> tuple[str, ...]:
    if not _only_the_quick(config):
        return ()
    return ONLY_WITH_ALL if config.getoption("--pages") else ONLY_WITH_ALL + PAGES


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if collection_path in [ROOT / "tests" / name for name in _left_out(config)] else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among some ten thousand tests, all of which stay, while they are collected or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_report_header(config: pytest.Config) -> str | None:
    return f"left to make test-all: {', '.join(_left_out(config))}" if _left_out(config) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    skips = {}
    if not config.getoption("--slow"):
        skips["slow"] = pytest.mark.skip(reason="takes minutes; run with --slow")
    if _only_the_quick(config):
        skips["whole"] = pytest.mark.skip(reason="left to make test-all; run with --all")
    for item in items:
        for kind in skips.keys() & item.keywords.keys():
            item.add_marker(skips[kind])


def _strict(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Where TRUEGAIN_STRICT is set only minutes, data and other Pythons may be missing: any other skip is a failure."""
    if report.skipped and os.environ.get("TRUEGAIN_STRICT") and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if not any(allowed in reason for allowed in MAY_BE_MISSING):
            report.outcome = "failed"
            report.longrepr = f"skipped where nothing may be (TRUEGAIN_STRICT): {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _strict(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A whole file of tests may be skipped too, before any of them is a test."""
    report = yield
    _strict(report)
    return report


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Places for caches, none of which is made before something is kept in it."""
    place = tmp_path_factory.mktemp("caches")
    return (place / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_cache(caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's cache."""
    monkeypatch.setenv("TRUEGAIN_CACHE", str(next(caches)))


@pytest.fixture
def bleu_calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what BLEU was asked to count."""
    from truegain.metrics.bleu import BLEU

    made: list[int] = []
    original = BLEU.statistics

    def counted(self: BLEU, hypotheses: Any, references: Any) -> NDArray[np.int64]:
        made.append(len(hypotheses))
        return original(self, hypotheses, references)

    monkeypatch.setattr(BLEU, "statistics", counted)
    return made


SEGMENTS = 24


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: ref.txt, the systems base.txt, new.txt and third.txt, docs.txt, two files of scores."""
    monkeypatch.chdir(tmp_path)
    for variable in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "TRUEGAIN_CACHE_SIZE"):
        monkeypatch.delenv(variable, raising=False)
    files = {
        "ref.txt": [f"the small cat number {i} sat on the old mat today" for i in range(SEGMENTS)],
        "base.txt": [f"the small cat number {i} sits on {'an' if i % 2 else 'the'} old mat" for i in range(SEGMENTS)],
        "new.txt": [f"the small cat number {i} sat on {'an' if i % 5 else 'the'} old mat" for i in range(SEGMENTS)],
        "third.txt": [f"a small cat number {i} sat on {'an' if i % 3 else 'the'} old mat" for i in range(SEGMENTS)],
        "docs.txt": [f"doc{i // 3}" for i in range(SEGMENTS)],
        "base.scores": [f"{0.5 + i % 7 / 100}" for i in range(SEGMENTS)],
        "new.scores": [f"{0.6 + i % 5 / 100}" for i in range(SEGMENTS)],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    return tmp_path


@pytest.fixture
def command(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: its exit code, what it printed, and what it said."""
    from truegain.cli.main import main

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        code = stop.value.code
        assert isinstance(code, int)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def comet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put a stand-in for comet-score on the PATH; call it for one with other options."""
    from tests.scorers.comet_score import install

    monkeypatch.setenv("PATH", str(folder / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("HF_HUB_CACHE", str(folder / "home" / "hub"))
    install(folder)
    return partial(install, folder)


#: Outside of quotes: pipes, redirections, patterns, variables, several commands in one line.
OF_A_SHELL = re.compile(r"[|&;<>*?$()`{}~\\\[]")


@pytest.fixture
def typed(folder: Path, command: Callable[..., tuple[int, str, str]]) -> Callable[[str], tuple[int, str, str]]:
    """Type a line that the documentation shows; only what takes a shell gets one, since processes start slowly."""

    def run(line: str) -> tuple[int, str, str]:
        if line.startswith("truegain ") and not OF_A_SHELL.search(re.sub(r"'[^']*'|\"[^\"$]*\"", "", line)):
            return command(*shlex.split(line)[1:])
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=folder,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real system outputs with peers' figures; not part of the project."""
    if not REAL_DATA.is_dir():
        pytest.skip("TRUEGAIN_DATA names no folder of public test sets")
    return REAL_DATA


def read_gzip(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")


@pytest.fixture(scope="session")
def wmt17(shared_data: Path) -> tuple[list[str], dict[str, list[str]]]:
    """The reference of newstest2017 en-de and 16 systems, the baseline of the published p-values first."""
    folder = shared_data / "sacrebleu_wmt17_ende"
    order = (folder / "systems.order.txt").read_text().split()
    systems = {name.split(".")[1]: read_gzip(folder / "systems" / f"{name}.de.gz") for name in order}
    return read_gzip(folder / "ref0.de.gz"), systems


@pytest.fixture(scope="session")
def realsumm(shared_data: Path) -> tuple[list[str], dict[str, list[str]]]:
    """The references of 100 documents and the summaries of 25 systems, sentences separated by tabs."""
    folder = shared_data / "realsumm_cnndm"
    systems = {path.name.removesuffix(".txt.gz"): read_gzip(path) for path in sorted((folder / "systems").glob("*"))}
    return read_gzip(folder / "ref.txt.gz"), systems
