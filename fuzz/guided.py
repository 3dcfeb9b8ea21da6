"""Fuzz one target, guided by coverage: ``python -m fuzz.guided TARGET --seconds 30``.

New inputs are kept in ``build/fuzz``; one that breaks the target, takes longer than ten seconds or needs more than two
gigabytes ends the run and is kept in ``build/fuzz/broken/TARGET``.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from fuzz import targets

__all__ = ["BROKEN", "FOUND", "SEEDS", "main"]

ROOT = Path(__file__).resolve().parents[1]
SEEDS = ROOT / "fuzz" / "seeds"
FOUND = ROOT / "tests" / "fuzz" / "found"
BROKEN = ROOT / "build" / "fuzz" / "broken"
_CORPUS = ROOT / "build" / "fuzz" / "corpus"
_LONGEST = 4096


def main() -> None:
    """Fuzz until the time is over, or something breaks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=targets.names())
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    import atheris

    start = [path for home in (SEEDS, FOUND) for path in sorted((home / given.target).glob("*"))]
    with atheris.instrument_imports(include=["truegain"]):
        target = targets.load(given.target)
        for path in start:  # whatever is imported late is imported here, and so watched
            target.check(path.read_bytes())

    def mutated(data: bytes, longest: int, seed: int) -> bytes:
        generator = random.Random(seed)
        found = target.changed(data, generator) if generator.random() < 0.9 else None
        if found is None or len(found) > longest:
            return bytes(atheris.Mutate(data, longest))
        return bytes(found)

    corpus, broken = _CORPUS / given.target, BROKEN / given.target
    for folder in (corpus, broken):
        folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={given.seconds}",
        f"-max_len={getattr(target, 'LONGEST', _LONGEST)}",
        f"-seed={given.seed}",
        f"-artifact_prefix={broken}/",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
    ]
    if hasattr(target, "WORDS"):
        words = corpus.parent / f"{given.target}.dict"
        spelled = ("".join(f"\\x{byte:02x}" for byte in word) for word in target.WORDS)
        words.write_text("".join(f'"{word}"\n' for word in spelled))
        options.append(f"-dict={words}")
    folders = [str(home / given.target) for home in (SEEDS, FOUND) if (home / given.target).is_dir()]
    arguments = [sys.argv[0], *options, str(corpus), *folders]
    if hasattr(target, "changed"):
        atheris.Setup(arguments, target.check, custom_mutator=mutated)
    else:
        atheris.Setup(arguments, target.check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
