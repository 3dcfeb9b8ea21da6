"""A GPU for which Triton builds nothing: said once, with the reason; told apart from devices that have no programs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from truegain.engines import torch_device


class Drawn:
    """A tensor of draws, of which the sums are what a test wants."""

    def __init__(self, sums: int) -> None:
        self._sums = np.full(3, sums)

    def sum(self, _: int) -> Any:
        return self._sums


@pytest.fixture(autouse=True)
def a_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A torch that has a GPU, as far as it is asked here."""
    torch = SimpleNamespace(
        device=lambda name: SimpleNamespace(type=name.partition(":")[0]), arange=lambda count, device: range(count)
    )
    monkeypatch.setattr(torch_device, "load_torch", lambda: torch)
    torch_device.fused_programs.cache_clear()
    yield
    torch_device.fused_programs.cache_clear()


def programs(monkeypatch: pytest.MonkeyPatch, count_draws: Any) -> Any:
    """Put programs in the place of those that need Triton to be imported."""
    found = SimpleNamespace(count_draws=count_draws)
    monkeypatch.setitem(__import__("sys").modules, "truegain.engines.triton_programs", found)
    monkeypatch.setattr("truegain.engines.triton_programs", found, raising=False)
    return found


def test_it_is_said_once_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("no C compiler\nwas found")

    programs(monkeypatch, fails)
    told = r"cuda:1 here\W.* the same answer\W+slower \(RuntimeError: no C compiler\)$"
    with pytest.warns(RuntimeWarning, match=told):
        assert torch_device.fused_programs("cuda:1") is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch_device.fused_programs("cuda:1") is None
        assert torch_device.fused_programs("cpu") is None  # where none are looked for


def test_wrong_draws_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    programs(monkeypatch, lambda keys, units: Drawn(units - 1))
    with pytest.warns(RuntimeWarning, match="draws wrong numbers of units"):
        assert torch_device.fused_programs("cuda") is None


def test_what_works_is_taken_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    found = programs(monkeypatch, lambda keys, units: Drawn(units))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert torch_device.fused_programs("cuda") is found
