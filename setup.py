"""Compile the kernels; without a working C compiler the package installs all the same and says so."""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("src/truegain/kernels")


def extensions() -> list[Extension]:
    """Every kernel as an optional extension: a failed compilation is not a failed installation."""
    from Cython.Build import cythonize

    modules = [
        Extension(
            f"truegain.kernels.{path.stem}",
            [str(path)],
            extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-fno-math-errno", "-Wno-unused-function"],
        )
        for path in sorted(KERNELS.glob("[!_]*.py"))
    ]
    compiled = cythonize(
        modules,
        build_dir="build/cython",
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


setup(ext_modules=extensions())
