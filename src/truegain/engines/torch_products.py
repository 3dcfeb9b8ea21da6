"""Weights times statistics on a device, in the least precision in which that is exact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from truegain.engines.torch_device import load_torch
from truegain.engines.torch_weights import weights
from truegain.engines.totals import EXACT_SINGLE, UniqueColumns, reach
from truegain.resampling.design import Design
from truegain.resampling.units import UnitTable

if TYPE_CHECKING:
    from torch import Tensor

_EXACT_HALF = 2048.0  # whole numbers up to it are exact in half precision


def sent_statistics(device: str, table: UnitTable, design: Design) -> Tensor:
    """Send a table's unique columns to a device, in the least precision with exact products; kept with the table."""
    kind = f"on {device}, {design.scheme}"
    found: Tensor | None = table.kept.get(kind)
    if found is not None:
        return found
    torch = load_torch()
    values = UniqueColumns.of(table, design).values
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
        """Return totals of resamples, shape (resamples, columns), in float64."""
        torch = load_torch()
        drawn = weights(self.design, self.design.keys(first, last), self.device).to(self.values.dtype)
        if self.values.dtype == torch.float16:
            return torch.mm(drawn, self.values, out_dtype=torch.float32).double()
        return torch.mm(drawn, self.values).double()

    def totals(self, first: int, last: int) -> NDArray[np.float64]:
        """Return totals as numpy arrays, shape (columns, resamples)."""
        return np.ascontiguousarray(self.on_device(first, last).T.contiguous().cpu().numpy())


@cache
def halves_are_exact(device: str) -> bool:
    """Return whether products of half precision are summed in single precision here; this is tried out."""
    torch = load_torch()
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
