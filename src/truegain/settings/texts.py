"""Values that are written as text on the command line: numbers with commas between them."""

from collections.abc import Callable
from typing import Literal, TypeVar

_Number = TypeVar("_Number", int, float)


def _reader(kind: Callable[[str], _Number], wanted: str) -> Callable[[str], tuple[_Number, ...]]:
    def read(text: str) -> tuple[_Number, ...]:
        try:
            return tuple(kind(part) for part in text.split(","))
        except ValueError:
            raise ValueError(f"{text!r} is {wanted}") from None

    return read


def whole_numbers(example: str) -> Callable[[str], tuple[int, ...]]:
    """Read whole numbers; an error shows the example."""
    return _reader(int, f"not a list of whole numbers, such as {example}")


def whole_numbers_or_auto(example: str) -> Callable[[str], tuple[int, ...] | Literal["auto"]]:
    """Read whole numbers, or the word auto."""
    read = _reader(int, f"neither auto nor a list of whole numbers, such as {example}")

    def read_or_auto(text: str) -> tuple[int, ...] | Literal["auto"]:
        return "auto" if text == "auto" else read(text)

    return read_or_auto


def numbers(text: str) -> tuple[float, ...]:
    """Read numbers."""
    return _reader(float, "not a list of numbers, such as 0.5,1")(text)


def one_or_two(text: str) -> float | tuple[float, ...]:
    """Read one number for both systems, or one for each."""
    found = numbers(text)
    return found[0] if len(found) == 1 else found


def names(text: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    found = tuple(part.strip() for part in text.split(","))
    if not all(found):
        raise ValueError(f"{text!r} is not a list of names, such as lm,tm_0")
    return found
