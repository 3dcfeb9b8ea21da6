"""Sentences are written, never read: no code looks into them, and none names an option of the command line to all.

The syntax of the source is looked at: texts that are written, not docstrings and comments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.schema import VALIDATOR
from truegain.inference.results import CAVEATS
from truegain.results import CLASSES

SOURCE = Path(__file__).resolve().parents[1] / "src" / "truegain"
#: Packages that make sentences or show them.
SPEAKING = ("studies", "procedures", "experiment", "inference", "cli")
#: Patterns over what users gave: names of runs, labels, texts of segments, numbers of parts, a command to be quoted.
PATTERNS = {"experiment/matching.py", "cli/github.py", "studies/inspect.py"}
#: Options of other programs.
OTHER_PROGRAMS = {
    "executors/pools.py": " --nthreads 1",
    "readers/tsv.py": "comet-score's --to_json FILE",
    "registry.py": "sacreBLEU --paired-",
    "scorers/program.py": "--",  # comet-score's
    "results.py": "pip install --upgrade",
}
PATTERN_FUNCTIONS = {"compile", "sub", "search", "match", "fullmatch", "findall", "finditer", "split"}
#: Patterns over drawings and over commands of LaTeX.
NOT_PROSE = {"report/latex.py"}
#: Names of what holds sentences, and the methods by which they would be read or rewritten.
SENTENCES = re.compile(r"claims?|notes?|caveats?|remarks?|said|sentences?|verdicts?|headline|methods")
READING = {"startswith", "endswith", "replace", "removeprefix", "removesuffix", "find", "index", "split", "partition"}


def files(*packages: str) -> list[Path]:
    """Return the modules of packages, or all."""
    return sorted(path for root in packages or ("",) for path in (SOURCE / root).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def texts(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module but docstrings, and but what is written for the command line alone."""
    passed = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Way":
            passed.update(id(part) for part in ast.walk(node))
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            yield node.lineno, node.value


def held_by(node: ast.expr) -> str:
    """Return the last name of an expression: ``claim`` of ``one.claim`` and of ``str(one.claim)``."""
    if isinstance(node, ast.Call):
        return held_by(node.args[0]) if node.args and getattr(node.func, "id", "") == "str" else held_by(node.func)
    if isinstance(node, ast.Subscript):
        return held_by(node.value)
    return getattr(node, "attr", getattr(node, "id", ""))


def test_no_option_of_the_command_line_is_named_below_it() -> None:
    for path in files():
        name = name_of(path)
        if name.startswith(("cli/", "settings/", "old_names")):  # old commands are answered there
            continue
        allowed = OTHER_PROGRAMS.get(name)
        for line, text in texts(tree(path)):
            named = re.search(r"(?<![\w-])--[a-z]", text) and not (allowed and allowed in text)
            assert not named, f"{name}:{line} names an option: {text!r}; see errors.Setting"


def check_unread(path: Path, name: str) -> None:
    """Refuse patterns, and tests and changes of what holds sentences."""
    module = tree(path)
    if name not in PATTERNS:
        imported = {alias.name for node in ast.walk(module) if isinstance(node, ast.Import) for alias in node.names}
        assert "re" not in imported, f"{name} has patterns; of what?"
    for node in ast.walk(module):
        where = f"{name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READING:
            held = held_by(node.func.value)
            assert not SENTENCES.fullmatch(held), f"{where} reads a sentence: {held}.{node.func.attr}"
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            left, held = node.left, held_by(node.comparators[0])
            looked = isinstance(left, ast.Constant) and isinstance(left.value, str) and SENTENCES.fullmatch(held)
            assert not looked, f"{where} looks for a text in a sentence: {held}"


def test_no_sentence_is_read() -> None:
    for path in files(*SPEAKING):
        check_unread(path, name_of(path))


def words_in_patterns(path: Path) -> list[str]:
    """Return the words, two letters or more, that the patterns of a module look for."""
    calls = [node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
    patterns = [call.args[0] for call in calls if held_by(call) in PATTERN_FUNCTIONS and call.args]
    texts = [part.value for one in patterns for part in ast.walk(one) if isinstance(part, ast.Constant)]
    return [word for text in texts for word in re.findall("[A-Za-z]{2,}", re.sub(r"\\.|A-Za-z", " ", str(text)))]


def test_renderers_look_for_signs_not_for_words() -> None:
    for path in files("report"):
        if name_of(path) not in NOT_PROSE:
            assert words_in_patterns(path) == [], path


def test_kinds_of_notes_are_on_the_page_of_results() -> None:
    made = [
        node.args[0]
        for path in files()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Note", "Caveat") and node.args
    ]
    kinds = {str(node.value) for node in made if isinstance(node, ast.Constant)}
    assert len(kinds) > 60
    page = (SOURCE.parents[1] / "docs" / "results.md").read_text(encoding="utf-8")
    table = page.partition("| notes on |")[2].partition("\n\n")[0]
    shown = {"segments"}  # in a notebook alone: nothing stored has it
    assert {kind for kind in kinds - {*CAVEATS} if f"`{kind}`" not in table} == shown


def test_keys_on_the_page_of_results_are_written() -> None:
    docs = SOURCE.parents[1] / "docs"
    table = (docs / "results.md").read_text(encoding="utf-8").partition("| key | meaning |")[2].partition("\n\n")[0]
    keys = {key for line in table.splitlines()[2:] for key in re.findall(r"`(\w+)`", line.split("|")[1])}
    written = {key for name in CLASSES.values() for key in VALIDATOR.schema["$defs"][name]["properties"]}
    assert len(keys) > 15
    assert keys <= written


@pytest.mark.parametrize(
    "line",
    [
        'if "new runs" in one.claim: pass',
        'notes[0].startswith("With only")',
        'said = str(one.claim).replace("this run", "these runs")',
        "import re",
    ],
)
def test_the_search_finds_what_it_is_for(line: str, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(line, encoding="utf-8")
    with pytest.raises(AssertionError):
        check_unread(tmp_path / "bad.py", "bad.py")


def test_the_search_finds_words_in_patterns(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text('re.sub(r"\\bs_(sel|dev)\\b", "", text)', encoding="utf-8")
    assert words_in_patterns(tmp_path / "bad.py") == ["sel", "dev"]
