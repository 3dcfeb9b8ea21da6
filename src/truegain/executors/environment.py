"""Environments of workers: whether their answer will be the one of this process."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from truegain.errors import InputError
from truegain.version import __version__


@dataclass(frozen=True)
class Environment:
    """Versions that a result depends on, to the last digit; and whether the kernels are compiled.

    Attributes
    ----------
    truegain, python, numpy : str
        Versions. Python's decides what a letter is and numpy's how a logarithm is rounded.
    compiled : bool
        Whether the kernels are; without, the answer is the same, later.
    """

    truegain: str
    python: str
    numpy: str
    compiled: bool

    @property
    def words(self) -> str:
        """The versions, for people."""
        return f"truegain {self.truegain}, Python {self.python}, numpy {self.numpy}"

    def answers_like(self, other: Environment) -> bool:
        """Return whether both give the same results: the same truegain, the same minor versions of the others."""
        return (self.truegain, _minor(self.python), _minor(self.numpy)) == (
            other.truegain,
            _minor(other.python),
            _minor(other.numpy),
        )


def _minor(version: str) -> list[str]:
    return version.split(".")[:2]


def here() -> Environment:
    """Return the environment of the process that this is called in."""
    kernels = import_module("truegain.kernels")  # by name: it is above this package, and on a worker it is what it is
    return Environment(__version__, platform.python_version(), np.__version__, bool(kernels.compiled()))


def check_like(client: Environment) -> None:
    """Refuse, on a worker, work of a process that may give another answer than this one."""
    own = here()
    if not own.answers_like(client):
        raise InputError(
            f"a worker ({platform.node()}) has {own.words}; the command has {client.words}",
            hint="other versions may change the last digits: install the same on both sides",
        )


def check(workers: Mapping[str, Environment | BaseException]) -> None:
    """Refuse workers that may give another answer than this process; warn of those that are slow.

    Parameters
    ----------
    workers : mapping of str to Environment or exception
        What each answered, by its name.
    """
    own = here()
    for name, found in workers.items():
        if isinstance(found, BaseException):
            missing = "No module named 'truegain" in str(found)
            raise InputError(
                f"the worker {name} has no truegain"
                if missing
                else f"the worker {name} did not say what it has installed: {type(found).__name__}: {found}",
                hint=f"install truegain=={own.truegain} in the Python that the workers run, and start them again",
            )
        if not found.answers_like(own):
            raise InputError(
                f"the worker {name} has {found.words}; here it is {own.words}",
                hint="other versions may change the last digits: install the same on both sides",
            )
    plain = [name for name, found in workers.items() if isinstance(found, Environment) and not found.compiled]
    if plain and own.compiled:
        warnings.warn(
            f"{len(plain)} of {len(workers)} workers have no compiled kernels: the same answer, far slower "
            f"(first of them: {plain[0]})",
            RuntimeWarning,
            stacklevel=2,
        )
