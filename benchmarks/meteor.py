"""METEOR beside the program of its authors: once both have their files, and with their starts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.data import Data
from benchmarks.timing import Row, Skipped, program, run_command
from truegain.metrics.meteor import METEOR
from truegain.metrics.meteor_resources import find_resources

__all__ = ["measure", "measure_commands"]

_TARGET = 5.0
_COMMAND_TARGET = 10.0
_START_LIMIT = 0.1


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
        seconds, scores, _ = _run(jar, said, wanted)
        theirs.append(seconds - _run(jar, said[:1], wanted[:1])[0])
    agree = bool(np.allclose(metric.score(rows.astype(np.float64)) / 100, scores, rtol=0, atol=1e-9))
    return Row(work, data.name, "ratio", min(theirs), min(ours), _TARGET, agree)


def measure_commands(data: Data, folder: Path, *, repeats: int) -> Iterator[Row | Skipped]:
    """Whole commands by the clock, beside the program once per system; and the start of METEOR alone.

    The table of paraphrases was kept by an earlier command, on other texts.
    """
    jar = find_resources(None).jar
    work = f"whole command, METEOR with its start, {len(data.systems)} systems, by the clock"
    if jar is None or shutil.which("java") is None:
        yield Skipped(work, f"{'its jar' if jar is None else 'java'} is not here")
        return
    wanted = [line.lower() for line in data.reference]
    systems = [[line.lower() for line in outputs] for outputs in data.systems.values()]
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"ref": wanted, **{f"{i}": outputs for i, outputs in enumerate(systems)}}
    for name, some in {"few": slice(9), "others": slice(9, 18)}.items():
        texts |= {name: systems[0][some], f"ref.{name}": wanted[some]}
    for name, lines in texts.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def score(cache: Path, metric: str, reference: str, *outputs: str) -> tuple[float, str]:
        command = [program("truegain"), "score", "-R", "20", "-f", "json", "-j", "1", "-m", metric, "--ref"]
        paths = [folder / f"{name}.txt" for name in (reference, *outputs)]
        found = run_command([*command, *paths], TRUEGAIN_CACHE=str(cache))
        return found.wall, found.output

    def second(metric: str, *names: str) -> tuple[float, str]:
        """Score with the table that was kept, and with no scores of an earlier round."""
        with tempfile.TemporaryDirectory() as place:
            return score(Path(shutil.copytree(folder / "cache", place, dirs_exist_ok=True)), metric, *names)

    score(folder / "cache", "meteor", "ref.others", "others")
    theirs, ours, starts = [], [], []
    for _ in range(repeats):
        peer = [_run(jar, outputs, wanted) for outputs in systems]
        theirs.append(sum(seconds for seconds, _, _ in peer))
        seconds, printed = second("meteor", "ref", *map(str, range(len(systems))))
        ours.append(seconds)
        starts.append(second("meteor", "ref.few", "few")[0] - second("bleu", "ref.few", "few")[0])
    scores = [one["score"] / 100 for one in json.loads(printed)["systems"]]
    agree = bool(np.allclose(scores, [score for _, _, score in peer], rtol=0, atol=1e-9))
    yield Row(work, data.name, "ratio", min(theirs), min(ours), _COMMAND_TARGET, agree)
    yield Row("METEOR's start in a second command, by the clock", "", "seconds", None, min(starts), _START_LIMIT)


def _run(jar: Path, said: list[str], wanted: list[str]) -> tuple[float, list[float], float]:
    """Return the seconds that the program took, the scores of segments, and that of the text."""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in {"said": said, "wanted": wanted}.items():
            Path(folder, name).write_bytes("".join(line + "\n" for line in lines).encode())
        start = time.perf_counter()
        command = ["java", "-Xmx3G", "-jar", str(jar), "said", "wanted", "-l", "en"]
        printed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
        seconds = time.perf_counter() - start
    of_segments = re.findall(r"^Segment \d+ score:\t(\S+)$", printed, re.MULTILINE)
    (final,) = re.findall(r"^Final score:\s+(\S+)$", printed, re.MULTILINE)
    return seconds, [float(one) for one in of_segments], float(final)
