"""Parts that ``truegain resample`` wrote, put together: the study, with its resamples from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from truegain.cli.within import study_context, with_engine

if TYPE_CHECKING:
    from truegain.engines.base import Engine

__all__ = ["merge_parts"]


def merge_parts(ctx: click.Context, files: Sequence[str], study: str, arguments: Sequence[str]) -> None:
    """Run a study on what is in the files; it shows its result, and ends, as it always does."""
    context = study_context(ctx, study, arguments)

    def stored(engine: Engine) -> Engine:
        from truegain.engines.stored import StoredEngine

        return StoredEngine.read(files, engine)

    with_engine(context, stored)
    with context:
        context.command.invoke(context)
