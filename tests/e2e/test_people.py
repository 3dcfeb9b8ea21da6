"""Each kind of person runs the command they would, and reads the answer and its warning in the first lines."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from html import unescape
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import truegain as tg
from tests.sentences import unmarked

#: Lines of a terminal of 80 columns, and characters of a page's text behind its contents, that people read first.
LINES, CHARACTERS = 8, 600
Command = Callable[..., tuple[int, str, str]]
Answered = Callable[..., list[str]]


def first_words(html: str, characters: int = CHARACTERS) -> str:
    """Text of a page from its main part on."""
    main = html[html.index("<main") :]
    shown = re.sub(r"<(script|noscript|label)\b.*?</\1>|</[^>]+>", "", main, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", shown)).split())[:characters]


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The bundled sample, in a terminal of 80 columns."""
    sample = Path(str(files("truegain") / "sample"))
    for path in sample.glob("*.txt"):
        shutil.copy(path, folder)
    monkeypatch.setenv("COLUMNS", "80")
    for variable in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)
    return folder


@pytest.fixture
def answered(home: Path, command: Command) -> Answered:
    """Run a command twice: what its first lines say, and what the page says first; every space is one space."""

    def run(*arguments: str, code: int = 0, lines: int = LINES, characters: int = CHARACTERS) -> list[str]:
        found, out, err = command(*arguments, "-q")
        assert found == code, err
        shown = out.splitlines()
        assert max(map(len, shown)) <= 80
        assert command(*arguments, "-q", "-o", "page.html")[0] == code
        page = (home / "page.html").read_text(encoding="utf-8")
        return [" ".join(" ".join(shown[:lines]).split()), first_words(page, characters)]

    return run


def dependent(folder: Path, systems: dict[str, float], *, units: int = 40, seed: int = 3) -> list[str]:
    """Write scores whose differences are shared by ten segments each, which no file of documents says."""
    rng = np.random.default_rng(seed)
    base = rng.normal(0.7, 0.1, 10 * units)
    made = []
    for name, gain in systems.items():
        noise = np.repeat(rng.normal(0.0, 0.05, units), 10) + rng.normal(0.0, 0.04, 10 * units)
        scores = base + gain + (noise - noise.mean() if gain else 0.0)
        file = folder / f"{name}.tsv"
        file.write_text("adequacy\tfluency\n" + "".join(f"{x:.5f}\t{x + 0.1:.5f}\n" for x in scores), encoding="utf-8")
        made.append(file.name)
    return made


SAMPLE = ("--ref", "ref.1.txt", "baseline.1.txt")


@pytest.mark.parametrize(
    ("arguments", "code", "lines", "told"),
    [
        (("compare", *SAMPLE, "better.1.txt"), 0, LINES, ("better", "baseline", "BLEU", "+2.23", "p = .00")),
        (("compare", *SAMPLE, "similar.1.txt"), 0, LINES, ("similar", "baseline", "BLEU", "+0.17")),
        (("compare", *SAMPLE, "better.1.txt", "-m", "bleu", "-m", "chrf"), 0, LINES, ("+2.23", "+1.44")),
        (("compare", *SAMPLE, "better.1.txt", "--test", "koehn2004"), 0, LINES, ("10 %", "0.05")),
        (("gate", *SAMPLE, "better.1.txt"), 0, 1, ("PASS", "better", "BLEU")),
        (("gate", *SAMPLE, "similar.1.txt"), 1, 1, ("FAIL", "similar", "BLEU")),
    ],
)
def test_the_answer_comes_first(
    answered: Answered, arguments: tuple[str, ...], code: int, lines: int, told: tuple[str, ...]
) -> None:
    for text in answered(*arguments, code=code, lines=lines):
        assert [one for one in told if one not in text] == []
        assert "Warning" not in text


@pytest.mark.parametrize("study", ["compare", "gate"])
def test_dependence_is_told_beside_the_answer(home: Path, answered: Answered, study: str) -> None:
    given = dependent(home, {"base": 0.0, "new": 0.01})
    for text in answered(study, "-m", "scores:column=adequacy", *given, lines=2 if study == "gate" else LINES):
        assert "adequacy" in text
        assert "not reliable" in text


def test_a_researcher_who_confuses_files_is_warned(home: Path, answered: Answered) -> None:
    shutil.copy(home / "ref.1.txt", home / "ref.txt")
    shutil.copy(home / "ref.2.txt", home / "src.de")
    shutil.copy(home / "better.1.txt", home / "preferred.txt")
    for given, warned in (
        (("baseline.1.txt", "ref.txt", "preferred.txt"), "ref.txt"),
        (("ref.txt", "src.de", "preferred.txt"), "src.de"),
        (("src.de", "baseline.1.txt", "preferred.txt"), "src.de"),
        (("baseline.1.txt", "human=ref.txt", "preferred.txt"), None),
    ):
        for text in answered("compare", "--ref", *given):
            found = re.findall(r"Warning: (\S+)", text)
            assert found == ([warned] if warned else [])


def test_a_file_of_another_kind_is_told_with_what_to_type(home: Path, command: Command) -> None:
    means = {"results": {"arc": {"acc,none": 0.6}}, "config": {"limit": 300}, "date": 1.5}
    contents = {
        "sets.toml": "name = 'sets'\n",
        "quiz.csv": "model,question_id,correct\na,1,0\nb,1,1\n",
        "results.json": json.dumps(means),
        "indented.json": json.dumps(means, indent=2),
    }
    for name, content in contents.items():
        (home / name).write_text(content, encoding="utf-8")
    scores = ("compare", "-m", "scores")
    for given, told in (
        (("compare", "sets.toml"), "truegain run sets.toml"),
        (("compare", "quiz.csv"), "-m scores"),
        ((*scores, "a=results.json", "b=results.json"), "samples_*.jsonl"),
        ((*scores, "a=indented.json", "b=indented.json"), "samples_*.jsonl"),
    ):
        code, _, err = command(*given)
        assert (code, told in err) == (2, True), err


