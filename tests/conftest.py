"""What tests share: the real data beside the project, where it is, and a cache of their own."""

from __future__ import annotations

import gzip
import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples every time, so that a change is the only reason for a failure; HYPOTHESIS=random looks for others.
# No deadlines: how long an example takes says more about the machine's other work than about the code.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS", "fixed"))

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
#: In the reasons of skips that TRUEGAIN_STRICT allows.
MAY_BE_MISSING = ("--slow", "../shared/data", "is not installed here: another Python")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes")
    parser.addoption("--renew-golden", action="store_true", help="write the files in tests/golden anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="takes minutes; run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Where TRUEGAIN_STRICT is set only minutes, data and other Pythons may be missing: any other skip is a failure."""
    report = yield
    if report.skipped and os.environ.get("TRUEGAIN_STRICT") and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if not any(allowed in reason for allowed in MAY_BE_MISSING):
            report.outcome = "failed"
            report.longrepr = f"skipped where nothing may be (TRUEGAIN_STRICT): {reason}"
    return report


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the user's cache."""
    monkeypatch.setenv("TRUEGAIN_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real system outputs with peers' figures; not part of the project."""
    if not SHARED.is_dir():
        pytest.skip("the real system outputs (../shared/data) are not here")
    return SHARED


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
