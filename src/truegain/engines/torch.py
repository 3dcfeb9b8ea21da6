"""Totals by torch, on a GPU or on the processor: products that are exact, of the same weights as everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Reduce, Report, count_by_scores, side_by_side
from truegain.engines.distinct import EXACT_SINGLE, Distinct, reach
from truegain.engines.pairs import PairCounts, PairQuestion
from truegain.engines.torch_pairs import count_on_device
from truegain.engines.torch_weights import dealt_orders, weights
from truegain.errors import InputError
from truegain.executors.threads import Threads
from truegain.resampling.design import DEAL_STREAM, Design
from truegain.resampling.generator import resample_keys
from truegain.resampling.units import UnitTable
from truegain.statistics import Block

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Product", "TorchEngine", "sent_statistics"]

_EXACT_HALF = 2048.0  # whole numbers up to it are exact in half precision
_SHARE = 0.25  # of the memory that is free, for one chunk: the libraries take some as well
_BYTES = 48  # for each unit and resample: random words, draws and weights, with what they are made from
_PROCESSOR = 64 << 20  # what a chunk takes where there is no GPU, so that it stays near the processor
_LARGEST = 1 << 15


@dataclass(frozen=True)
class TorchEngine:
    """A device: ``cuda``, ``cuda:1`` or ``cpu``.

    Parameters
    ----------
    device : str
    jobs : int
        Threads of this process, for what numpy does with the totals.
    chunk : int, optional
        Resamples done at once; by default as many as memory has room for, and fewer where it turns out to be short.
    """

    device: str
    jobs: int = 1
    chunk: int | None = None

    @classmethod
    def on(cls, device: str | None, jobs: int) -> TorchEngine:
        """An engine on a device, or on the GPU there is.

        Raises
        ------
        InputError
            Where there is no such device, or no torch.
        """
        torch = _torch()
        if device is None:
            if not torch.cuda.is_available():
                raise InputError(
                    "there is no GPU that torch can use here",
                    hint="leave out --engine torch; or use torch:cpu, which is slower than the default",
                )
            device = "cuda"
        try:
            found = torch.device(device)
            usable = found.type in ("cpu", "cuda")
            if usable:
                torch.zeros(1, device=found).item()
        except (RuntimeError, AssertionError) as error:
            said = str(error).splitlines()[0]
            raise InputError(
                f"torch cannot use the device {device!r}: {said}", hint="use torch:cpu, or threads"
            ) from None
        if not usable:
            raise InputError(
                f"the device {device!r} cannot be used: its numbers have not the precision that exact sums need",
                hint="use torch:cuda, torch:cpu, or threads",
            )
        return cls(device, jobs)

    @property
    def executor(self) -> Threads:
        """See :class:`truegain.engines.base.Engine`."""
        return Threads(self.jobs)

    def resample(
        self,
        design: Design,
        table: UnitTable,
        resamples: int,
        reduce: Reduce,
        progress: Report | None = None,
        *,
        first: int = 0,
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        distinct = Distinct.of(table, design)
        product = Product(design, self.device, sent_statistics(self.device, table, design))
        end = first + resamples
        size = self._size(design, len(distinct.values), resamples)
        lock = Lock()

        def work(start: int) -> NDArray[np.float64]:
            last = min(start + size, end)
            with lock:  # one chunk at a time is on the device, while numpy reduces others
                totals = _with_less(product.totals, start, last)
            return np.concatenate([reduce(distinct.spread(one)) for one in totals], axis=1)

        with _precisely(self.device, self.jobs):
            return side_by_side(self.executor.map(work, range(first, end, size)), resamples, progress)

    def deal(
        self,
        seed: int,
        values: NDArray[np.int64],
        resamples: int,
        reduce: Reduce,
        progress: Report | None = None,
        *,
        first: int = 0,
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        torch = _torch()
        segments, runs, width = values.shape
        sent = torch.from_numpy(np.ascontiguousarray(values)).to(self.device)
        places = torch.arange(segments, device=self.device)[:, None]
        size = self.chunk or _room(self.device, segments * runs * (16 * width + 48), resamples)
        end = first + resamples

        def sums(start: int, last: int) -> NDArray[np.float64]:
            keys = resample_keys(seed, DEAL_STREAM, start, last - start)
            order = dealt_orders(keys, segments, runs, self.device)
            return np.asarray(sent[places, order].sum(1).cpu().numpy(), np.float64)

        parts = (
            np.concatenate([reduce(one) for one in _with_less(sums, start, min(start + size, end))], axis=1)
            for start in range(first, end, size)
        )
        return side_by_side(parts, resamples, progress)

    def count(
        self,
        design: Design,
        table: UnitTable,
        blocks: Sequence[Block],
        questions: Sequence[PairQuestion],
        resamples: int,
        progress: Report | None = None,
        *,
        first: int = 0,
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`.

        On the device, where every metric can be scored there.
        """
        if any(getattr(block.metric, "score_on_device", None) is None for block in blocks):
            return count_by_scores(
                self, design, table, blocks, questions, resamples, progress, first=first, jobs=self.jobs
            )
        distinct = Distinct.of(table, design)
        product = Product(design, self.device, sent_statistics(self.device, table, design))
        size = self._size(design, sum(question.centres.size for question in questions), resamples)
        counts = [question.nothing for question in questions]
        with _precisely(self.device, self.jobs):
            for start in range(first, first + resamples, size):
                last = min(start + size, first + resamples)

                def counted(start: int, last: int) -> list[PairCounts]:
                    return count_on_device(product.on_device(start, last), distinct, blocks, questions, self.jobs)

                for found in _with_less(counted, start, last):
                    counts = [before + one for before, one in zip(counts, found, strict=True)]
                if progress is not None:
                    progress((last - start) * len(questions))
        return counts

    def _size(self, design: Design, columns: int, resamples: int) -> int:
        return self.chunk or _room(self.device, design.units.count * _BYTES + columns * 40, resamples)


