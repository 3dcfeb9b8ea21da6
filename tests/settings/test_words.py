"""What errors name, as the command line, experiment files and Python write it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

import truegain as tg
from tests.refusals import refused
from truegain.cli.options import development_options, input_options
from truegain.errors import FILE, NAME, InputError, Setting, Way, Written, command
from truegain.readers.experiment_keys import DEVELOPMENT, EXPERIMENT, TESTSET
from truegain.settings.words import INPUTS, as_key, as_option, in_words_of

OF_NEW, DEV = Setting("scores", {"new": "FILE"}), Setting("development", {"NAME": "dev/NAME.*.txt"})


@pytest.mark.parametrize(
    ("written", "option", "key", "python"),
    [
        (Setting("unit"), "--unit", "unit", "unit"),
        (Setting("unit", "block"), "--unit block", 'unit = "block"', 'unit="block"'),
        (Setting("resamples", 10_000), "--resamples 10000", "resamples = 10000", "resamples=10000"),
        (Setting("documents", FILE), "--docs FILE", 'documents = "FILE"', "documents=…"),
        (Setting("references", FILE), "--ref FILE", 'reference = "FILE"', "references=…"),
        (Setting("metrics", ("las",)), "-m las", 'metrics = ["las"]', 'metrics=["las"]'),
        (Setting("id_column", NAME), "--id-column NAME", 'id_column = "NAME"', "truegain.read_corpus(…, id_column=…)"),
        (OF_NEW, "--scores new=FILE", 'scores = {new = "FILE"}', 'truegain.read_corpus(…, scores=["new=FILE"])'),
        (DEV, "--dev NAME='dev/NAME.*.txt'", 'development.systems = {NAME = "dev/NAME.*.txt"}', "development=…"),
        (
            Setting("systems", {"base": "base.*.txt", "new": "new.*.txt"}),
            "base='base.*.txt' new='new.*.txt'",
            'systems = {base = "base.*.txt", new = "new.*.txt"}',
            'systems={"base": […], "new": […]}',
        ),
        (command("score"), "truegain score", None, "truegain.score"),
        (Way("-o FILE", "save(…)"), "-o FILE", None, "save(…)"),
        (Setting("jobs"), "--jobs", None, "jobs"),
        (Setting("sizes", (100, 200)), "--sizes 100,200", None, "sizes=[100, 200]"),
        (Setting("run_sd", 0.3), "--run-sd 0.3", None, "run_sd=0.3"),
        (Setting("segment_counts"), "--segments", None, "segment_counts"),
    ],
)
def test_what_users_write(written: Written, option: str, key: str | None, python: str) -> None:
    error = InputError(("no: ", written), hint=("use ", written, ", say"))
    assert str(error) == f"no: {python}\n  use {python}, say"
    assert (error.message, error.hint) == (f"no: {python}", f"use {python}, say")
    assert str(error.worded(as_option)) == f"no: {option}\n  use {option}, say"
    keyed = error.worded(as_key)
    assert str(keyed) == f"no: {key or python}\n  use {key or python}, say"
    assert str(keyed.worded(as_option)) == f"no: {key or option}\n  use {key or option}, say"


def test_inputs_have_the_options_and_keys_that_are_read() -> None:
    @input_options
    @development_options
    def inputs() -> None: ...

    flags = {flag for one in click.command()(inputs).params if isinstance(one, click.Option) for flag in one.opts}
    keys = {*EXPERIMENT.keys, *TESTSET.keys, *(f"development.{key}" for key in DEVELOPMENT.keys)}
    assert {flag for flag, _ in INPUTS.values() if flag} <= flags
    assert {key for _, key in INPUTS.values()} <= keys


def test_errors_of_an_experiment_are_about_its_file_unless_about_another() -> None:
    own = InputError("odd", hint=("leave out ", Setting("adjust")))
    other = InputError("odd", path="ref.txt", line=3)
    for error, place in ((own, "e.toml"), (other, "ref.txt:3")):
        with refused(naming=[place]), in_words_of("e.toml"):
            raise error


def test_run_in_python_speaks_of_keys(tmp_path: Path) -> None:
    for name in ("ref", "a", "b"):
        (tmp_path / f"{name}.txt").write_text(f"the cat {name}\n" * 3)
    file = tmp_path / "e.toml"
    systems = '[systems]\na = "a.txt"\nb = "b.txt"'
    file.write_text(f'unit = "document"\n{systems}\n[[testset]]\nname = "one"\nreference = "ref.txt"\n')
    with pytest.raises(InputError) as caught:
        tg.run(file)
    assert str(caught.value).startswith(str(file))
    assert caught.value.hint == 'give them: documents = "FILE"'


#: What looks like an option of ours and is another program's.
_OTHERS = ("dask worker ", " --nthreads 1", "pip install --upgrade", "promptfoo export eval", "comet-score's --to_json")
_OPTION = re.compile(r"(?<![\w-])(--[a-z]|-[moR] )")


@cache
def _trees() -> dict[Path, ast.Module]:
    """Everything that is written in the package, by file."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in Path(tg.__file__).parent.rglob("*.py")}


def _said(tree: ast.AST) -> Iterator[ast.expr]:
    """Everything that errors are made of, in calls or before: messages, hints, and constants for them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and "InputError" in ast.unparse(node.func):
            yield from (*node.args, *(one.value for one in node.keywords))
        elif isinstance(node, ast.keyword) and node.arg == "hint":
            yield node.value
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            if target.lower().strip("_") in ("hint", "where", "memory"):
                yield node.value


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts in it, but those for the command line alone."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Way":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


@pytest.mark.whole
def test_no_error_below_the_command_line_spells_an_option() -> None:
    root = Path(tg.__file__).parent
    trees = [one for one in _trees().items() if one[0].relative_to(root).parts[0] not in ("cli", "settings")]
    said = {(path.name, text) for path, tree in trees for part in _said(tree) for text in _texts(part)}
    assert len(said) > 1000
    assert not [one for one in said if _OPTION.search(one[1]) and not any(other in one[1] for other in _OTHERS)]


@pytest.mark.whole
def test_no_text_holds_pieces_of_an_error_as_they_are() -> None:
    """Pieces go into a tuple: in a text they would be shown as data."""
    for path, tree in _trees().items():
        pieces = {"Setting", "Way", "command"}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                named = {"Text", "Setting"} & set(re.findall(r"\w+", ast.unparse(node.returns)))
                pieces |= {node.name} if named else set()
            elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Tuple):
                made = any(isinstance(one, ast.Call) and ast.unparse(one.func) in pieces for one in node.value.elts)
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                pieces |= {ast.unparse(target)} if made else set()
        for node in ast.walk(tree):
            if isinstance(node, ast.FormattedValue):
                shown = node.value.func if isinstance(node.value, ast.Call) else node.value
                assert ast.unparse(shown) not in pieces - {"command", "hint"}, (path, ast.unparse(node))


@pytest.mark.whole
def test_an_error_raised_again_keeps_what_it_is_made_of() -> None:
    """Its message is a text of Python by then: said and advice are what to pass on."""
    for path, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and "InputError" in ast.unparse(node.func):
                assert "error.message" not in ast.unparse(node), path
                assert "error.hint" not in ast.unparse(node), path
