"""COMET in this process, where the package unbabel-comet is installed."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError
from truegain.scorers.program import Segments, one_line

_AT_A_TIME = 2048  # segments between two reports of progress; their batches are by length, as COMET has them
_LOUD = ("comet", "pytorch_lightning", "lightning_fabric", "transformers", "torch")


def comet_scores(
    segments: Segments,
    model: str,
    *,
    batch_size: int,
    gpus: int | None,
    downloads: bool,
    progress: Callable[[int], None] | None,
) -> NDArray[np.float64]:
    """Score segments by a model of COMET, which stays loaded for the next call.

    Parameters
    ----------
    segments : Segments
    model : str
        A checkpoint, or a name in the hub's cache.
    batch_size : int
    gpus : int, optional
        By default 1 if there is one, else 0.
    downloads : bool
        The model may be fetched.
    progress : callable, optional
        Called with how many segments were scored since it was last called.
    """
    keys = {"src": segments.sources, "mt": segments.outputs, "ref": segments.references}
    held = {key: own for key, own in keys.items() if own is not None}
    samples = [
        {key: one_line(text).strip() for key, text in zip(held, row, strict=True)}
        for row in zip(*held.values(), strict=True)
    ]
    found: list[float] = []
    with _quietly():
        loaded, devices = _loaded(model, downloads), _gpus(gpus)
        workers = {"num_workers": 0} if devices == 0 else {}
        for first in range(0, len(samples), _AT_A_TIME):
            part = samples[first : first + _AT_A_TIME]
            with _interruptible():
                found += loaded.predict(part, batch_size=batch_size, gpus=devices, progress_bar=False, **workers).scores
            if progress is not None:
                progress(len(part))
    return np.array(found, np.float64)


def _gpus(wanted: int | None) -> int:
    import torch

    return int(torch.cuda.is_available()) if wanted is None else wanted


@lru_cache(maxsize=1)
def _loaded(model: str, downloads: bool) -> Any:
    from comet import download_model, load_from_checkpoint

    path = model if Path(model).is_file() else download_model(model, local_files_only=not downloads)
    try:
        # In half precision, as comet-score does since 2.2.5: one model has one score, whichever way it is run.
        return load_from_checkpoint(path, local_files_only=not downloads).half()
    except Exception as error:  # whatever a checkpoint of another version, or a broken one, makes its package raise
        raise InputError(f"COMET cannot load the model {model!r}: {error}"[:400]) from error


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep what the package says about itself off the terminal, and its handlers off the program's log."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import comet  # noqa: F401  # sets up handlers and levels of its own

        root.handlers[:] = handlers
        root.setLevel(level)
        levels = {name: logging.getLogger(name).level for name in _LOUD}
        try:
            for name in _LOUD:
                logging.getLogger(name).setLevel(logging.ERROR)
            yield
        finally:
            for name, own in levels.items():
                logging.getLogger(name).setLevel(own)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Make an interruption one again: the package ends the program instead."""
    try:
        yield
    except SystemExit as ended:
        raise KeyboardInterrupt from ended
