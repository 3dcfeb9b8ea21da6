"""What is known of every test, written into its page: ``python docs/tools/facts.py``.

A page of docs/methods holds ``<!-- facts: NAME … -->`` and ``<!-- end -->``. What stands between the two comes from the
registry, the bibliography and the page of calibration, so that no figure is typed twice; a test holds the pages to it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from truegain.bibliography import METHODS, entries
from truegain.registry import TESTS, measured_sizes

DOCS = Path(__file__).resolve().parents[1]
PLACE = re.compile(r"<!-- facts: ([^>]+) -->\n.*?<!-- end -->\n", re.DOTALL)
ACCENTS = {r"{\'c}": "ć", r"{\v{c}}": "č", "--": "–", r"\&": "&", "``": "‘", "''": "’"}
CLAIMS = {"as chosen": "as `--unit` says: documents where they are known, else segments", "block": "blocks of segments"}
SIDES = {
    "as chosen": "as `--alternative` says",
    "two-sided": "two-sided",
    "one-sided": "one-sided, towards the system that scored better",
}


def renewed(page: str) -> str:
    """Return a page with its facts as they are now."""
    return PLACE.sub(lambda place: f"<!-- facts: {place[1]} -->\n{_facts(place[1].split())}<!-- end -->\n", page)


def pages() -> list[Path]:
    """Return the pages that hold facts."""
    return [path for path in sorted((DOCS / "methods").glob("*.md")) if PLACE.search(path.read_text(encoding="utf-8"))]


def reference(key: str) -> str:
    """Return an entry of the bibliography as a line of text."""
    text = entries()[key]
    for typed, meant in ACCENTS.items():
        text = text.replace(typed, meant)
    fields = {name: re.sub(r"[{}]", "", value) for name, value in re.findall(r"^  (\w+) = \{(.*)\},?$", text, re.M)}
    authors = [author.split(", ")[0] for author in fields["author"].split(" and ")]
    if len(authors) > 3:
        names = f"{authors[0]} et al."
    else:
        names = " and ".join(filter(None, [", ".join(authors[:-1]), authors[-1]]))
    year = f" ({fields['year']})" if "year" in fields else ""
    return f"{names}{year}, “{fields['title']}”"


def _facts(names: list[str]) -> str:
    kept = [name for name in names if name in TESTS]
    if not kept:  # a method that is no test has papers only
        return "\n".join(f"- {reference(key)}" for key in _keys(names)) + "\n"
    rows: list[tuple[str, list[str]]] = [
        ("does", [TESTS[name].summary for name in kept]),
        ("null hypothesis", [_null(name) for name in kept]),
        ("unit", [CLAIMS.get(TESTS[name].unit, f"{TESTS[name].unit}s") for name in kept]),
        ("sides", [SIDES[TESTS[name].sides] for name in kept]),
        ("size at 5 %", [f"rejects {_rejected(name)}" for name in kept]),
        ("after", [TESTS[name].source for name in kept]),
    ]
    situations, shares = _calibration()
    held = {name: dict(zip(situations, shares[name], strict=True)) for name in kept}
    rows.append(("[above 6.5 %](../calibration.md)", [_too_often(held[name]) for name in kept]))
    lines = [f"||{'|'.join(f'`{name}`' for name in kept)}|", "|:--|" + ":--|" * len(kept)]
    lines += [f"|{title}|{'|'.join(cells)}|" for title, cells in rows]
    if any("‡" in cell for name in kept for cell in shares[name]):
        lines += ["", "‡ Not a size: the null hypothesis of this test does not hold there, so it is right to reject."]
    papers = [f"- {reference(key)}" for key in _keys(kept)]
    if papers:
        lines += ["", "Papers:", "", *papers]
    return "\n".join(lines) + "\n"


def _keys(names: list[str]) -> list[str]:
    return list(dict.fromkeys(key for name in names for key in METHODS.get(name, ())))


def _too_often(held: dict[str, str]) -> str:
    """Return the situations in which more than 6.5 % of true nulls are rejected."""
    marked = {place: share.strip("*") for place, share in held.items() if "*" in share or "‡" in share}
    return "; ".join(f"{place}: {share}" for place, share in marked.items()) or "–"


def _rejected(name: str) -> str:
    """Return the size that the package shows, and where it was measured: on 200 segments if the test is for these."""
    situations, shares = _calibration()
    held = dict(zip(situations, shares[name], strict=True))
    where = "200 segments" if held["200 segments"] else next(place for place in situations if held[place])
    return f"{100 * measured_sizes()[name]:.1f} % of true nulls ({where})"


def _null(name: str) -> str:
    entry = TESTS[name]
    unit = "unit" if entry.unit == "as chosen" else "segment" if entry.unit == "block" else entry.unit
    return entry.null.format(system="B", baseline="A", unit=unit, rater="rater")


def _calibration() -> tuple[list[str], dict[str, list[str]]]:
    """Return the table of the page of calibration: its situations, and every test's shares of rejections."""
    summary = (DOCS / "calibration.md").read_text(encoding="utf-8").partition("## Summary")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in summary.splitlines() if line[:1] == "|"]
    return rows[0][1:], {row[0].strip("`†"): row[1:] for row in rows[2:]}


def main() -> None:
    """Write the facts into all pages."""
    for path in pages():
        old = path.read_text(encoding="utf-8")
        if (new := renewed(old)) != old:
            path.write_text(new, encoding="utf-8")
            print(f"renewed {path.relative_to(DOCS)}")
    sys.exit(0)


if __name__ == "__main__":
    main()
