"""Totals by torch, on a GPU or on the processor: products that are exact, of the same weights as everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.engines.engine import Counting, Dealing, Engine, Report, Resampling
from truegain.engines.pairs import PairCounts
from truegain.engines.torch_device import fused_programs, load_torch, precisely, room_for, with_less
from truegain.engines.torch_pairs import count_on_device
from truegain.engines.torch_products import Product, sent_statistics
from truegain.engines.torch_weights import dealt_orders
from truegain.engines.totals import Totals, UniqueColumns
from truegain.errors import InputError, Setting
from truegain.executors.over import Workers
from truegain.resampling.generator import resample_keys
from truegain.resampling.streams import Stream

if TYPE_CHECKING:
    from torch import Tensor

_BYTES = 48  # for each unit and resample: random words, draws and weights, with what they are made from
_REDUCED = 1_024  # resamples of a chunk whose totals numpy reduces: small, so that every processor has some


@dataclass(frozen=True)
class TorchEngine(Engine):
    """Engine on a device, ``cuda``, ``cuda:1`` or ``cpu``; threads of this process do what numpy does with the totals.

    Resamples are done as many at once as fit in the device's memory, and fewer if it turns out to be short.
    """

    device: str = field(kw_only=True)

    @classmethod
    def on(cls, device: str | None, jobs: int) -> TorchEngine:
        """Return an engine on a device, or on the GPU there is.

        Raises
        ------
        InputError
            If there is no such device, or no torch.
        """
        torch = load_torch()
        if device is None:
            if not torch.cuda.is_available():
                raise InputError(
                    "there is no GPU that torch can use here",
                    hint=(
                        "leave out ",
                        Setting("engine", "torch"),
                        "; or use torch:cpu, which is slower than the default",
                    ),
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
                f"the device {device!r} cannot be used: its numbers do not have the precision that exact sums need",
                hint="use torch:cuda, torch:cpu, or threads",
            )
        return cls(Workers(jobs), device=device)

    def totals(self, work: Resampling | Counting) -> Totals:
        """See :class:`truegain.engines.engine.Engine`."""
        distinct = UniqueColumns.of(work.table, work.design)
        chunk = min(self._room(work, len(distinct.values)), _REDUCED)
        return _DeviceTotals(self._product(work), distinct, chunk)

    def deals(self, work: Dealing) -> Totals:
        """See :class:`truegain.engines.engine.Engine`."""
        return _DeviceDeals(work, self.device, self.chunk)

    @contextmanager
    def ready(self, totals: Totals, resamples: int, size: int) -> Iterator[None]:
        """See :class:`truegain.engines.engine.Engine`."""
        with precisely(self.device, self.workers.jobs):
            yield

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.engine.Engine`.

        On the device, if every metric can be scored there.
        """
        if any(getattr(block.metric, "score_on_device", None) is None for block in work.blocks):
            return super().count(work, resamples, progress, first=first)
        distinct = UniqueColumns.of(work.table, work.design)
        product = self._product(work)
        kept = 0 if fused_programs(self.device) else sum(question.centres.size for question in work.questions)
        size = min(self._room(work, max(kept, distinct.column.size)), resamples)
        counts = [question.nothing for question in work.questions]

        def counted(start: int, end: int) -> list[PairCounts]:
            totals = product.on_device(start, end)
            return count_on_device(totals, distinct, work.blocks, work.questions, self.workers.jobs)

        with precisely(self.device, self.workers.jobs):
            for start in range(first, first + resamples, size):
                end = min(start + size, first + resamples)
                for found in with_less(counted, start, end):
                    counts = [before + more for before, more in zip(counts, found, strict=True)]
                if progress is not None:
                    progress((end - start) * len(work.questions))
        return counts

    def _product(self, work: Resampling | Counting) -> Product:
        return Product(work.design, self.device, sent_statistics(self.device, work.table, work.design))

    def _room(self, work: Resampling | Counting, columns: int) -> int:
        return self.chunk or room_for(self.device, work.design.units.count * _BYTES + columns * 40)


class _DeviceTotals:
    """Totals from a device: one thread at a time has it, while others reduce what it gave."""

    multiplies = True

    def __init__(self, product: Product, distinct: UniqueColumns, chunk: int) -> None:
        self._product = product
        self._distinct = distinct
        self._lock = Lock()
        self.chunk = chunk

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        with self._lock:
            totals = with_less(self._product.totals, first, end)
        return np.concatenate([self._distinct.spread(part) for part in totals], axis=1)


class _DeviceDeals:
    """Sums of runs that are dealt out again on a device."""

    multiplies = True

    def __init__(self, work: Dealing, device: str, chunk: int | None) -> None:
        torch = load_torch()
        segments, runs, width = work.values.shape
        self._seed = work.seed
        self._device = device
        self._values: Tensor = torch.from_numpy(np.ascontiguousarray(work.values)).to(device)
        self._places = torch.arange(segments, device=device)[:, None]
        self._lock = Lock()
        self.chunk = chunk or room_for(device, segments * runs * (16 * width + 48))

    def __call__(self, first: int, end: int) -> NDArray[np.float64]:
        with self._lock:
            return np.concatenate(with_less(self._sums, first, end))

    def _sums(self, first: int, end: int) -> NDArray[np.float64]:
        segments, runs, _ = self._values.shape
        keys = resample_keys(self._seed, Stream.DEALS, first, end - first)
        order = dealt_orders(keys, segments, runs, self._device)
        return np.asarray(self._values[self._places, order].sum(1).cpu().numpy(), np.float64)
