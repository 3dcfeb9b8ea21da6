"""The registry of formats: a new one is one file and one entry, and every command knows it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import truegain.readers
from truegain.readers.formats import FORMATS, Entry, load, named, opened

Run = Callable[..., str]

DOCS = Path(__file__).resolve().parents[2] / "docs"


def add(name: str, code: str, entry: Entry, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a format as a person would: one file, one entry."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(truegain.readers, "__path__", [*truegain.readers.__path__, str(folder)])
    monkeypatch.setitem(FORMATS, name, entry)
    monkeypatch.setitem(sys.modules, f"truegain.readers.{name}", sys)  # so that it is taken out again
    del sys.modules[f"truegain.readers.{name}"]


@pytest.fixture
def formats(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the example of the page."""
    page = (DOCS / "adding.md").read_text(encoding="utf-8")
    code = next(one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "FORMAT =" in one)
    ((name, ending),) = re.findall(r'"(\w+)": Entry\(\("(\.\w+)",\)\),', page)
    place = tmp_path_factory.mktemp("readers")
    add(name, code, Entry((ending,)), place, monkeypatch)


NAMES = ("ref", "base", "new")
FILES = {ending: [f"{name}{ending}" for name in NAMES] for ending in (".txt", ".cues")}
SHORT = ("-R", "100", "-f", "tsv", "--no-cache", "-q")


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.usefixtures("formats")
def test_the_example_of_the_page_is_read_by_every_command(folder: Path, run: Run) -> None:
    for name in NAMES:
        lines = lines_of(folder / f"{name}.txt")
        (folder / f"{name}.cues").write_text("".join(f"{i}|{line}\n" for i, line in enumerate(lines)))
    plain = run("compare", "--ref", *FILES[".txt"], *SHORT)
    assert run("compare", "--ref", *FILES[".cues"], *SHORT) == plain
    for path in folder.glob("*.txt"):
        path.unlink()
    found = run("init", ".")
    assert f"{len(lines)} segments\n  reference  ref.cues\n2 systems: base, new\n" in found
    (folder / "new.cues").write_text("1|good\nbad\n")
    said = run("compare", "--ref", *FILES[".cues"], code=2)
    assert "new.cues:2: the line has no number" in said
    assert "write 12|the text" in said


def test_the_page_lists_every_format_which_opens_something() -> None:
    page = (DOCS / "inputs.md").read_text(encoding="utf-8")
    rows = ["| ending | format |", "| :-- | :-- |"]
    for name, entry in FORMATS.items():
        form = load(name)
        assert any((form.segments, form.text, form.texts, form.table, form.scores)), f"{name} opens nothing"
        assert bool(entry.mark) == bool(entry.signs), name
        rows.append(f"| {', '.join(f'`{one}`' for one in entry.endings) or 'any'} | {form.about} |")
    assert "\n".join([*rows, ""]) in page


def test_recognition_needs_no_other_module() -> None:
    assert named("a.txt") == named("-") == opened("some text") == opened("") == []
    assert named("a.trn.txt") == named("trn") == []
    assert named("A.TRN.XZ") == named("a.trn.gz") == named("a.trn") != []
    assert named("A.CONLLU.GZ") == [load("treebank")]
    assert named("a.jsonl") == [load("wmt_jsonl"), load("harness"), load("openai_evals"), load("json_lines")]
    assert opened('  {"a": 1}') == [load("inspect_log"), load("promptfoo"), load("comet_json"), *named("a.jsonl")]


@given(st.data(), st.sampled_from([entry for entry in FORMATS.values() if entry.mark]))
def test_a_line_that_fits_a_mark_has_one_of_its_signs(data: st.DataObject, entry: Entry) -> None:
    line = data.draw(st.from_regex(entry.mark))
    assert any(sign in line for sign in entry.signs)
