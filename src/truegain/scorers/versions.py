"""Versions of programs and models: what a score depends on besides the texts."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from truegain.errors import InputError
from truegain.scorers.definition import PACKAGE, PROGRAM, Definition

_VERSION = f"import importlib.metadata as m; print(m.version({PACKAGE!r}))"
_MOST_FILES = 10_000
_SECONDS = 30.0


def package_here() -> str | None:
    """Return the version of the package in this interpreter; None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return None


def program_version(definition: Definition) -> str:
    """Return the version of the program: that of its package, or else a hash of its size and time.

    Raises
    ------
    InputError
        If its package is not installed where it runs.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        return "unknown"
    python = _interpreter(program)
    if python is None:
        return _stamp([Path(program)])
    told = _told(python)
    if not told:
        raise InputError(
            f"{definition.label}: the package {PACKAGE!r} is not installed where {program} runs",
            hint=f"pip install {PACKAGE}, in the environment of that program",
        )
    return told


def _stamp(files: Sequence[Path]) -> str:
    """Return a short hash of the names, sizes and times of files."""
    whole = hashlib.blake2b(digest_size=6)
    for file in files:
        found = file.resolve().stat()
        whole.update(f"{file.name}\n{found.st_size}\n{found.st_mtime_ns}\n".encode())
    return whole.hexdigest()


@lru_cache
def _told(python: str) -> str:
    """Return the version of the package that a Python has; empty if it has none."""
    try:
        # Not in this folder, from which Python would import before anything else.
        run = subprocess.run(
            [python, "-c", _VERSION], cwd=os.sep, capture_output=True, timeout=_SECONDS, check=False, text=True
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    return run.stdout.strip() if run.returncode == 0 and run.stdout.strip().isprintable() else ""


def _interpreter(program: str) -> str | None:
    """Return the Python that the first line of a program names."""
    try:
        with Path(program).open("rb") as stream:
            first = stream.readline(512)
    except OSError:
        return None
    named = first.removeprefix(b"#!").decode("utf-8", "replace").strip()
    return named if first.startswith(b"#!") and Path(named).name.startswith("python") else None


def model_revision(model: str) -> str:
    """Return what tells versions of a model apart; empty if nothing is known of it.

    Of a file or a folder it is a hash of sizes and times, of a name the commit in the hub's cache.
    """
    path = Path(model)
    try:
        if path.is_dir():
            return _stamp([one for one in sorted(path.rglob("*"))[:_MOST_FILES] if one.is_file()])
        if path.exists():
            return _stamp([path])
    except (OSError, ValueError):
        return ""
    try:
        name = (hub_folder() / f"models--{model.replace('/', '--')}" / "refs" / "main").read_text("ascii").strip()
    except (OSError, ValueError, RuntimeError):
        return ""
    return name[:12] if name.isalnum() else ""


def hub_folder() -> Path:
    """Return the folder in which the hub's library keeps models."""
    for variable, below in (("HF_HUB_CACHE", ""), ("HUGGINGFACE_HUB_CACHE", ""), ("HF_HOME", "hub")):
        if given := os.environ.get(variable):
            return Path(given) / below
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "huggingface" / "hub"