def test_a_researcher_with_seeds_as_files_is_told_how_to_give_runs(home: Path, answered: Answered) -> None:
    given = []
    for old, new in (("baseline", "base"), ("better", "new")):
        for run in "12":
            given.append(f"{new}.seed{run}.txt")
            shutil.copy(home / f"{old}.{run}.txt", home / given[-1])
    for text in answered("compare", "--ref", "ref.1.txt", *given):
        assert "Warning" in text
        assert "base='base.seed*.txt' new='new.seed*.txt'" in text
    shutil.copy(home / given[0], home / "base.seed9.txt")  # the pattern would take this one, too
    for text in answered("compare", "--ref", "ref.1.txt", *given):
        assert "base=base.seed1.txt,base.seed2.txt new='new.seed*.txt'" in text
    for text in answered("compare", "--ref", "ref.1.txt", f"base={','.join(given[:2])}", f"new={','.join(given[2:])}"):
        assert "Warning" not in text
        assert "BLEU" in text


def test_an_organiser_reads_one_row_per_system(home: Path, answered: Answered) -> None:
    gains = {"base": 0.0} | {f"s{i:02d}": 0.002 * (i - 15) or 0.001 for i in range(1, 30)}
    given = dependent(home, gains)
    columns = ("-m", "scores:column=adequacy", "-m", "scores:column=fluency")
    for text in answered("compare", *columns, *given, lines=80, characters=6_000):
        head, rows = text.split(" p Holm", 1)
        assert "10 are better than base in adequacy (s29 +0.0280, " in head
        assert "9 are worse than it (s01 −0.0280, " in head
        assert "not reliable" in head
        assert [len(re.findall(rf"\b{name} 0\.", rows)) for name in gains] == [2] * len(gains)  # one for each metric
    for text in answered("rank", *columns, *given, lines=6):
        assert "Warning" in text


def test_an_evaluator_of_language_models_has_questions_as_units(home: Path, answered: Answered) -> None:
    rng = np.random.default_rng(1)
    ease = rng.uniform(0.0, 0.9, 144)
    given = []
    for name, gain in (("GPT-3.5", 0.0), ("Llama-3.1", 0.1)):
        right = rng.uniform(size=(144, 5)) < (ease + gain)[:, None]
        rows = "".join(f"q{q:03d}\t{s}\t{int(right[q, s])}\n" for q in range(144) for s in range(5))
        given.append(f"{name}.tsv")
        (home / given[-1]).write_text(f"question\tsample\tcorrect\n{rows}", encoding="utf-8")
    asked = ("compare", "-m", "scores:column=correct", "--id-column", "question", *given)
    shown, page = answered(*asked, characters=1_000)
    for text in (shown, page):
        assert "Llama-3.1" in text
        assert "+7.4 points" in text
        assert "144 questions × 5 samples" in text
        assert "segments" not in text
        assert "Warning" not in text


def test_a_statistician_reads_what_the_adjustment_did(home: Path, answered: Answered) -> None:
    rng = np.random.default_rng(5)
    base = rng.normal(0.6, 0.1, 200)
    noise = rng.normal(0.0, 0.1, 200)
    noise -= noise.mean()
    for name, gain in (("base", 0.0), ("new", 0.0149), ("other", 0.001)):
        scores = base + (gain + noise * (1 if name == "new" else -1)) * (name != "base")
        rows = "".join(f"{x:.5f}\t{x:.5f}\n" for x in scores)
        (home / f"{name}.tsv").write_text(f"one\ttwo\n{rows}", encoding="utf-8")
    arguments = ("-m", "scores:column=one", "-m", "scores:column=two", "base.tsv", "new.tsv", "other.tsv")
    for text in answered("compare", *arguments, lines=20, characters=1_500):
        assert "new and other are not shown to differ from base" in text
        assert text.count(" .062") == 2
        assert "p Holm" in text
        assert unmarked("alone, p ≤ 0.05 for new in one, new in two") in unmarked(text)


def test_a_statistician_finds_warnings_under_the_table_of_a_paper(home: Path, command: Command) -> None:
    shutil.copy(home / "ref.1.txt", home / "oracle.txt")
    given = ("--ref", "ref.1.txt", "baseline.1.txt", "better.1.txt", "oracle.txt", "--layout", "paper", "-q")
    for format in ("terminal", "md", "latex"):
        _, out, _ = command("compare", *given, "-f", format)
        assert "Warning: oracle.txt" in " ".join(out.replace("\\_", "_").split())


def test_a_user_of_notebooks_sees_the_answer_first() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    base = rng.normal(0.5, 0.1, 120)
    frame = pandas.DataFrame({"base": base, "new": base + 0.05 + rng.normal(0.0, 0.05, 120)})
    result = tg.compare(frame, metrics=["scores"], baseline="base", resamples=500)
    html = result._repr_html_()
    for first in (" ".join(repr(result).splitlines()[:LINES]), html[: html.index("<table")]):
        assert ": +0.0" in first
    assert result["new"].significant
    doubted = tg.compare(frame, metrics=["scores"], baseline="base", test=["koehn2004"], resamples=500)
    html = doubted._repr_html_()
    assert "10 %" in html[: html.index("<table")]
