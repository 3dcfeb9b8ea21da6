"""METEOR beside the program of its authors, once both have their files."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.data import Data
from benchmarks.timing import Row, Skipped
from truegain.metrics.meteor import METEOR
from truegain.metrics.meteor_resources import find_resources

__all__ = ["measure"]

_TARGET = 5.0


def measure(data: Data, *, repeats: int) -> Row | Skipped:
    """Segment scores of all systems; skipped where there is no jar or no java.

    What the program takes for one segment is taken off: that is what it takes to begin.
    """
    jar = find_resources(None).jar
    work = f"extraction, METEOR, {len(data.systems)} systems"
    if jar is None or shutil.which("java") is None:
        return Skipped(work, f"{'its jar' if jar is None else 'java'} is not here")
    wanted = [line.lower() for line in data.reference] * len(data.systems)
    said = [line.lower() for outputs in data.systems.values() for line in outputs]
    metric = METEOR()
    prepared = metric.prepare([wanted])
    theirs, ours = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        rows = metric.statistics(said, prepared)
        ours.append(time.perf_counter() - start)
        seconds, scores = _run(jar, said, wanted)
        theirs.append(seconds - _run(jar, said[:1], wanted[:1])[0])
    agree = bool(np.allclose(metric.score(rows.astype(np.float64)) / 100, scores, rtol=0, atol=1e-9))
    return Row(work, data.name, "ratio", min(theirs), min(ours), _TARGET, agree)


def _run(jar: Path, said: list[str], wanted: list[str]) -> tuple[float, list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in {"said": said, "wanted": wanted}.items():
            Path(folder, name).write_bytes("".join(line + "\n" for line in lines).encode())
        start = time.perf_counter()
        command = ["java", "-Xmx3G", "-jar", str(jar), "said", "wanted", "-l", "en"]
        printed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - start
    return seconds, [float(one) for one in re.findall(r"^Segment \d+ score:\t(\S+)$", printed, re.MULTILINE)]
