"""Make the pictures of the report that the documentation shows: ``python docs/images/make.py``.

With ``site`` it photographs pages of the built site (``make docs``) instead, into build/looks, to be looked at.
Needs playwright and Chromium (the path in the variable CHROMIUM, or on the PATH).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

from truegain.report.html import page
from truegain.report.page import Report

FOLDER = Path(__file__).resolve().parent
SIZES = {"wide": (1280, 1440), "top": (1280, 860), "narrow": (400, 860)}
SITE = FOLDER.parents[1] / "build" / "docs"
LOOKS = FOLDER.parents[1] / "build" / "looks"
PAGES = (
    "index",
    "getting-started",
    "guide",
    "comparison",
    "methods/index",
    "methods/bootstrap",
    "calibration",
    "reference/commands",
    "reference/python",
    "architecture",
    "studies/clark2011",
)
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb")


def sample_report() -> Report:
    """Return the report on the bundled sample, as ``truegain demo`` makes it."""
    from truegain.readers.corpora import read_corpus
    from truegain.studies.compare import compare

    with as_file(files("truegain") / "sample") as sample:
        corpus = read_corpus(
            [f"{name}={sample}/{name}.*.txt" for name in ("baseline", "better", "similar")],
            [f"{sample}/ref.1.txt", f"{sample}/ref.2.txt"],
            documents=f"{sample}/docs.txt",
            name="bundled sample",
        )
        return compare(corpus, metrics=["bleu", "chrf"]).report()


def photograph(pages: dict[str, Path], folder: Path, sizes: dict[str, tuple[int, int]]) -> None:
    """Photograph pages, light and dark."""
    from playwright.sync_api import sync_playwright

    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium: name it in the variable CHROMIUM")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=list(ARGUMENTS))
        for name, path in pages.items():
            for size, (width, height) in sizes.items():
                for theme in ("light", "dark"):
                    shown = chromium.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
                    shown.goto(path.as_uri())
                    target = folder / f"{name}-{size}-{theme}.png"
                    shown.screenshot(path=target)
                    print(f"{target.name}: {target.stat().st_size / 1024:.0f} KB")
                    shown.close()
        chromium.close()


def main() -> None:
    """Photograph the report, or the site."""
    if sys.argv[1:] == ["site"]:
        found = {name.replace("/", "-"): SITE / f"{name}.html" for name in PAGES}
        photograph(found, LOOKS, {"wide": (1360, 1000), "narrow": (390, 844)})
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        path.write_text(page(sample_report()), encoding="utf-8")
        photograph({"report": path}, FOLDER, SIZES)


if __name__ == "__main__":
    main()
