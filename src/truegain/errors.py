"""The errors that users see: what was found, what was expected, and the way out."""

from __future__ import annotations

__all__ = ["WARNING", "InputError", "TruegainError", "excerpt", "one_of"]

#: How a note begins that must not be missed: it is shown first, before any table.
WARNING = "Warning: "


class TruegainError(Exception):
    """Base of every error the package raises on purpose."""


class InputError(TruegainError):
    """Something about the user's input cannot be used.

    Parameters
    ----------
    message : str
        What was found and what was expected.
    path : str, optional
        The file it was found in.
    line : int, optional
        The line, counted from 1.
    hint : str, optional
        What to do about it.
    """

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.hint = hint

    def __str__(self) -> str:
        where = "" if self.path is None else f"{self.path}: " if self.line is None else f"{self.path}:{self.line}: "
        remedy = "" if self.hint is None else f"\n  {self.hint}"
        return f"{where}{self.message}{remedy}"


def one_of(what: str, given: object, choices: list[str], *, hint: str | None = None) -> InputError:
    """Say that ``given`` is not among ``choices``, and name the nearest one."""
    from difflib import get_close_matches

    spelled = {choice.lower(): choice for choice in choices}
    near = get_close_matches(str(given).lower(), spelled, n=1)
    hint = f"did you mean {spelled[near[0]]!r}?" if near else hint
    return InputError(f"{what} must be one of {', '.join(choices)}; got {given!r}", hint=hint)


def excerpt(text: str, width: int = 40) -> str:
    """The beginning of a text from the user's files, in quotation marks."""
    return repr(text if len(text) <= width else text[: width - 1] + "…")
