"""Without a compiler the package installs, says so, and gives the same numbers.

An installation takes half a minute; that the numbers are the same is tested on the edge cases each time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def plain_install(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation from a clean copy of the sources, with a compiler that always fails."""
    folder = tmp_path_factory.mktemp("plain")
    source = folder / "source"
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", source / "src", ignore=ignored)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    target = folder / "installed"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    no_compiler = {**os.environ, "CC": "/bin/false", "CXX": "/bin/false"}
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--target", str(target), str(source)],
        env=no_compiler,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not list(target.rglob("*.so"))
    return target


def truegain(target: Path | None, *arguments: str) -> str:
    """Run the command line, of the plain installation or of this one."""
    environment = dict(os.environ)
    if target is not None:
        environment["PYTHONPATH"] = str(target)
    done = subprocess.run(
        [sys.executable, "-m", "truegain", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=target,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_says_so(plain_install: Path) -> None:
    names = ", ".join(sorted(path.stem for path in (ROOT / "src/truegain/kernels").glob("[!_]*.py")))
    assert f"NO compiled kernels ({names})" in truegain(plain_install, "--version")
    assert "(compiled kernels)" in truegain(None, "--version")


@pytest.mark.parametrize("asked", [("compare", "ar"), ("compare", "bootstrap"), ("rank", "bootstrap")], ids="-".join)
def test_same_numbers(plain_install: Path, tmp_path: Path, asked: tuple[str, str]) -> None:
    sample = ROOT / "src" / "truegain" / "sample"
    for name in ("ref.1", "ref.2", "baseline.1", "better.1"):
        head = (sample / f"{name}.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:40]
        (tmp_path / f"{name}.txt").write_text("".join(head), encoding="utf-8")
    metrics = [
        option for one in ("bleu", "chrf:word_order=2", "ter", "wer", "rougel:stem=true") for option in ("-m", one)
    ]
    arguments = [asked[0], "--no-cache", "-f", "json", "-R", "500", "--test", asked[1], *metrics]
    files = [f"--ref={tmp_path}/ref.1.txt", f"--ref={tmp_path}/ref.2.txt"]
    systems = [f"{tmp_path}/baseline.1.txt", f"{tmp_path}/better.1.txt"]
    plain = truegain(plain_install, *arguments, *files, *systems)
    assert plain == truegain(None, *arguments, *files, *systems)
