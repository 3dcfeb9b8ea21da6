"""Check that memory is available before loading a library that aborts without it."""

from __future__ import annotations

import mmap
import sys

#: What numpy and its BLAS take of the address space when they are loaded, and a good deal for everything else.
NUMPY = 112 << 20

#: What a thread takes: its stack, its part of the heap, and what OpenBLAS keeps for it from its first product on. If
#: OpenBLAS gets none it says so and exits with 1, which must not be mistaken for a failed gate.
BLAS_THREAD = 72 << 20


def need(size: int) -> None:
    """Check that ``size`` bytes are available now; none are kept.

    Raises
    ------
    MemoryError
        If they are not.
    """
    if sys.platform == "win32":
        return  # memory is taken at once there, not when it is used
    try:
        mmap.mmap(-1, size).close()
    except (OSError, OverflowError) as error:
        raise MemoryError(f"{size} bytes") from error
