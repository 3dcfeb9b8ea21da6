"""Weights of resamples as tensors: the generator of :mod:`truegain.kernels.draws` on any device, the same bits.

Torch has no unsigned numbers of 64 bits to calculate with: signed ones wrap in the same way, and a shift to the right
is masked, so that it brings in zeros. Keys are few, one for each resample, and come from numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truegain.engines.torch_device import fused_programs
from truegain.resampling.design import Design

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

_HALF = 0xFFFFFFFF


def weights(design: Design, keys: NDArray[np.uint64], device: str) -> Tensor:
    """Return the weights of resamples, shape (resamples, units): int32 counts of a bootstrap, or 0 and 1 of a swap."""
    units = design.units.count
    if design.scheme == "swap":
        return bits(_sent(keys, device), units)
    programs = fused_programs(device)
    if programs is not None and design.units.mean_length is None and len(design.units.strata) == 1:
        counts: Tensor = programs.count_draws(_sent(keys, device), units)
        return counts
    return tallied(drawn_units(design, _sent(keys, device)), units)


def drawn_units(design: Design, keys: Tensor) -> Tensor:
    """Return the units of a bootstrap, in any order, shape (resamples, units)."""
    import torch

    units = design.units.count
    if design.units.mean_length is not None:
        return _blocks(keys, units, round(2**32 / design.units.mean_length))
    words = _words(keys, (units + 1) // 2)
    low, high = words & _HALF, _shifted(words, 32)
    if len(design.units.strata) == 1:
        drawn = torch.cat([low, high[:, : units // 2]], 1)
        return drawn.mul_(units).bitwise_right_shift_(32)
    strata = np.array(design.units.strata, np.int64)
    sizes = torch.from_numpy(np.repeat(strata, strata)).to(keys.device)
    starts = torch.from_numpy(np.repeat(np.cumsum(strata) - strata, strata)).to(keys.device)
    halves = torch.stack([low, high], -1).reshape(keys.numel(), -1)[:, :units]
    return (halves * sizes).bitwise_right_shift_(32) + starts


def _blocks(keys: Tensor, units: int, threshold: int) -> Tensor:
    import torch

    words = _words(keys, units)
    begins = _shifted(words, 32) < threshold
    begins[:, :1] = True
    position = torch.arange(units, device=keys.device)
    begin = torch.where(begins, position, 0).cummax(1).values
    first = (words & _HALF).mul_(units).bitwise_right_shift_(32)
    return (first.gather(1, begin) + position - begin).remainder_(units)


def tallied(drawn: Tensor, units: int) -> Tensor:
    """Count how often each unit is drawn, with as many draws as units in every row."""
    import torch

    ones = torch.ones((), dtype=torch.int32, device=drawn.device).expand(drawn.shape)
    return torch.zeros(drawn.shape[0], units, dtype=torch.int32, device=drawn.device).scatter_add_(1, drawn, ones)


def bits(keys: Tensor, units: int) -> Tensor:
    """Return one bit per unit, as 0 or 1, shape (resamples, units)."""
    import torch

    words = _words(keys, (units + 63) // 64)
    places = torch.arange(64, device=keys.device)
    return (words[:, :, None] >> places).bitwise_and_(1).reshape(keys.numel(), -1)[:, :units]


def dealt_orders(keys: NDArray[np.uint64], segments: int, runs: int, device: str) -> Tensor:
    """Return the run whose statistics each place gets in each segment, shape (resamples, segments, runs)."""
    import torch

    words = _words(_sent(keys, device), segments * (runs - 1)).reshape(len(keys), segments, runs - 1) & _HALF
    order = torch.arange(runs, device=device).repeat(len(keys), segments, 1)
    for step, last in enumerate(range(runs - 1, 0, -1)):
        other = (words[:, :, step] * (last + 1)).bitwise_right_shift_(32)[..., None]
        held = order[:, :, last : last + 1].clone()
        order[:, :, last : last + 1] = order.gather(2, other)
        order.scatter_(2, other, held)
    return order


def _sent(keys: NDArray[np.uint64], device: str) -> Tensor:
    import torch

    return torch.from_numpy(keys.view(np.int64)).to(device)


def _words(keys: Tensor, count: int) -> Tensor:
    """Return the first ``count`` random words of each resample."""
    import torch

    numbers = torch.arange(1, count + 1, device=keys.device).mul_(_signed(0x9E3779B97F4A7C15))
    z = keys[:, None] + numbers
    z.bitwise_xor_(_shifted(z, 30)).mul_(_signed(0xBF58476D1CE4E5B9))
    z.bitwise_xor_(_shifted(z, 27)).mul_(_signed(0x94D049BB133111EB))
    return z.bitwise_xor_(_shifted(z, 31))


def _shifted(words: Tensor, by: int) -> Tensor:
    """Shift to the right, with zeros coming in."""
    return (words >> by).bitwise_and_((1 << (64 - by)) - 1)


def _signed(number: int) -> int:
    return number - 2**64 if number >= 2**63 else number
