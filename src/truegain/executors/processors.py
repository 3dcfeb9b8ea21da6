"""Number of threads that this process should use."""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_LIMITS = Path("/sys/fs/cgroup")


def available_jobs(jobs: int | None) -> int:
    """Return ``jobs``, or by default as many threads as this process may use processors.

    That is the least of the processors it may run on, of what its container is granted, and of ``OMP_NUM_THREADS``,
    by which many batch systems say what a job may take.
    """
    if jobs is not None:
        return jobs
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    granted = [processors, _container_limit(), _told_by_environment()]
    return max(1, min(one for one in granted if one is not None))


def _told_by_environment() -> int | None:
    """Return the first number of ``OMP_NUM_THREADS``, which may be a list, one for each level of nesting."""
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) > 0 else None


def _container_limit() -> int | None:
    """Return the processors that the control group of this process allows, rounded up; of version 2 or version 1."""
    with contextlib.suppress(OSError, ValueError):
        quota, period = (_LIMITS / _own_group().lstrip("/") / "cpu.max").read_text().split()
        return None if quota == "max" else -(-int(quota) // int(period))
    with contextlib.suppress(OSError, ValueError):
        quota = (_LIMITS / "cpu/cpu.cfs_quota_us").read_text()
        period = (_LIMITS / "cpu/cpu.cfs_period_us").read_text()
        return -(-int(quota) // int(period)) if int(quota) > 0 else None
    return None


def _own_group() -> str:
    """Return the path of this process's group from the mount of groups: within a container it is the top."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        number, _, group = line.split(":", 2)
        if number == "0" and (_LIMITS / group.lstrip("/") / "cpu.max").exists():
            return group
    return ""


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep products by BLAS within the thread that asks for them, so that there are no more threads than ours."""
    with _blas().limit(limits=1, user_api="blas"):
        yield


@cache
def _blas() -> ThreadpoolController:
    """Return the BLAS libraries that are loaded; looking for them takes longer than many a resampling."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


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