def sent_statistics(device: str, table: UnitTable, design: Design) -> Tensor:
    """The distinct columns of a table on a device, in the least precision in which products are exact; kept with it."""
    kind = f"on {device}, {design.scheme}"
    found: Tensor | None = table.kept.get(kind)
    if found is not None:
        return found
    torch = _torch()
    values = Distinct.of(table, design).values
    single = reach(design, values) < EXACT_SINGLE
    small = max(np.abs(values).max(initial=0.0), float(design.units.count)) <= _EXACT_HALF
    if single and small and halves_are_exact(device):
        precision = torch.float16
    else:
        precision = torch.float32 if single else torch.float64
    made: Tensor = torch.from_numpy(np.ascontiguousarray(values.T)).to(device).to(precision)
    table.kept[kind] = made
    return made


@dataclass(frozen=True)
class Product:
    """Weights times statistics (units, columns) on a device."""

    design: Design
    device: str
    values: Tensor

    def on_device(self, first: int, last: int) -> Tensor:
        """Totals of resamples, shape (resamples, columns), in float64."""
        torch = _torch()
        drawn = weights(self.design, self.design.keys(first, last), self.device).to(self.values.dtype)
        if self.values.dtype == torch.float16:
            return torch.mm(drawn, self.values, out_dtype=torch.float32).double()
        return torch.mm(drawn, self.values).double()

    def totals(self, first: int, last: int) -> NDArray[np.float64]:
        """The same as numpy has them, shape (columns, resamples)."""
        return np.ascontiguousarray(self.on_device(first, last).T.contiguous().cpu().numpy())


@cache
def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise InputError("the engine needs torch, which is not installed", hint="pip install 'truegain[gpu]'") from None
    return torch


@cache
def halves_are_exact(device: str) -> bool:
    """Whether products of half precision are summed in single precision here, which is tried, not only promised."""
    torch = _torch()
    if torch.device(device).type != "cuda":
        return False
    generator = np.random.default_rng(24)
    rows = generator.integers(0, 9, (128, 2000)).astype(np.float64)
    columns = generator.integers(0, 2049, (2000, 96)).astype(np.float64)
    columns[:, :48] = generator.integers(0, 2, (2000, 48)) * 2047 + 1
    try:
        left, right = (torch.from_numpy(one).to(device).to(torch.float16) for one in (rows, columns))
        found = torch.mm(left, right, out_dtype=torch.float32)
    except (TypeError, RuntimeError):  # an older torch, or an older device
        return False
    return bool((found.double().cpu().numpy() == rows @ columns).all())


@contextmanager
def _precisely(device: str, jobs: int) -> Iterator[None]:
    """Products of single precision as such, not in fewer bits; no gradients; no more threads than were asked for."""
    torch = _torch()
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


def _room(device: str, each: int, resamples: int) -> int:
    """How many resamples a chunk may have, of so many bytes each."""
    torch = _torch()
    if torch.device(device).type == "cuda":
        free = (
            torch.cuda.mem_get_info(device)[0]
            + torch.cuda.memory_reserved(device)
            - torch.cuda.memory_allocated(device)
        )
        room = int(free * _SHARE)
    else:
        room = _PROCESSOR
    return int(np.clip(room // max(each, 1), 1, min(_LARGEST, resamples)))


def _with_less(work: Callable[[int, int], Any], first: int, last: int) -> list[Any]:
    """Do the work for these resamples; in halves, and halves of these, where the device's memory is too short."""
    torch = _torch()
    try:
        return [work(first, last)]
    except torch.cuda.OutOfMemoryError:
        if last - first == 1:
            raise InputError(
                "the GPU's memory is too short for a single resample",
                hint="leave out --engine torch; or end what else is using the GPU",
            ) from None
    torch.cuda.empty_cache()
    middle = (first + last) // 2
    return [*_with_less(work, first, middle), *_with_less(work, middle, last)]
