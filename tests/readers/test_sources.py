"""Which files are which system, and how systems without a name are called."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.refusals import refused
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


@pytest.mark.parametrize("name", ["a=b.txt", "x,y.txt", "odd[1].txt"])
def test_a_file_that_exists_is_meant_however_it_is_called(name: str) -> None:
    assert parse_sources([name])[0].paths == (name,)
    assert parse_sources([f"system={name}"]) == [Source("system", (name,))]


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


def test_a_long_list_of_runs_is_no_file_name() -> None:
    paths = tuple(f"run{number}.txt" for number in range(1000))
    for path in paths:
        Path(path).touch()
    (source,) = parse_sources(["base=" + ",".join(paths)])
    assert source == Source("base", paths)


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


@given(st.lists(st.text("abc", min_size=1, max_size=3), min_size=2, max_size=4, unique=True))
def test_compression_does_not_change_names(stems: list[str]) -> None:
    plain = short_names([f"out/{stem}.txt" for stem in stems])
    assert short_names([f"out/{stem}.txt.gz" for stem in stems]) == plain == stems
    assert short_names([f"out/{stem}.txt.GZ" for stem in stems]) == plain


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
