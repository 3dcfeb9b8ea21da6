"""Parts of a study on disk."""

from __future__ import annotations

from pathlib import Path

from truegain.engines.parts import PartEngine
from truegain.report.files import write_atomically


def write_part(engine: PartEngine, path: str | Path) -> None:
    """Write what an engine has done of a study (atomically), for :meth:`truegain.StoredEngine.read`.

    Parameters
    ----------
    engine : PartEngine
        As a study was given it: ``engine=PartEngine(3, 7)``.
    path : path
    """
    write_atomically(path, engine.made().pack())
