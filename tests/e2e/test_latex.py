"""Every table goes through pdfLaTeX: nothing stops it, and nothing sticks out of a two-column paper."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import truegain as tg
from truegain.report import latex
from truegain.report.model import Cell, Column, Document, Paragraph, Table

LAYOUTS = ("full", "paper", "multeval")
REFERENCE = [f"the cat number {i} sat on the old mat and slept" for i in range(30)]
NAMES = ("Baseline", "Transformer", "+ BPE", "+ back-translation", "+ ensemble (4)", "worse")
SPECIAL = (
    r"\input{x} $x^2$ 100% #1 a_b {c} ~ & | <> \\",
    "[b]*",
    "*",
    "日本語のシステム",
    "naïve Größe Łódź ș € “q” ‘s’",
    "Δ→λ ≤ ≈ − – — … · ±",
    "emoji 🎉 e\u0301 a\u0323\u0302 \u200d \u202e \ufeff",
    "--- ,, '' `` ?` !` << >>",
    "العربية русский",
    "tab\there bell\x07 nul\x00 line\u2028",
    "a-very/long_name.of-a=system:with+many.parts_and-more.and-even_more/0123456789",
)
Typeset = Callable[..., str]


@pytest.fixture
def typeset(tmp_path: Path, needs: Callable[[str], str]) -> Typeset:
    """Put texts into one article, run pdfLaTeX twice, and give its log."""
    needs("pdflatex")

    def run(*texts: str, options: str = "") -> str:
        # The packages are those that the texts ask for in their first lines, and no others.
        asked = {line for text in texts for line in text.splitlines()[:1]}
        assert all(line.startswith("% ") for line in asked)
        packages = sorted({one for line in asked for one in re.findall(r"\\usepackage\S+", line)})
        body = "\n\n\\clearpage\n".join(texts)
        lines = [f"\\documentclass[{options}]{{article}}", *packages, "\\begin{document}", "\\listoftables", body]
        (tmp_path / "paper.tex").write_text("\n".join([*lines, "\\end{document}\n"]), encoding="utf-8")
        for _ in range(2):  # captions come back in the list of tables
            done = subprocess.run(
                ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "paper.tex"],
                cwd=tmp_path,
                capture_output=True,
                check=False,
            )
            log = (tmp_path / "paper.log").read_text(encoding="utf-8", errors="replace")
            assert done.returncode == 0, log[-3000:]
        assert "Missing character" not in log
        assert "multiply defined" not in log
        assert (tmp_path / "paper.pdf").stat().st_size > 10_000
        return log

    return run


def overfull(log: str) -> float:
    """By how many points the widest line or table sticks out."""
    return max((float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)), default=0.0)


def outputs(step: int, run: int) -> list[str]:
    spoiled = {*range(run, len(REFERENCE), step), *range(run)}
    return [line.replace("mat", "rug") if i in spoiled else line for i, line in enumerate(REFERENCE)]


def systems(names: tuple[str, ...], runs: int) -> dict[str, list[list[str]]]:
    return {name: [outputs(2 + i, run) for run in range(runs)] for i, name in enumerate(names)}


def study(name: str, names: tuple[str, ...] = NAMES, runs: int = 1, **options: Any) -> Any:
    return getattr(tg, name)(REFERENCE, systems(names, runs), metrics=["bleu", "chrf", "ter"], resamples=99, **options)


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("layout", ["paper", "multeval"])
def test_tables_fit_a_two_column_paper(typeset: Typeset, layout: str, runs: int) -> None:
    compared = study("compare", runs=runs)
    log = typeset(compared.render("latex", layout=layout), options="twocolumn")
    assert overfull(log) <= 3.0


def test_all_layouts_of_all_results(typeset: Typeset) -> None:
    results = [
        study("compare", runs=3),
        study("compare", runs=3, family="all"),
        study("compare", NAMES[:2]),
        study("score", runs=3),
        study("score", NAMES[:1]),
    ]
    texts = [result.render("latex", layout=layout) for result in results for layout in LAYOUTS]
    # Pasted into one paper, every table has a label of its own.
    numbered = [text.replace("tab:scores", f"tab:scores-{i}") for i, text in enumerate(texts)]
    assert overfull(typeset(*numbered)) <= 3.0


def test_long_tables_go_over_pages(typeset: Typeset) -> None:
    scored = tg.score(REFERENCE * 5, {"a_b": outputs(3, 0) * 5}, resamples=99, segments=True)
    log = typeset(scored.render("latex"))
    assert "Overfull \\vbox" not in log
    pages = re.search(r"Output written on paper.pdf \((\d+) pages", log)
    assert pages is not None
    assert int(pages[1]) >= 3


def test_nothing_that_systems_are_called_stops_it(typeset: Typeset) -> None:
    compared = study("compare", SPECIAL, runs=2)
    texts = [compared.render("latex", layout=layout) for layout in LAYOUTS]
    typeset(texts[0], *(text.replace("tab:scores", f"tab:{i}") for i, text in enumerate(texts[1:])))


def test_no_character_stops_it(typeset: Typeset) -> None:
    """Hypothesis collects the names, and one run of pdfLaTeX sets them all."""
    found: list[str] = []

    @settings(max_examples=150, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))
    def collect(name: str) -> None:
        found.append(name)

    collect()
    # Every character that is set as it is, and every one that is escaped.
    found += [chr(i) for i in range(0x250) if latex.escape(chr(i)).strip()]
    rows = tuple((Cell(name, "strong"), Cell("1.0", mark="*")) for name in found)
    table = Table((Column("name", "left"), Column("n")), rows, found[0], tuple(found[:40]))
    document = Document(
        (Paragraph(found[1], "title"), table, Paragraph(" ".join(found)), Paragraph(found[2], "signature"))
    )
    typeset(latex.text(document))
    short = Document(
        (Table(table.columns, rows[:20], " ".join(found[:9]), table.notes), Paragraph(found[3], "signature"))
    )
    typeset(latex.text(short, floating=True))


def test_other_scripts_are_left_to_other_engines(typeset: Typeset, tmp_path: Path) -> None:
    text = latex.text(Document((Paragraph("日本 x"),)))
    typeset(text)
    if shutil.which("pdftotext"):
        shown = subprocess.run(["pdftotext", "paper.pdf", "-"], cwd=tmp_path, capture_output=True, check=True).stdout
        assert "U+65E5 U+672C x" in shown.decode()
