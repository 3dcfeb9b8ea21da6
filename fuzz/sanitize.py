"""Compile the kernels with gcc's address and undefined-behaviour sanitizers, apart from the others, and try them.

``python -m fuzz.sanitize``: the tests of the kernels and of what calls them, and the texts that fuzzing starts from and
has found. Needs Linux and gcc 9 or newer with its libasan and libubsan. The normal build is not touched: everything is
done in ``build/sanitize``, in a copy of the sources.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["LEVEL", "ROOT", "TESTS", "main"]

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "build" / "sanitize"
_FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g"
LEVEL = "-O3"  # of the build; at this level the checks take minutes to compile, and are the same
TESTS = ("tests/kernels", "tests/text", "tests/fuzz/test_found.py")
_CHOSEN = "(kernels or text or texts) and not sacrebleu and not stress"  # sacreBLEU's own search takes minutes here
_BAD = ("ERROR: AddressSanitizer", "runtime error:")


def main() -> None:
    """Build, make sure that what is tried is what was built, and run the tests."""
    gcc = os.environ.get("CC", "gcc")
    _copy()
    compiling = {**os.environ, "CC": gcc, "CFLAGS": _FLAGS, "LDFLAGS": _FLAGS}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=HOME, env=compiling, check=True)
    libraries = [_library(gcc, name) for name in ("libasan.so", "libubsan.so")]
    running = {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1",  # Python itself is leaky by that measure
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",  # every object in memory of its own, with guarded ends
        "PYTHONPATH": os.pathsep.join([str(HOME / "src"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "OPENBLAS_NUM_THREADS": "1",
    }
    _check_guarded(running)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", _CHOSEN, *sys.argv[1:]]
    answer = subprocess.run([sys.executable, "-m", "pytest", *options, *TESTS], cwd=ROOT, env=running)
    sys.exit(answer.returncode)


def _copy() -> None:
    """Copy the sources without their compiled forms."""
    shutil.rmtree(HOME, ignore_errors=True)
    shutil.copytree(ROOT / "src", HOME / "src", ignore=shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, HOME / name)
    script = (ROOT / "setup.py").read_text()
    if LEVEL not in script:
        sys.exit(f"setup.py does not compile at {LEVEL} any more: nothing to lower here")
    (HOME / "setup.py").write_text(script.replace(LEVEL, "-O1"))


def _library(gcc: str, name: str) -> str:
    """Where gcc has a library; it gives the bare name back where it has none."""
    found = subprocess.run([gcc, f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
    if not Path(found).is_absolute():
        sys.exit(f"{gcc} has no {name}: install gcc's sanitizers (they come with gcc on Debian, Ubuntu and Fedora)")
    return found


def _check_guarded(running: dict[str, str]) -> None:
    """Whether the kernels in use are the guarded ones: a read behind the end of an array must be caught."""
    script = (
        "import numpy as np; from truegain.kernels import draws, run, missing; assert not missing(), missing();"
        f"assert draws.__file__.startswith({str(HOME)!r}), draws.__file__;"
        "run(draws.bootstrap_counts, np.zeros(1, np.uint64), np.zeros((1, 99), np.float32), np.zeros(1, np.uint32))"
    )
    answer = subprocess.run([sys.executable, "-c", script], env=running, capture_output=True, text=True)
    if not any(bad in answer.stderr for bad in _BAD):
        sys.exit(f"the sanitizers do not see a read behind the end of an array:\n{answer.stderr[-2000:]}")


if __name__ == "__main__":
    main()
