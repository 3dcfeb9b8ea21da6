"""Picture of the packages and their layers, from the import contract: ``python docs/tools/packages.py``.

The layers come from pyproject.toml, and what is said of a package is the first line of its docstring, so that the
picture cannot differ from the program; a test holds it to that.
"""

from __future__ import annotations

import ast
import textwrap
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "images" / "packages.svg"
WIDTH, MARGIN, GAP, ROW, LINE = 920, 16, 8, 34, 14


def layers() -> list[list[str]]:
    """Return the packages, highest first; those side by side do not import each other."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [[package.strip().removeprefix("truegain.") for package in layer.split("|")] for layer in contract["layers"]]


def about(package: str) -> str:
    """Return what a package says of itself."""
    place = ROOT / "src" / "truegain" / package
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return (
        said.splitlines()[0]
        .removeprefix(f"{package.capitalize()}: ")
        .rstrip(".")
        .replace("``", "")
        .replace(":mod:", "")
        .replace("`", "")
    )


def picture() -> str:
    """Draw the layers as boxes, one above the other, and the one direction of imports."""
    rows = layers()
    boxes: list[str] = []
    top = MARGIN
    for packages in rows:
        box_width = (WIDTH - 2 * MARGIN - 26 - GAP * (len(packages) - 1)) / len(packages)
        # Letters of these sizes are about half as wide as high; a package alone has its name beside its text.
        alone = len(packages) == 1
        width = int((box_width - 150) / 6.2 if alone else (box_width - 20) / 6.7)
        told = {package: textwrap.wrap(about(package), width) for package in packages}
        height = max(ROW if alone else 0, max((16 if alone else 34) + LINE * len(lines) for lines in told.values()))
        for number, package in enumerate(packages):
            left = MARGIN + number * (box_width + GAP)
            boxes.append(
                f'<rect class="package" x="{left:.1f}" y="{top}" width="{box_width:.1f}" height="{height}" rx="6"/>'
                f'<text class="name" x="{left + 12:.1f}" y="{top + (height / 2 + 5 if alone else 20):.1f}">'
                f"{escape(package)}</text>"
            )
            first = top + (height - LINE * len(told[package])) / 2 + 11 if alone else top + 38
            for place, line in enumerate(told[package]):
                x = left + (138 if alone else 12)
                boxes.append(f'<text class="said" x="{x:.1f}" y="{first + place * LINE:.1f}">{escape(line)}</text>')
        top += height + GAP
    right, low = WIDTH - MARGIN - 6, top - GAP
    boxes.append(
        f'<path class="way" d="M{right} {MARGIN + 4} V{low - 10}"/>'
        f'<path class="head" d="M{right - 5} {low - 11} h10 l-5 10 z"/>'
        f'<text class="said" text-anchor="middle" transform="translate({right - 6} {(MARGIN + low) / 2}) rotate(-90)">'
        "imports point down only</text>"
    )
    height = low + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' role="img" aria-label="The packages of truegain in layers; each imports only from those below it">\n'
        "<style>text{font-family:system-ui,'Segoe UI','Liberation Sans',Arial,sans-serif;fill:#1b2733}"
        ".name{font-size:14px;font-weight:600}.said{font-size:12px;fill:#44535f}"
        ".package{fill:#eef4f9;stroke:#9db7cb}.way{stroke:#0b5a8a;stroke-width:1.5;fill:none}"
        ".head{fill:#0b5a8a}</style>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(boxes) + "\n</svg>\n"
    )


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(picture(), encoding="utf-8")
    print(PICTURE.relative_to(ROOT))


if __name__ == "__main__":
    main()
