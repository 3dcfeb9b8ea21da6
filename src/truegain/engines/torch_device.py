"""A device as torch has it: the library, how precisely it calculates, and how much memory there is."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from truegain.errors import InputError, Setting

_SHARE = 0.25  # of the memory that is free, for one chunk: the libraries take some as well
_PROCESSOR = 64 << 20  # what a chunk takes where there is no GPU, so that it stays near the processor
_LARGEST = 1 << 17


@cache
def load_torch() -> Any:
    """Import torch; refuse clearly if it is not installed."""
    try:
        import torch
    except ImportError:
        raise InputError("the engine needs torch, which is not installed", hint="pip install 'truegain[gpu]'") from None
    return torch


@cache
def fused_programs(device: str) -> Any:
    """Return :mod:`truegain.engines.triton_programs`, or None where Triton builds nothing: the counts are the same.

    That takes a GPU that is not too old, Triton (which torch brings on Linux), and a C compiler; it is tried out. A
    warning says, once for a device, that a GPU goes without, and why.
    """
    torch = load_torch()
    if torch.device(device).type != "cuda":
        return None
    try:
        from truegain.engines import triton_programs

        drawn = triton_programs.count_draws(torch.arange(3, device=device), 1000)
        if bool((drawn.sum(1) == 1000).all()):
            return triton_programs
        why = "what it builds draws wrong numbers of units"
    except Exception as error:  # whatever a compiler, a driver or Triton itself raises
        why = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    warnings.warn(
        f"Triton builds no programs for {device} here, and torch alone counts: the same answer, slower ({why})",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


@contextmanager
def precisely(device: str, jobs: int) -> Iterator[None]:
    """Keep full single precision in products; take no gradients and no more threads than asked for."""
    torch = load_torch()
    precision, threads = torch.get_float32_matmul_precision(), torch.get_num_threads()
    torch.set_float32_matmul_precision("highest")
    if device == "cpu":
        torch.set_num_threads(jobs)
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_float32_matmul_precision(precision)
        torch.set_num_threads(threads)


def room_for(device: str, each: int) -> int:
    """Return how many resamples, of ``each`` bytes, a chunk may have."""
    torch = load_torch()
    if torch.device(device).type == "cuda":
        free = (
            torch.cuda.mem_get_info(device)[0]
            + torch.cuda.memory_reserved(device)
            - torch.cuda.memory_allocated(device)
        )
        room = int(free * _SHARE)
    else:
        room = _PROCESSOR
    return int(np.clip(room // max(each, 1), 1, _LARGEST))


def with_less(work: Callable[[int, int], Any], first: int, last: int) -> list[Any]:
    """Do the work for these resamples; in halves, and halves of these, if the device's memory is too small."""
    torch = load_torch()
    try:
        return [work(first, last)]
    except torch.cuda.OutOfMemoryError:
        if last - first == 1:
            raise InputError(
                "the GPU's memory is too small for a single resample",
                hint=("leave out ", Setting("engine", "torch"), "; or end what else is using the GPU"),
            ) from None
    torch.cuda.empty_cache()
    middle = (first + last) // 2
    return [*with_less(work, first, middle), *with_less(work, middle, last)]
