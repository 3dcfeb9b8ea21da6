"""How large is a report of many systems, and how soon does it open? ``python -m benchmarks.report_page``.

The 20 systems of WMT11 German-English, if they are there, and 30 simulated systems on 3,000 segments;
each under BLEU, chrF and TER. Needs playwright and Chromium (in the variable CHROMIUM, or on the path).
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.data import REAL_DATA
from benchmarks.simulation import SystemSpec, simulate
from truegain.corpus import Corpus, Run, System
from truegain.executors.processors import available_jobs
from truegain.readers.corpora import read_corpus
from truegain.studies.compare import compare

WMT11 = REAL_DATA / "wmt11_deen"
OPENED = 5
METRICS = ("bleu", "chrf", "ter")


def wmt11() -> Corpus:
    systems = sorted(str(path) for path in (WMT11 / "systems").glob("*.gz"))
    return read_corpus(systems, [str(WMT11 / "ref.en.gz")], documents=str(WMT11 / "docs.tsv.gz"), name="newstest2011")


def simulated(systems: int, segments: int) -> Corpus:
    specs = [SystemSpec(name=f"system{i + 1}", quality=0.6 + 0.01 * i) for i in range(systems)]
    made = simulate(segments=segments, systems=specs)
    return Corpus.build(
        [System(name, tuple(Run(name, tuple(run)) for run in runs)) for name, runs in made.systems.items()],
        made.references[:1],
        documents=made.documents,
        name="simulated",
    )


def opened(page: str) -> list[float]:
    """Seconds from asking for the page until it is laid out, several times, in a new tab each."""
    from playwright.sync_api import sync_playwright

    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium: name it in the variable CHROMIUM")
    times = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "report.html")
        path.write_text(page, encoding="utf-8")
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(OPENED):
            tab = chromium.new_page(viewport={"width": 1280, "height": 900})
            began = time.perf_counter()
            tab.goto(path.as_uri())
            tab.evaluate("document.body.getBoundingClientRect().height")
            times.append(time.perf_counter() - began)
            tab.close()
        chromium.close()
    return times


def main() -> None:
    corpora = [wmt11()] if WMT11.is_dir() else []
    corpora.append(simulated(30, 3_000))
    print("| test set | systems | segments | listed | made in | size | opens in (median, most) |")
    print("| :-- | --: | --: | --: | --: | --: | --: |")
    for corpus in corpora:
        result = compare(corpus, metrics=list(METRICS), jobs=available_jobs(None))
        began = time.process_time()  # one thread, whatever else the machine does
        page = result.render("html")
        made = time.process_time() - began
        times = opened(page)
        listed = sum(len(pair.up) + len(pair.down) for pair in result.changed_segments)
        size = len(page.encode()) / 1e6
        print(
            f"| {corpus.name} | {len(corpus.systems)} | {corpus.segments:,} | {listed:,} | {made:.1f} s "
            f"| {size:.1f} MB | {statistics.median(times):.2f} s, {max(times):.2f} s |"
        )


if __name__ == "__main__":
    main()
