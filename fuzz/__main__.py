"""Fuzz every target, or those that are named: ``python -m fuzz --seconds 600``. A table comes last."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass

from fuzz import targets
from fuzz.guided import BROKEN, ROOT

__all__ = ["main"]

_COMMANDS = "command lines"  # not bytes: drawn by Hypothesis, from the options that there are
_TRIED = "truegain-commands-tried"


@dataclass(frozen=True)
class Outcome:
    """What became of a target."""

    target: str
    inputs: int
    seconds: float
    broken: int


def main() -> None:
    """Give every target the same share of the time; end with 1 where anything was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="*", choices=[[], *targets.names()], metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=600, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wanted = given.target or targets.names()
    share = max(1, given.seconds // (len(wanted) + (not given.target)))
    outcomes = [_fuzz(name, share, given.seed) for name in wanted]
    if not given.target:
        outcomes.append(_command_lines(share))
    print("\n| target | inputs | seconds | broken |\n| :-- | --: | --: | --: |")
    for one in outcomes:
        print(f"| {one.target} | {one.inputs:,} | {one.seconds:.0f} | {one.broken} |")
    total = (sum(one.inputs for one in outcomes), sum(one.seconds for one in outcomes))
    broken = sum(one.broken for one in outcomes)
    print(f"| all | {total[0]:,} | {total[1]:.0f} | {broken} |")
    if broken:
        print(f"\nWhat broke is under {BROKEN.relative_to(ROOT)}: mend it, and keep it in tests/fuzz/found/TARGET.")
    sys.exit(broken > 0)


def _fuzz(name: str, seconds: int, seed: int) -> Outcome:
    began = time.monotonic()
    command = [sys.executable, "-m", "fuzz.guided", name, "--seconds", str(seconds), "--seed", str(seed)]
    answer = subprocess.run(command, cwd=ROOT, env=_environment(), capture_output=True, text=True, errors="replace")
    said = answer.stdout + answer.stderr
    counted = re.search(r"stat::number_of_executed_units:\s*(\d+)", said) or re.search(r"Done (\d+) runs", said)
    if answer.returncode:
        print(f"---- {name}\n{_telling(said)}", flush=True)
    return Outcome(name, int(counted[1]) if counted else 0, time.monotonic() - began, int(answer.returncode != 0))


def _telling(said: str) -> str:
    """Return the output without the fuzzer's lines of progress."""
    kept = [line for line in said.splitlines() if not re.match(r"#\d|\s*NEW_FUNC|INFO:", line)]
    return "\n".join(kept[-40:])


def _command_lines(seconds: int) -> Outcome:
    """Run the test of whole command lines again and again with other examples until the time is over."""
    began = time.monotonic()
    inputs = broken = 0
    while not broken and time.monotonic() - began < seconds:
        answer = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "tests/fuzz/test_commands.py"],
            cwd=ROOT,
            env={**_environment(), "HYPOTHESIS": "random", "TRUEGAIN_FUZZ": "1"},
            capture_output=True,
            text=True,
            errors="replace",
        )
        inputs += sum(map(int, re.findall(rf"{_TRIED}: (\d+)", answer.stdout)))
        if answer.returncode:
            broken = 1
            print(f"---- {_COMMANDS}\n{answer.stdout[-6000:]}", flush=True)
    return Outcome(_COMMANDS, inputs, time.monotonic() - began, broken)


def _environment() -> dict[str, str]:
    """One thread for BLAS, and the folder of the project among those that modules come from."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "MPLBACKEND": "agg"}


if __name__ == "__main__":
    main()
