"""Number of threads that this process should use."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

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
