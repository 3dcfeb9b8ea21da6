"""Compile the kernels; without a working C compiler the package installs all the same and says so."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("src/truegain/kernels")
BUILD = Path("build/cython")
FLAGS = {
    # Comparisons of numbers that are all finite: without these flags gcc leaves such loops one number at a time.
    "pairs": ["-fno-trapping-math", "-fno-signed-zeros", "-ffinite-math-only"],
}
# Built a second time for processors with wider vectors, which kernels.widest() chooses when it runs.
VECTORS = ("draws", "neighbours", "packed_sums", "pairs")
WIDE = VECTORS if platform.machine().lower() in ("x86_64", "amd64") and sys.platform != "win32" else ()
# One build for Python 3.11 and all that follow: Python's stable ABI, which builds without the GIL do not have.
LIMITED = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
OLDEST = "0x030b0000"


def extensions() -> list[Extension]:
    """Every kernel as an optional extension: a failed compilation is not a failed installation."""
    from Cython.Build import cythonize

    modules = [_extension(path, path.stem, []) for path in sorted(KERNELS.glob("[!_]*.py"))]
    for name in WIDE:
        copy = BUILD / f"_{name}_avx2.py"  # C files are named after their sources
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(KERNELS / f"{name}.py", copy)
        modules.append(_extension(copy, name, ["-mavx2"]))
    compiled = cythonize(
        modules,
        build_dir=str(BUILD),
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "annotation_typing": True,
        },
    )
    for extension in compiled:
        extension.optional = True  # cythonize() builds new Extension objects and drops the flag
    return list(compiled)


def _extension(source: Path, name: str, flags: list[str]) -> Extension:
    # On some processors a product and a sum would be one operation, rounded once: not where bits are the same on all.
    exact = ["-ffp-contract=off", "-fno-math-errno"]
    common = ["-O3", "-g0", "-Wno-unused-function", *exact, *FLAGS.get(name, [])]
    return Extension(
        f"truegain.kernels.{source.stem}",
        [str(source)],
        extra_compile_args=[] if sys.platform == "win32" else [*common, *flags],
        define_macros=[("Py_LIMITED_API", OLDEST)] if LIMITED else [],
        py_limited_api=LIMITED,
    )


OPTIONS = {"build_ext": {"parallel": os.cpu_count()}}
setup(
    ext_modules=extensions(),
    options={**OPTIONS, "bdist_wheel": {"py_limited_api": "cp311"}} if LIMITED else OPTIONS,
)
