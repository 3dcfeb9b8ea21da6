"""Experiment files: what they say, and what is said of those that cannot be used."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.experiment_file import LIMIT, ExperimentFile, read_experiment
from truegain.readers.experiment_keys import DEVELOPMENT, EXPERIMENT, SETTINGS, TESTSET

GOOD = """\
name = "two sets"
metrics = ["bleu", {name = "chrf", word_order = 2}]
baseline = "base"
test = ["ar", "t"]
alpha = 0.01
resamples = "auto"
adjust = "bh"
outputs = ["report.html", "out/table.tex"]

[systems]
base = "{testset}/base.*.txt"
new = ["{testset}/new.1.txt", "{testset}/new.2.txt"]

[[testset]]
name = "news"
reference = "news/ref.txt"
source = "news/src.txt"
documents = "news/docs.txt"

[[testset]]
name = "talks"
reference = ["talks/ref.txt", "talks/ref2.txt"]
domain = "talks"
"""
LINES = ["the cat sat on the mat", "a dog ran off", "it was late", "they left at noon"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("news", "talks"):
        place = tmp_path / name
        place.mkdir()
        for system in ("base", "new"):
            for run in (1, 2):
                text = [f"{line} {system if i == run else ''}".strip() for i, line in enumerate(LINES)]
                (place / f"{system}.{run}.txt").write_text("\n".join(text) + "\n")
        for one in ("ref", "ref2", "src"):
            (place / f"{one}.txt").write_text("\n".join(LINES) + "\n")
        (place / "docs.txt").write_text("d1\nd1\nd2\nd2\n")
    (tmp_path / "out").mkdir()
    return tmp_path


def written(folder: Path, text: str, name: str = "experiment.toml") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def refusal_of(folder: Path, text: str) -> InputError:
    with pytest.raises(InputError) as caught:
        read_experiment(written(folder, text))
    return caught.value


def test_what_a_file_says(folder: Path) -> None:
    read = read_experiment(written(folder, GOOD))
    assert isinstance(read, ExperimentFile)
    assert read.name == "two sets"
    assert read.metrics == ("bleu", "chrf:word_order=2")
    assert read.settings == {
        "baseline": "base",
        "test": ("ar", "t"),
        "alpha": 0.01,
        "resamples": "auto",
        "adjust": "bh",
    }
    assert [one.name for one in read.testsets] == ["news", "talks"]
    news = read.testsets[0]
    assert news.systems["base"] == tuple(str(folder / f"news/base.{run}.txt") for run in (1, 2))
    assert read.outputs == (str(folder / "report.html"), str(folder / "out/table.tex"))
    first, second = read.corpora()
    assert (first.name, first.segments, first.documents) == ("news", 4, ("d1", "d1", "d2", "d2"))
    assert [len(system.runs) for system in first.systems] == [2, 2]
    assert (len(second.references), second.domains) == (2, ("talks",) * 4)


def test_paths_go_from_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(folder, GOOD)
    monkeypatch.chdir(folder)
    read = read_experiment("experiment.toml")
    assert read.testsets[0].references == ("news/ref.txt",), "as a user would write it"
    monkeypatch.chdir(folder / "news")
    assert len(read_experiment("../experiment.toml").corpora()) == 2


def test_defaults(folder: Path) -> None:
    systems = '{a = "news/base.1.txt", b = "news/new.1.txt"}'
    text = f'[[testset]]\nname = "news"\nreference = "news/ref.txt"\nsystems = {systems}\n'
    read = read_experiment(written(folder, text, "short.toml"))
    assert (read.name, read.metrics, read.settings, read.outputs) == ("short", ("bleu",), {}, ())


def test_every_default_that_init_writes_as_a_comment_may_be_written(folder: Path) -> None:
    systems = '{a = "news/base.1.txt", b = "news/new.1.txt"}'
    text = f'[[testset]]\nname = "news"\nreference = "news/ref.txt"\nsystems = {systems}\n'
    defaults = {key: one.default for key, one in SETTINGS.items() if one.default is not None}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in defaults.items())
    read = read_experiment(written(folder, lines + text)).settings
    assert {key: value[0] if isinstance(value, tuple) else value for key, value in read.items()} == defaults


def test_scores_instead_of_text(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / f"{name}.scores").write_text("0.1\n0.2\n0.3\n")
    systems = 'systems = {a = "a.scores", b = "b.scores"}'
    read = read_experiment(written(folder, f'metrics = ["scores"]\n[[testset]]\nname = "x"\n{systems}\n'))
    assert read.corpora()[0].systems[0].runs[0].outputs is None
    beside = (
        '[[testset]]\nname = "news"\nreference = "news/ref.txt"\nsystems = {a = "news/base.1.txt"}\n'
        'scores = {a = "four.scores"}\n'
    )
    (folder / "four.scores").write_text("1\n2\n3\n4\n")
    read = read_experiment(written(folder, beside))
    assert read.metrics == ("bleu", "scores")
    assert list(read.corpora()[0].systems[0].runs[0].scores) == ["score"]


def test_a_development_set(folder: Path) -> None:
    more = (
        '\n[development]\nreference = "talks/ref.txt"\nsystems = {new = "talks/new.*.txt", base = "talks/base.*.txt"}\n'
    )
    corpus = read_experiment(written(folder, GOOD + more)).development_corpus()
    assert corpus is not None
    assert [system.name for system in corpus.systems] == ["base", "new"]
    assert "the systems base, new were expected" in refusal_of(folder, GOOD + more.replace("new =", "old =")).message
    assert "needs a reference and systems" in refusal_of(folder, GOOD + "\n[development]\n").message


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("baseline =", "basline =", 3, "there is no key 'basline' … did you mean 'baseline'?"),
        ('source = "news/src.txt"', 'sauce = "x"', 17, "there is no key 'sauce' in testset 1 … did you mean 'source'?"),
        ('domain = "talks"', 'zzz = "talks"', 23, "there is no key 'zzz' in testset 2 … known keys: name, reference"),
        ("alpha = 0.01", "alpha = 5", 5, "alpha: a number between 0 and 1 was expected; found 5"),
        ("alpha = 0.01", "alpha = true", 5, "alpha: a number between 0 and 1 was expected; found true"),
        ('resamples = "auto"', "resamples = 0", 6, "resamples: a whole number from 1 to 1000000000, or auto,"),
        ("alpha = 0.01", "seed = -1", 5, "seed: a whole number from 0 to 18446744073709551615 was expected; found -1"),
        (
            'domain = "talks"',
            "references_per_line = 1001",
            23,
            "a whole number from 1 to 1000 was expected; found 1001",
        ),
        ("alpha = 0.01", 'standard_errors = "no"', 5, "standard_errors: true or false was expected; found 'no'"),
        ('adjust = "bh"', 'adjust = "bf"', 7, "adjust: one of none, bonferroni"),
        ('test = ["ar", "t"]', 'test = "arr"', 4, "test: one of auto, "),
        ('baseline = "base"', 'baseline = "old"', 3, "'old' is not among the systems … they are: base, new"),
        ('name = "news"', "name = 5", 15, "name: a text was expected; found 5"),
        ('metrics = ["bleu", {', "metrics = [5, {", 2, "metrics: a metric such as"),
        ('reference = "news/ref.txt"', "reference = []", 16, "reference: a text, or a list of texts, was expected"),
        (
            'base = "{testset}/base.*.txt"',
            'base = "{testset}/bass.*.txt"',
            11,
            "base: no file matches 'news/bass.*.txt'",
        ),
        ('base = "{testset}/base.*.txt"', '"a=b" = "x"', 11, "a system cannot be named 'a=b'"),
        ('name = "talks"', 'name = "news"', None, "two test sets are named 'news'"),
        ('domain = "talks"', 'domain = "x"\ndomain_column = "y"', 23, "the domain is given twice"),
        ('["report.html", "out/table.tex"]', '"../report.html"', 8, "'../report.html' leads out of the folder"),
        ('["report.html", "out/table.tex"]', '"/tmp/report.html"', 8, "leads out of the folder … save() of the result"),
        ('["report.html", "out/table.tex"]', '"out/../../x.html"', 8, "leads out of the folder"),
        ('["report.html", "out/table.tex"]', '"news/ref.txt"', 8, "'news/ref.txt' is a file that the experiment reads"),
        ('["report.html", "out/table.tex"]', '"experiment.toml"', 8, "is a file that the experiment reads"),
        ("[[testset]]", "[testset]", None, "this is not TOML"),
        ("[systems]", "[systems", 10, "this is not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(folder: Path, old: str, new: str, line: int | None, words: str) -> None:
    assert old in GOOD
    error = refusal_of(folder, GOOD.replace(old, new))
    text = f"{error.message} … {error.hint}"
    for part in words.split(" … "):
        assert part in text
    assert error.path == str(folder / "experiment.toml")
    if line is not None:
        assert error.line == line


def test_a_missing_file_is_named(folder: Path) -> None:
    error = refusal_of(folder, GOOD.replace("news/docs.txt", "news/documents.txt"))
    assert (error.path, error.message) == (str(folder / "news/documents.txt"), "there is no such file")
    assert "experiment.toml names it, for 'news'" in str(error.hint)


def test_a_source_of_another_length(folder: Path) -> None:
    (folder / "news/src.txt").write_text("one\n")
    with refused(naming=["src.txt", "1", "4"]):
        read_experiment(written(folder, GOOD)).corpora()


def test_systems_that_differ_between_sets(folder: Path) -> None:
    error = refusal_of(folder, GOOD + 'systems = {third = "talks/new.1.txt"}\n')
    assert "'third' is on 'talks' and not on 'news'" in error.message


@pytest.mark.parametrize("text", ["", "alpha = 0.05\n", "testset = []\n"])
def test_no_test_set(folder: Path, text: str) -> None:
    assert refusal_of(folder, text).message == "there is no test set"


def test_no_systems(folder: Path) -> None:
    assert "has no systems" in refusal_of(folder, '[[testset]]\nname = "news"\nreference = "news/ref.txt"\n').message


def test_links_that_lead_out_are_refused(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (folder / "link").symlink_to(elsewhere)
    assert "leads out" in refusal_of(folder, GOOD.replace("out/table.tex", "link/table.tex")).message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_and_devices_are_neither_waited_for_nor_written_to(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "pipe.html")
    first = next(one for one in folder.rglob("*.txt") if one.name != "pipe.txt").relative_to(folder)
    text = f'[[testset]]\nname = "a"\nreference = "{first}"\n[testset.systems]\nbase = "{first}"\nnew = FILE\n'
    for name in ("pipe.txt", "p?pe.txt", "/dev/null", "/dev/zero"):
        assert "this is a pipe or a device" in refusal_of(folder, text.replace("FILE", f'"{name}"')).message
    outputs = 'outputs = ["pipe.html"]\n'
    message = refusal_of(folder, outputs + text.replace("FILE", f'"{first}"')).message
    assert "'pipe.html' is a pipe or a device" in message


def test_files_that_are_none(folder: Path) -> None:
    for data, words in (
        (b'name = "\xff"\n', r"byte 9 of the line \(0xff\) is not UTF-8"),
        (b"#" * (LIMIT + 1), "larger than 4 MB"),
        (b"a = " + b"[" * 5000, "this TOML cannot be read"),
        (b"alpha = " + b"9" * 5000, "this TOML cannot be read"),
    ):
        (folder / "odd.toml").write_bytes(data)
        with pytest.raises(InputError, match=words):
            read_experiment(folder / "odd.toml")
    with refused(naming=["none.toml"]):
        read_experiment(folder / "none.toml")
    with refused():
        read_experiment(folder)


def test_every_key_is_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    for key in (*EXPERIMENT.keys, *TESTSET.keys, *DEVELOPMENT.keys):
        assert f"`{key}`" in page, key


PLAIN = st.one_of(
    st.text(max_size=12),
    st.integers(-3, 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.sampled_from(
        ["news/ref.txt", "news/base.1.txt", "auto", "bleu", "ar", "*", "[", "../x.html", "{testset}", "\0"]
    ),
)
KEYS = st.one_of(st.sampled_from([*EXPERIMENT.keys, *TESTSET.keys, "x", ""]), st.text(max_size=4))
VALUES = st.recursive(
    PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)), max_leaves=12
)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(str(key))} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value.encode(errors="replace").decode()).replace("\x7f", "\\u007f")
    return json.dumps(value)


@pytest.mark.whole
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.dictionaries(KEYS, VALUES, max_size=6))
def test_any_table_is_an_experiment_or_refused(folder: Path, data: dict[str, Any]) -> None:
    text = "".join(f"{toml(str(key))} = {toml(value)}\n" for key, value in data.items())
    with contextlib.suppress(InputError):
        assert read_experiment(written(folder, text, "any.toml")).testsets


@pytest.mark.whole
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(st.sampled_from([*EXPERIMENT.keys, *TESTSET.keys]), VALUES, st.booleans())
def test_any_value_of_a_key_is_taken_or_refused(folder: Path, key: str, value: Any, inside: bool) -> None:
    line = f"{key} = {toml(value)}\n"
    text = GOOD + line if inside else line + GOOD
    with contextlib.suppress(InputError):
        assert read_experiment(written(folder, text, "any.toml")).testsets


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_an_experiment_or_refused(folder: Path, data: bytes) -> None:
    (folder / "bytes.toml").write_bytes(data)
    with refused(naming=["bytes.toml"]):
        read_experiment(folder / "bytes.toml")
