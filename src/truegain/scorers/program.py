"""Scoring of segments by comet-score: files for it to read, its command, its scores."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, printable
from truegain.executors.cleanup import TMPDIR, private_folder
from truegain.scorers.definition import PACKAGE, PROGRAM, Definition

_POLL = 0.2  # seconds between looks at the program
_PATIENCE = 5.0  # seconds that a program has to end when it is asked to
_LAST_LINES = 12
_LAST_BYTES = 8192
_PERCENT = re.compile(rb"(\d{1,3})%")
_BREAKS = re.compile(r"[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


@dataclass(frozen=True)
class Segments:
    """Outputs to be scored, with their sources and references as far as they are known."""

    outputs: Sequence[str]
    sources: Sequence[str] | None = None
    references: Sequence[str] | None = None

    def __len__(self) -> int:
        return len(self.outputs)


def find_program(definition: Definition) -> str:
    """Return where the program is.

    Raises
    ------
    InputError
        If it is not installed.
    """
    found = shutil.which(PROGRAM)
    if found is None:
        raise InputError(
            f"{definition.label} is computed by the program {PROGRAM!r}, which is not installed",
            hint=(
                f"pip install {PACKAGE}, or score with it elsewhere, and give the scores: ",
                Setting("metrics", ("scores",)),
            ),
        )
    return found


def has_gpu() -> bool:
    """Return whether the machine seems to have a GPU that a program could use."""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1")
    return Path("/dev/nvidiactl").exists() and not hidden


def offline() -> dict[str, str]:
    """Return the environment in which no model is fetched from a hub."""
    return {**os.environ, "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


def run_program(
    definition: Definition,
    segments: Segments,
    *,
    model: str,
    batch_size: int,
    gpus: int,
    downloads: bool = False,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """Score segments by the program, in one call.

    Parameters
    ----------
    definition : Definition
    segments : Segments
    model : str
        A name in the hub's cache, or the absolute path of a checkpoint.
    batch_size, gpus : int
    downloads : bool
        The program may fetch its model.
    progress : callable, optional
        Called with how many segments were scored since it was last called, if the program tells by a percentage.

    Raises
    ------
    InputError
        If it is not installed, fails, is killed, or does not give a finite number for every segment.
    """
    program = find_program(definition)
    with private_folder("truegain-scorer-") as folder:
        result, log = folder / "result.json", folder / "log"
        command = [program]
        texts = {"translations": segments.outputs, "sources": segments.sources, "references": segments.references}
        with ExitStack() as opened:
            try:
                for name, lines in texts.items():
                    if lines is not None:
                        command += [f"--{name}", str(_written(folder / f"{name}.txt", lines))]
                said = opened.enter_context(log.open("wb"))
            except OSError as error:
                raise InputError(
                    f"the files that a program reads cannot be written: {error.strerror or error}", hint=TMPDIR
                ) from error
            command += ["--model", model, "--batch_size", str(batch_size), "--gpus", str(gpus)]
            code = _run([*command, "--to_json", str(result)], said, downloads, folder, log, len(segments), progress)
        if code != 0:
            raise _failed(definition, f"ended with exit code {code}" if code > 0 else _killed(code), log)
        if not result.is_file():
            raise _failed(definition, "wrote no scores", log)
        return checked(_read(result, definition), definition, len(segments))


def _written(path: Path, lines: Sequence[str]) -> Path:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{one_line(line)}\n" for line in lines)
    return path


def _read(path: Path, definition: Definition) -> NDArray[np.float64]:
    """Read the scores that the program wrote: a list of objects, by the file of outputs."""
    try:
        (rows,) = json.loads(path.read_text("utf-8")).values()
        return np.array([float(row["COMET"]) for row in rows], np.float64)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise InputError(
            f"{definition.label}: the result of {PROGRAM!r} cannot be read: {error!r}"[:200],
            hint="nothing of it was kept",
        ) from error


def one_line(text: str) -> str:
    """Return a text as one line: programs read a segment per line, so a break within it becomes a space."""
    return _BREAKS.sub(" ", text)


def _run(
    command: list[str],
    said: IO[bytes],
    downloads: bool,
    place: Path,
    log: Path,
    total: int,
    progress: Callable[[int], None] | None,
) -> int:
    environment = dict(os.environ) if downloads else offline()
    try:
        # A session of its own: the program and what it starts can be ended together.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=place,  # not this folder, from which Python may import before anything else
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise InputError(f"{command[0]} cannot be run: {error.strerror or error}") from error
    done = 0
    try:
        while process.poll() is None:
            time.sleep(_POLL)
            if progress is not None and (now := _done(log, total)) > done:
                progress(now - done)
                done = now
    finally:
        _end(process)
    if progress is not None:
        progress(total - done)
    return process.returncode


def _done(log: Path, total: int) -> int:
    """Return how many segments were scored, by the last percentage that the program has printed."""
    found = _PERCENT.findall(_tail(log))
    return min(total, total * int(found[-1]) // 100) if found else 0


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and all that it started, if they still run."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _killed(code: int) -> str:
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}" + (": was there enough memory?" if -code == signal.SIGKILL else "")


def _tail(log: Path) -> bytes:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - _LAST_BYTES))
        return stream.read()


def _failed(definition: Definition, what: str, log: Path) -> InputError:
    lines = [line.split("\r")[-1].rstrip() for line in _tail(log).decode("utf-8", "replace").split("\n")]
    last = [f"\n    {printable(line)[:200]}" for line in lines if line.strip()][-_LAST_LINES:]
    said = f"; its last lines:{''.join(last)}" if last else " and said nothing"
    return InputError(
        f"{definition.label}: the program {PROGRAM!r} {what}{said}",
        hint="nothing of it was kept; scores of other segments are still in the cache",
    )


def checked(scores: NDArray[np.float64], definition: Definition, expected: int) -> NDArray[np.float64]:
    """Return the scores, if there is a finite one for every segment."""
    if len(scores) != expected:
        raise InputError(
            f"{definition.label}: {PROGRAM!r} gave {len(scores):,} scores for {expected:,} segments",
            hint="nothing of it was kept",
        )
    if not np.isfinite(scores).all():
        place = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise InputError(
            f"{definition.label}: {PROGRAM!r} gave {scores[place]} for segment {place + 1:,} of those it was given; "
            "finite numbers were expected",
            hint="nothing of it was kept",
        )
    return scores
