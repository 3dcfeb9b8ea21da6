"""The machine: what was measured on it, and how many processes it has room for."""

from __future__ import annotations

import argparse
import os
import platform
from importlib.metadata import version
from pathlib import Path

__all__ = ["add_jobs", "describe_machine"]

_NAMED = ("truegain", "sacrebleu", "numpy")


def describe_machine() -> str:
    """Processor, cores and versions."""
    versions = ", ".join(f"{name} {version(name)}" for name in _NAMED)
    return f"{_processor()}, {os.cpu_count()} cores; Python {platform.python_version()}, {versions}"


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes, on which no result depends."""
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    found = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = found.get("model name") or platform.processor() or platform.machine()
    model = f" (family {found['cpu family']}, model {found['model']})" if "cpu family" in found else ""
    return name + model
