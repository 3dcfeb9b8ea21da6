"""Resamples that were done before, part by part, put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from truegain.engines.base import Engine, Report, side_by_side
from truegain.engines.blas import BlasEngine
from truegain.engines.call_keys import call_key
from truegain.engines.pairs import PairCounts
from truegain.engines.part_files import Call, Part, read_part
from truegain.engines.work import Counting, Dealing, Resampling
from truegain.errors import InputError, Setting, Way, some
from truegain.executors.base import Executor
from truegain.version import __version__

_SHOWN = 10  # numbers of parts in a message


@dataclass(frozen=True)
class StoredEngine:
    """Engine that answers from stored parts, which must be all the parts of one study.

    Parameters
    ----------
    parts : sequence of Part
        In any order.
    engine : Engine
        What statistics of segments are computed with; it resamples nothing.
    """

    parts: tuple[Part, ...]
    engine: Engine = field(default_factory=BlasEngine)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(sorted(self.parts, key=lambda one: one.part)))

    def __reduce__(self) -> NoReturn:
        raise TypeError("parts are large, and stay in the process that has read them")

    @classmethod
    def read(cls, paths: Sequence[str | Path], engine: Engine | None = None) -> StoredEngine:
        """Read all parts of a study.

        Raises
        ------
        InputError
            If one cannot be read or is damaged, is missing, occurs twice, or is not of the same study.
        """
        read = [(str(path), read_part(path)) for path in paths]
        if not read:
            raise InputError(
                "there is no part",
                hint=("give all files that ", Way("truegain resample", "truegain.write_part"), " wrote"),
            )
        _check_together(read)
        return cls(tuple(part for _, part in read), BlasEngine() if engine is None else engine)

    @property
    def executor(self) -> Executor:
        """See :class:`truegain.engines.base.Engine`."""
        return self.engine.executor

    def resample(
        self, work: Resampling, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        calls = self._calls("resample", resamples, call_key("resample", work, first, resamples))
        return side_by_side((call.arrays[0] for call in calls), resamples, progress)

    def deal(
        self, work: Dealing, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> NDArray[np.float64]:
        """See :class:`truegain.engines.base.Engine`."""
        calls = self._calls("deal", resamples, call_key("deal", work, first, resamples))
        return side_by_side((call.arrays[0] for call in calls), resamples, progress)

    def count(
        self, work: Counting, resamples: int, progress: Report | None = None, *, first: int = 0
    ) -> list[PairCounts]:
        """See :class:`truegain.engines.base.Engine`."""
        key = call_key("count", work, first, resamples)
        counts = [replace(question.nothing, resamples=resamples) for question in work.questions]
        sizes = [array.size for one in counts for array in (one.exceedances, one.maxima)]
        for call in self._calls("count", resamples, key, sizes):
            found = zip(call.arrays[::2], call.arrays[1::2], strict=True)
            counts = [before + PairCounts(*arrays, 0) for before, arrays in zip(counts, found, strict=True)]
        if progress is not None:
            progress(resamples * len(work.questions))
        return counts

    def _calls(self, kind: str, resamples: int, key: str, sizes: Sequence[int] | None = None) -> list[Call]:
        """Return every part's share in a call; refuse parts that lack it or, of counts, have other sizes."""
        calls = [call for part in self.parts if (call := part.calls.get(key)) is not None]
        if len(calls) == len(self.parts) and all(
            (call.kind, call.resamples) == (kind, resamples)
            and (sizes is None or [array.size for array in call.arrays] == sizes)
            for call in calls
        ):
            return calls
        command = self.parts[0].command
        raise InputError(
            "this command asks for other resamples than the parts hold",
            hint=(
                "repeat the command that the parts were made with: the same files, metrics, tests, ",
                Setting("resamples"),
                " and ",
                Setting("seed"),
                f"; it was: {command}" if command else "",
            ),
        )


def _check_together(read: Sequence[tuple[str, Part]]) -> None:
    """Refuse parts that are not all the parts of one study."""
    name, first = read[0]
    places: dict[int, str] = {}
    for path, part in read:
        if part.version != __version__:
            raise InputError(
                f"the part was made by truegain {part.version}, and this is {__version__}",
                path=path,
                hint="put parts together with the version that made them, or make them again",
            )
        if part.parts != first.parts:
            raise InputError(
                f"this is one of {part.parts} parts, and {name} is one of {first.parts}",
                path=path,
                hint="give the parts of one study only",
            )
        if part.part in places:
            raise InputError(f"this is part {part.part} of {part.parts}, and so is {places[part.part]}", path=path)
        places[part.part] = path
    missing = [str(number) for number in range(1, first.parts + 1) if number not in places]
    if missing:
        shown = some(missing, _SHOWN)
        raise InputError(
            f"{len(missing)} of {first.parts} parts {'is' if len(missing) == 1 else 'are'} missing: {shown}",
            hint=(
                f"make {'it' if len(missing) == 1 else 'them'}: ",
                Way(
                    f"truegain resample --part {missing[0]}/{first.parts}",
                    f"truegain.PartEngine({missing[0]}, {first.parts})",
                ),
            ),
        )
    for path, part in read:
        if _asked(part) != _asked(first):
            raise InputError(
                f"this part and {name} were not made by the same command on the same files",
                path=path,
                hint="make the parts again where the files, the options or the version of numpy changed"
                f"{f'; this one was made by: {part.command}' if part.command else ''}",
            )


def _asked(part: Part) -> dict[str, tuple[object, ...]]:
    """Return what all parts must have been asked in the same way."""
    return {
        key: (
            call.kind,
            call.resamples,
            *(array.shape if call.kind == "count" else array.shape[:1] for array in call.arrays),
        )
        for key, call in part.calls.items()
    }
