"""A stand-in for ``comet-score``: its options and JSON; scores are how much of the reference an output has.

Besides, ``--seen FILE`` adds what it was given to a file, a line of JSON per segment, ``--until FILE`` waits for that
file, and ``--do WHAT`` does something wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

_MODELS = ("wmt22-comet-da", "wmt22-cometkiwi-da", "XCOMET-XL")


def install(place: Path, *given: str, first: str = "") -> None:
    """Make ``bin/comet-score`` with options of its own, and its models in a hub's cache, ``home/hub``.

    It adds to the file ``seen``. Lines of a shell may come first.
    """
    program = place / "bin" / "comet-score"
    program.parent.mkdir(exist_ok=True)
    # No Python that would have the package.
    own = " ".join([f"{sys.executable} {Path(__file__).resolve()}", '--seen "${0%/*}/../seen"', *given])
    program.write_text(f'#!/bin/sh\n{first}\nexec {own} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    for model in _MODELS:
        refs = place / "home" / "hub" / f"models--Unbabel--{model}" / "refs"
        refs.mkdir(parents=True, exist_ok=True)
        (refs / "main").write_text("0123456789abcdef")


def score(source: str, output: str, reference: str) -> float:
    """Return a number that depends on all texts."""
    words = set(reference.split())
    return len(words & set(output.split())) / max(1, len(words)) + len(output) / 1000 + len(source) / 100_000


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--sources", "--translations", "--references", "--seen", "--do", "--until"):
        parser.add_argument(name, default="")
    for name in ("--model", "--batch_size", "--gpus", "--to_json"):
        parser.add_argument(name, required=True)
    given = parser.parse_args()
    outputs = _lines(given.translations)
    sides = [_lines(path) if path else [""] * len(outputs) for path in (given.sources, given.references)]
    rows = list(zip(sides[0], outputs, sides[1], strict=True))
    with Path(given.seen).open("a", encoding="utf-8") as seen:
        seen.writelines(json.dumps(row) + "\n" for row in rows)
    scores: list[Any] = [score(*row) for row in rows]
    while given.until and not Path(given.until).exists():
        time.sleep(0.05)
    match given.do:
        case "fail":
            print("Loading the model:  50%|#####     | 1/2\rLoading the model: 100%|##########| 2/2", file=sys.stderr)
            sys.exit("no such checkpoint")
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "wait":
            print(" 40%|####", file=sys.stderr, flush=True)
            time.sleep(600)
        case "few":
            scores.pop()
        case "many":
            scores.append(0.5)
        case "nan":
            scores[3] = float("nan")
        case "words":
            scores[2] = "good"
        case "none":
            return
    Path(given.to_json).write_text(json.dumps({given.translations: [{"COMET": one} for one in scores]}))


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").split("\n")[:-1]


if __name__ == "__main__":
    main()
