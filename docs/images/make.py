"""Make the pictures of the report that the documentation shows: ``python docs/images/make.py``.

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
from truegain.report.model import Report

FOLDER = Path(__file__).resolve().parent
SIZES = {"wide": (1280, 1440), "top": (1280, 860), "narrow": (400, 860)}
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb")


def sample_report() -> Report:
    """The report on the bundled sample, as ``truegain demo`` makes it."""
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


def main() -> None:
    """Photograph the page at two widths, light and dark."""
    from playwright.sync_api import sync_playwright

    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium: name it in the variable CHROMIUM")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "report.html")
        path.write_text(page(sample_report()), encoding="utf-8")
        chromium = playwright.chromium.launch(executable_path=browser, args=list(ARGUMENTS))
        for size, (width, height) in SIZES.items():
            for theme in ("light", "dark"):
                shown = chromium.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
                shown.goto(path.as_uri())
                target = FOLDER / f"report-{size}-{theme}.png"
                shown.screenshot(path=target)
                print(f"{target.name}: {target.stat().st_size / 1024:.0f} KB")
                shown.close()
        chromium.close()


if __name__ == "__main__":
    main()
