"""Totals by torch, on a GPU or on the processor: products that are exact, of the same weights as everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Report, count_by_scores, side_by_side
from truegain.engines.pairs import PairCounts
from truegain.engines.torch_device import fused_programs, load_torch, precisely, room_for, with_less
from truegain.engines.torch_pairs import count_on_device
from truegain.engines.torch_products import Product, sent_statistics
from truegain.engines.torch_weights import dealt_orders
from truegain.engines.unique_columns import UniqueColumns
from truegain.engines.work import Counting, Dealing, Resampling
from truegain.errors import InputError, Setting
from truegain.executors.threads import Threads
from truegain.resampling.generator import resample_keys
from truegain.resampling.streams import Stream

_BYTES = 48  # for each unit and resample: random words, draws and weights, with what they are made from
_REDUCED = 1_024  # resamples of a chunk whose totals numpy reduces: small, so that every processor has some


@dataclass(frozen=True)
class TorchEngine:
    """Engine on a device: ``cuda``, ``cuda:1`` or ``cpu``.

    Parameters
    ----------
    device : str
    jobs : int
        Threads of this process, for what numpy does with the totals.
    chunk : int, optional
        Resamples done at once; by default as many as fit in memory, and fewer if memory turns out to be short.
    """

    device: str
    jobs: int = 1
    chunk: int | None = None

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
        return cls(device, jobs)

    @property
    def executor(self) -> Threads:
        """See :class:`truegain.engines.base.Engine`."""
        return Threads(self.jobs)

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        distinct = UniqueColumns.of(work.table, work.design)
        product = self._product(work)
        end = first + resamples
        size = min(self._size(work, len(distinct.values), resamples), _REDUCED)
        lock = Lock()

        def done(start: int) -> NDArray[np.float64]:
            last = min(start + size, end)
            with lock:  # one chunk at a time is on the device, while numpy reduces others
                totals = with_less(product.totals, start, last)
            return np.concatenate([work.reduce(distinct.spread(one)) for one in totals], axis=1)

        with precisely(self.device, self.jobs):
            return side_by_side(self.executor.map(done, range(first, end, size)), resamples, progress)

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        torch = load_torch()
        segments, runs, width = work.values.shape
        sent = torch.from_numpy(np.ascontiguousarray(work.values)).to(self.device)
        places = torch.arange(segments, device=self.device)[:, None]
        size = self.chunk or room_for(self.device, segments * runs * (16 * width + 48), resamples)
        end = first + resamples

        def sums(start: int, last: int) -> NDArray[np.float64]:
            keys = resample_keys(work.seed, Stream.DEALS, start, last - start)
            order = dealt_orders(keys, segments, runs, self.device)
            return np.asarray(sent[places, order].sum(1).cpu().numpy(), np.float64)

        parts = (
            np.concatenate([work.reduce(one) for one in with_less(sums, start, min(start + size, end))], axis=1)
            for start in range(first, end, size)
        )
        with precisely(self.device, self.jobs):
            return side_by_side(parts, resamples, progress)

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`.

        On the device, if every metric can be scored there.
        """
        if any(getattr(block.metric, "score_on_device", None) is None for block in work.blocks):
            return count_by_scores(self, work, resamples, progress, first=first, jobs=self.jobs)
        distinct = UniqueColumns.of(work.table, work.design)
        product = self._product(work)
        kept = 0 if fused_programs(self.device) else sum(question.centres.size for question in work.questions)
        size = self._size(work, max(kept, distinct.column.size), resamples)
        counts = [question.nothing for question in work.questions]

        def counted(start: int, last: int) -> list[PairCounts]:
            totals = product.on_device(start, last)
            return count_on_device(totals, distinct, work.blocks, work.questions, self.jobs)

        with precisely(self.device, self.jobs):
            for start in range(first, first + resamples, size):
                last = min(start + size, first + resamples)
                for found in with_less(counted, start, last):
                    counts = [before + one for before, one in zip(counts, found, strict=True)]
                if progress is not None:
                    progress((last - start) * len(work.questions))
        return counts

    def _product(self, work: Resampling | Counting) -> Product:
        return Product(work.design, self.device, sent_statistics(self.device, work.table, work.design))

    def _size(self, work: Resampling | Counting, columns: int, resamples: int) -> int:
        return self.chunk or room_for(self.device, work.design.units.count * _BYTES + columns * 40, resamples)
