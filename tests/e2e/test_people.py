"""Each kind of person runs the command they would, and reads the answer and its warning in the first lines."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import truegain as tg

#: Lines of a terminal of 80 columns, and characters of a page's text behind its contents, that people read first.
LINES, CHARACTERS = 8, 600
Command = Callable[..., tuple[int, str, str]]
Answered = Callable[..., list[str]]


class _Text(HTMLParser):
    """Text of a page from its main part on."""

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.hidden, self.parts = False, 0, list[str]()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.inside |= tag == "main"
        self.parts.append(" ")
        self.hidden += tag in ("script", "noscript", "label")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("script", "noscript", "label")

    def handle_data(self, data: str) -> None:
        if self.inside and not self.hidden:
            self.parts.append(data)


def first_words(html: str, characters: int = CHARACTERS) -> str:
    parser = _Text()
    parser.feed(html)
    return " ".join("".join(parser.parts).split())[:characters]


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


def test_a_researcher_reads_whether_the_gain_is_real(answered: Answered) -> None:
    for text in answered("compare", "--ref", "ref.1.txt", "baseline.1.txt", "better.1.txt"):
        assert "better is better than baseline by BLEU (+2.23), for this output of each on new segments" in text
        assert "p = 0.00" in text
    for text in answered("compare", "--ref", "ref.1.txt", "baseline.1.txt", "similar.1.txt"):
        assert "BLEU does not show that similar and baseline differ: +0.17, 95 % interval" in text


def test_a_researcher_reads_which_metrics_disagree(answered: Answered) -> None:
    arguments = ("--ref", "ref.1.txt", "-m", "bleu", "-m", "chrf", "-m", "length", "baseline.1.txt", "better.1.txt")
    for text in answered("compare", *arguments):
        assert "better is better than baseline by BLEU (+2.23) and chrF2 (+1.44)" in text


def test_a_researcher_is_warned_of_dependence_beside_the_answer(home: Path, answered: Answered) -> None:
    given = dependent(home, {"base": 0.0, "new": 0.01})
    for text in answered("compare", "-m", "scores:column=adequacy", *given):
        assert "new is better than base by adequacy (+0.0100)" in text
        assert "this is not reliable" in text
        assert "neighbouring segments are correlated, so this p-value is too small" in text


def test_a_researcher_who_confuses_files_is_warned(home: Path, answered: Answered) -> None:
    shutil.copy(home / "ref.1.txt", home / "ref.txt")
    shutil.copy(home / "ref.2.txt", home / "src.de")
    shutil.copy(home / "better.1.txt", home / "preferred.txt")
    for text in answered("compare", "--ref", "baseline.1.txt", "ref.txt", "preferred.txt"):
        assert "Warning: ref.txt has the name of a reference, and was taken for a system; if it is one, write" in text
        assert "preferred.txt has the name" not in text
    for text in answered("compare", "--ref", "ref.txt", "src.de", "preferred.txt"):
        assert "Warning: src.de has the name of a source, and was taken for a system; if it is one, write" in text
    for text in answered("compare", "--ref", "baseline.1.txt", "human=ref.txt", "preferred.txt"):
        assert "Warning" not in text
    for text in answered("compare", "--ref", "src.de", "baseline.1.txt", "preferred.txt"):
        assert "Warning: src.de has the name of a source, and was taken for a reference" in text


def test_an_experiment_file_is_run_not_compared(home: Path, command: Command) -> None:
    (home / "sets.toml").write_text("name = 'sets'\n", encoding="utf-8")
    code, _, err = command("compare", "sets.toml")
    said = "this is an experiment file, not the outputs of a system\n  run it: truegain run sets.toml"
    assert (code, err.strip()) == (2, f"truegain: sets.toml: {said}")


def test_an_evaluator_is_told_that_scores_are_compared_by_their_metric(home: Path, command: Command) -> None:
    (home / "quiz.csv").write_text("model,question_id,correct\na,1,0\nb,1,1\n", encoding="utf-8")
    code, _, err = command("compare", "quiz.csv")
    assert (code, err.splitlines()[1]) == (2, "  name it: --text-column; if it holds scores: -m scores")
    means = {"results": {"arc": {"acc,none": 0.6}}, "config": {"limit": 300}, "date": 1.5}
    for indent in (None, 2):
        (home / "results.json").write_text(json.dumps(means, indent=indent), encoding="utf-8")
        code, _, err = command("compare", "-m", "scores", "a=results.json", "b=results.json")
        assert code == 2
        assert "results.json: the file is one JSON object; a list, or an object per line, was expected" in err
        assert "lm_eval writes the scores of each in samples_*.jsonl" in err
    (home / "one.json").write_text('{\n"score": 1\n}\n', encoding="utf-8")
    code, _, err = command("compare", "-m", "scores", "a=one.json", "b=one.json")
    assert (code, err.strip().count("\n")) == (2, 0)
    assert "the file is one JSON object" in err


def test_a_researcher_with_seeds_as_files_is_told_how_to_give_runs(home: Path, answered: Answered) -> None:
    given = []
    for old, new in (("baseline", "base"), ("better", "new")):
        for run in "12":
            given.append(f"{new}.seed{run}.txt")
            shutil.copy(home / f"{old}.{run}.txt", home / given[-1])
    for text in answered("compare", "--ref", "ref.1.txt", *given):
        assert "Warning: 4 files look like runs of 2 systems, and each was taken for a system of its own" in text
        assert "write base='base.seed*.txt' new='new.seed*.txt' to give runs" in text
    shutil.copy(home / given[0], home / "base.seed9.txt")  # the pattern would take this one, too
    for text in answered("compare", "--ref", "ref.1.txt", *given):
        assert "write base=base.seed1.txt,base.seed2.txt new='new.seed*.txt' to give runs" in text
    for text in answered("compare", "--ref", "ref.1.txt", f"base={','.join(given[:2])}", f"new={','.join(given[2:])}"):
        assert "Warning" not in text
        assert "BLEU" in text
        assert "for new runs on new segments" in text or "does not show that new and base differ" in text


def test_an_organiser_reads_one_row_per_system(home: Path, answered: Answered) -> None:
    gains = {"base": 0.0} | {f"s{i:02d}": 0.002 * (i - 15) or 0.001 for i in range(1, 30)}
    given = dependent(home, gains)
    columns = ("-m", "scores:column=adequacy", "-m", "scores:column=fluency")
    shown, page = answered("compare", *columns, *given, lines=40, characters=2_500)
    for text in (shown, page):
        head, note = text.split("s29 ", 1)
        assert "against base Δ adequacy Δ fluency answer s01 ▼ −0.0280 ▼ −0.0280 worse" in head
        assert note.startswith("▲ +0.0280 ? ▲ +0.0280 ? better ?")
        assert "? not reliable: neighbouring segments are correlated, so these p-values are too small." in note
        assert "worse ?" in head
    for text in answered("rank", *columns, *given, lines=6):
        assert "Warning: Neighbouring segments are correlated" in text


def test_an_engineer_reads_pass_or_fail_and_why(
    home: Path, answered: Answered, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("--ref", "ref.1.txt", "baseline.1.txt")
    passed = answered("gate", *texts, "better.1.txt", lines=1)
    failed = answered("gate", *texts, "similar.1.txt", lines=1, code=1)
    assert passed[0] == "PASS: better is better than baseline (BLEU)"
    assert failed[0] == "FAIL: similar is not shown to be better than baseline (BLEU)"
    assert "PASS" in passed[1]
    assert "FAIL" in failed[1]
    given = dependent(home, {"base": 0.0, "new": 0.01})
    doubted = answered("gate", "-m", "scores:column=adequacy", *given, lines=1)
    assert all("new is better than base (adequacy), but this is not reliable" in text for text in doubted)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(home / "summary.md"))
    assert command("gate", *texts, "similar.1.txt", "-q")[0] == 1
    summary = (home / "summary.md").read_text(encoding="utf-8")
    assert "similar is not shown to be better than baseline" in " ".join(summary.split("\n")[:3])


def test_an_evaluator_of_language_models_has_questions_as_units(home: Path, answered: Answered) -> None:
    rng = np.random.default_rng(1)
    ease = rng.uniform(0.0, 0.9, 144)
    given = []
    for name, gain in (("GPT-3.5", 0.0), ("Llama-3.1", 0.1)):
        right = rng.uniform(size=(144, 5)) < (ease + gain)[:, None]
        rows = "".join(f"q{q:03d}\t{s}\t{int(right[q, s])}\n" for q in range(144) for s in range(5))
        given.append(f"{name}.tsv")
        (home / given[-1]).write_text(f"question\tsample\tcorrect\n{rows}", encoding="utf-8")
    arguments = ("-m", "scores:column=correct", "--id-column", "question", *given)
    shown, page = answered("compare", *arguments)
    assert shown.startswith("segment scores 144 segments")
    for text in (shown, page):
        assert "Llama-3.1 is better than GPT-3.5 by correct (+0.0736)" in text
        assert "Warning" not in text


def test_a_statistician_reads_the_error_rate_of_an_old_test(answered: Answered) -> None:
    arguments = ("--ref", "ref.1.txt", "--test", "koehn2004", "baseline.1.txt", "better.1.txt")
    for text in answered("compare", *arguments):
        assert "this test rejects 10 % of true nulls at 0.05" in text


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
    for text in answered("compare", *arguments):
        assert "new is not shown to differ from base by one or two. Alone, one (p = 0.0" in text
        assert "are significant; after Holm for 2 comparisons they are not (p = 0.0" in text


def test_a_statistician_finds_warnings_under_the_table_of_a_paper(home: Path, command: Command) -> None:
    shutil.copy(home / "ref.1.txt", home / "oracle.txt")
    given = ("--ref", "ref.1.txt", "baseline.1.txt", "better.1.txt", "oracle.txt", "--layout", "paper", "-q")
    warning = "oracle.txt: its outputs are ref.1.txt to the letter; a reference may have been given as a system."
    for format in ("terminal", "md", "latex"):
        _, out, _ = command("compare", *given, "-f", format)
        assert f"Warning: {warning}" in " ".join(out.replace("\\_", "_").split())


def test_a_user_of_notebooks_sees_the_answer_first() -> None:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    base = rng.normal(0.5, 0.1, 120)
    frame = pandas.DataFrame({"base": base, "new": base + 0.05 + rng.normal(0.0, 0.05, 120)})
    result = tg.compare(frame, metrics=["scores"], baseline="base", resamples=500)
    said = "new is better than base by score (+0.0"
    assert said in " ".join(repr(result).splitlines()[:LINES])
    html = result._repr_html_()
    assert said in html[: html.index("<table")]
    assert result["new"].significant
    doubted = tg.compare(frame, metrics=["scores"], baseline="base", test=["koehn2004"], resamples=500)
    html = doubted._repr_html_()
    assert "this test rejects 10 % of true nulls at 0.05" in html[: html.index("<table")]
