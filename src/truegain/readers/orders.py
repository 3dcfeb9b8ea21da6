"""Signs that rows of files stand in another order, where they are paired by their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from truegain.errors import InputError, Setting, Text, excerpt


def first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    """Return the first place at which two sequences differ, or the end of the shorter one if it begins the other."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


#: The least share of the values of a column that differ, so that they show the order of rows.
_DIFFERENT = 0.9


def _mostly_different(values: Sequence[str]) -> bool:
    """Return whether values show an order: texts of a test set do, of which a few repeat; verdicts do not."""
    return len(set(values)) >= _DIFFERENT * len(values)


def different_values(columns: Mapping[str, Sequence[str | None]]) -> dict[str, tuple[str, ...]]:
    """Return the columns that show the order of rows: their values are all there, and nearly all different."""
    found = {}
    for name, given in columns.items():
        values = tuple(one for one in given if one is not None)
        if len(values) == len(given) and _mostly_different(values):
            found[name] = values
    return found


def check_row_order(files: Iterable[tuple[str, Mapping[str, Sequence[str]]]]) -> None:
    """Refuse files that have the same values in a column, each as often, and in another order.

    Parameters
    ----------
    files : iterable of (name, columns)
        The columns of each file, from :func:`different_values`. Those that could be ids are asked first.
    """
    first: dict[str, tuple[str, Sequence[str]]] = {}
    for name, columns in files:
        for key, values in sorted(columns.items(), key=lambda column: len(column[1]) - len(set(column[1]))):
            other, wanted = first.setdefault(key, (name, values))
            if values != wanted and Counter(values) == Counter(wanted):
                row = first_difference(values, wanted)
                repeated, times = Counter(values).most_common(1)[0]
                hint: Text = ("match them by this column: ", Setting("id_column", key))
                if times > 1:  # rows of one id would be averaged, or refused
                    hint = f"bring all files into one order; {excerpt(repeated)} stands {times:,} times, so it is no id"
                raise InputError(
                    f"its rows are in another order than those of {other}: in row {row + 1:,} the column {key!r} "
                    f"is {excerpt(values[row])}, and there {excerpt(wanted[row])}",
                    path=name,
                    hint=hint,
                )
