"""Which files are which system, how systems without a name are called, and what names of files say."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.readers.files import location, write
from tests.refusals import refused
from truegain.readers.file_names import sources_as_references, swapped_roles, systems_as_runs
from truegain.readers.labels import read_labels
from truegain.readers.sources import Source, parse_sources, short_names, split_choice


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("base.1.txt", "base.2.txt", "base.10.txt", "new.1.txt", "a=b.txt", "x,y.txt", "odd[1].txt"):
        (tmp_path / name).write_text("line\n")
    return tmp_path


def test_names_globs_and_lists(folder: Path) -> None:
    assert parse_sources(["base.1.txt", "b=base.*.txt", "n=new.1.txt,base.1.txt"]) == [
        Source("base.1", ("base.1.txt",)),
        Source("b", ("base.1.txt", "base.10.txt", "base.2.txt")),
        Source("n", ("new.1.txt", "base.1.txt")),
    ]
    assert parse_sources(["n*.txt"]) == [Source("new.1", ("new.1.txt",))]  # one file, which needs no name
    assert parse_sources(["-", "new.1.txt"]) == [Source("stdin", ("-",)), Source("new.1", ("new.1.txt",))]
    absolute = (f"{folder}/base.1.txt", f"{folder}/base.2.txt")
    assert parse_sources([f"base={folder}/base.?.txt"]) == [Source("base", absolute)]
    for name in ("a=b.txt", "x,y.txt", "odd[1].txt"):  # a file that exists is meant however it is called
        assert parse_sources([name])[0].paths == (name,)
        assert parse_sources([f"system={name}"]) == [Source("system", (name,))]
    many = tuple(f"run{number}.txt" for number in range(1000))  # a list that is longer than a name may be
    for path in many:
        Path(path).touch()
    assert parse_sources(["base=" + ",".join(many)]) == [Source("base", many)]


@pytest.mark.parametrize(
    ("arguments", "naming"),
    [
        (["none*.txt"], ["'none*.txt'", "quoted"]),
        (["b=none*.txt"], ["'none*.txt'", "quoted"]),
        (["base.*.txt"], ["'base.*.txt'", 3, "NAME='base.*.txt'"]),
        (["b="], ["'b'", "NAME=FILE"]),
        (["b=,"], ["'b'", "NAME=FILE"]),
        (["none.txt"], ["none.txt: "]),
        (["b=base.1.txt,none.txt"], ["none.txt: "]),
        (["=base.1.txt"], ["=base.1.txt: "]),
        # A name may be longer than any file has.
        *(([argument], []) for argument in ("x" * 300, "b=" + "x" * 300, "b=" + "x/" * 3000)),
        # Standard input is read once.
        *((arguments, []) for arguments in (["-", "-"], ["a=-", "-"], ["a=-,-"], ["a=base.1.txt,-", "b=-"])),
    ],
)
def test_what_is_not_there_is_said(arguments: list[str], naming: list[object]) -> None:
    with refused(naming=naming):
        parse_sources(arguments)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a/base/out.txt", "a/new/out.txt"], ["base", "new"]),
        (["wmt.base.de", "wmt.new.de"], ["base", "new"]),
        (["out/base.txt"], ["base"]),
        (["out/base.txt.gz"], ["base"]),
        (["base.txt.gz", "new.txt.xz"], ["base", "new"]),
        (["base.txt.gz", "new.txt"], ["base", "new"]),
        (["a/b/x.de", "a/c/y.de"], ["b/x", "c/y"]),
        (["x/a.txt", "a.txt"], ["x/a", "a"]),
        (["newstest2017.online-A.0.en-de", "newstest2017.uedin-nmt.4723.en-de"], ["online-A.0", "uedin-nmt.4723"]),
        (["Llama-3.1.txt", "Llama-3.2.txt"], ["Llama-3.1", "Llama-3.2"]),
        (["out/Qwen2.5.de", "out/Qwen2.5-7B.de", "out/gpt-4.1-mini.de"], ["Qwen2.5", "Qwen2.5-7B", "gpt-4.1-mini"]),
        (["GPT-3.5", "GPT-4"], ["GPT-3.5", "GPT-4"]),
        (["out/GPT-3.5"], ["GPT-3.5"]),
        (["bk29.09.en", "bk29.10.en"], ["09", "10"]),
        # The time of a log is no part of a name.
        ([f"out/{one}/samples_x_2024-05-0{i}T10-20-30.{i}23456.jsonl" for i, one in enumerate("ab")], ["a", "b"]),
        (["a/samples_x_2024.txt", "b/samples_x_2025.txt"], ["a/samples_x_2024", "b/samples_x_2025"]),
        (["-"], ["stdin"]),
        (["-", "new.txt"], ["stdin", "new"]),
        ([], []),
    ],
)
def test_short_names(paths: list[str], names: list[str]) -> None:
    assert short_names(paths) == names


_part = st.text("ab1_.-", min_size=1, max_size=4).filter(lambda part: part.strip(".") != "" and part != "-")
_path = st.builds(
    lambda parts, ending: "/".join(parts) + ending,
    st.lists(_part, min_size=1, max_size=3),
    st.sampled_from(["", ".txt", ".de", ".gz", ".txt.gz"]),
)


@given(st.lists(_path, min_size=1, max_size=5, unique=True))
@example(["a.txt", "a"])
@example(["a.txt", "a.txt.gz"])
@example(["-", "stdin"])
def test_names_tell_paths_apart(paths: list[str]) -> None:
    names = short_names(paths)
    assert len(names) == len(paths)
    assert all(names)
    assert len(set(names)) == len(names)
    again = short_names([*paths, paths[0]])  # a file given twice does not get two names
    assert again[0] == again[-1]


def test_a_text_of_a_file_that_holds_several(folder: Path) -> None:
    for name in ("all.xml", "all.sgm.gz", "odd:name.xml", "all.txt"):
        (folder / name).write_text("")
    assert split_choice("all.xml") == ("all.xml", None)
    assert split_choice("all.xml:a:b") == ("all.xml", "a:b")
    assert split_choice("all.sgm.gz:a") == ("all.sgm.gz", "a")
    assert split_choice("odd:name.xml") == ("odd:name.xml", None)
    assert split_choice("odd:name.xml:a") == ("odd:name.xml", "a")
    assert split_choice("all.txt:a") == ("all.txt:a", None)
    assert split_choice("none.xml:a") == ("none.xml:a", None)
    assert parse_sources(["all.xml:a=b", "all.xml:c*", "n=all.xml:d,all.xml:e", "base.1.txt"]) == [
        Source("a=b", ("all.xml:a=b",)),
        Source("c*", ("all.xml:c*",)),
        Source("n", ("all.xml:d", "all.xml:e")),
        Source("base.1", ("base.1.txt",)),
    ]
    with refused(naming=["none.xml"]):
        parse_sources(["none.xml:a"])


# ---- Labels of systems from a file


def test_names_and_labels(tmp_path: Path) -> None:
    assert read_labels(write(tmp_path / "labels.tsv", "a\tword\n\nb \t bpe\na\tword\n")) == {"a": "word", "b": "bpe"}


@pytest.mark.parametrize(
    ("text", "line", "naming"),
    [
        ("a\tword\nb bpe\n", 2, ["'b bpe'"]),
        ("a\tword\tx\n", 1, ["'a\\tword\\tx'"]),
        ("a\t\n", 1, ["'a\\t'"]),
        ("a\tword\na\tbpe\n", 2, ["'a'", "two", "'word'", "'bpe'"]),
        ("", None, ["empty"]),
    ],
    ids=["space", "three", "empty label", "two labels", "empty"],
)
def test_what_are_no_labels(tmp_path: Path, text: str, line: int | None, naming: list[str]) -> None:
    path = write(tmp_path / "labels.tsv", text)
    with refused(naming=[location(path, line), *naming]):
        read_labels(path)


# ---- Names of files that contradict what the files are given as


def test_roles_that_names_contradict() -> None:
    """A source for a reference, and a reference among the outputs while the reference has another name."""
    (note,) = sources_as_references(["src/ref.txt", "news.src.de.gz", "resource.txt"])
    assert (note.kind, note.text.split()[0]) == ("source-as-reference", "news.src.de.gz")
    assert [note.kind for note in swapped_roles(["released.de"], ["ref.de", "nightly.de"])] == ["reference-as-system"]
    assert swapped_roles(["refA.de"], ["refB.de"]) == swapped_roles([], ["ref.de"]) == []
    assert swapped_roles(["released.de"], ["outputs/ref.de"]) == []


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (["runs/bpe-full.00.txt", "runs/bpe-full.01.txt", "runs/bpe-half.00.txt", "runs/bpe-half.01.txt"], True),
        (["out/seed1/base.txt", "out/seed2/base.txt", "out/seed1/new.txt", "out/seed2/new.txt"], True),
        (["runs/bpe-full.00.txt", "runs/bpe-full.01.txt", "runs/bpe-full.02.txt"], False),
        (["new.s1.0.txt", "new.s1.1.txt", "new.s2.0.txt", "new.s2.1.txt"], False),
        (["seed1/new.txt", "seed2/new.txt"], False),
        (["gpuA.seed1.txt", "gpuA.seed2.txt", "gpuB.seed3.txt", "gpuB.seed4.txt"], False),
        (["gpuA.seed1.txt", "gpuA.seed2.txt", "gpuB.seed2.txt", "gpuB.seed3.txt"], True),
        (["fold1/seed1.txt", "fold1/seed2.txt", "fold2/seed1.txt", "fold2/seed2.txt"], False),
        (["new.split_1.seed1.txt", "new.split_1.seed2.txt", "new.split_2.seed1.txt", "new.split_2.seed2.txt"], False),
        ([f"{own}.fold{k}.seed{run}.txt" for own in ("base", "new") for k in (1, 2) for run in (1, 2)], True),
        (["a-fold1.run1.txt", "a-fold1.run2.txt", "a-Fold2.run1.txt", "a-Fold2.run2.txt"], False),
        (["a.txt", "b.txt", "c.txt"], False),
        (["new.txt"], False),
    ],
)
def test_runs_of_several_systems_under_one_name(files: list[str], told: bool) -> None:
    assert [note.kind for note in systems_as_runs("bpe", files)] == ["systems-as-runs"] * told
