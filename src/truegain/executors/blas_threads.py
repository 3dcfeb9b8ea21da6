"""How many threads BLAS may take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


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
