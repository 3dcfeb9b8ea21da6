"""Faults of the surroundings, for every command: closed and full streams, encodings, limits, settings of others."""

from __future__ import annotations

import codecs
import os
import resource
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.faults.every_command import COMMANDS, FEW, all_commands, has_option
from tests.faults.watched import Ended, watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

Untouched = Callable[..., Ended]

ENCODINGS = ("latin1", "ascii", "cp1252", "utf-16")
STREAMS = {"input": 0, "output": 1, "error": 2}


def slowly(names: Iterable[str]) -> list[Any]:
    return [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in names]


EVERY = slowly(COMMANDS)
EVERY_SHOWN = slowly(name for name in COMMANDS if has_option(all_commands()[name], "format"))


def test_the_table_has_every_command() -> None:
    assert set(COMMANDS) == set(all_commands())
    assert set(FEW) <= set(COMMANDS)
    for name, arguments in COMMANDS.items():
        assert " ".join(arguments).startswith(name)


@pytest.mark.parametrize("name", EVERY)
def test_without_a_fault(untouched: Untouched, name: str) -> None:
    ended = untouched(name)
    assert ended.code == 0, ended.said
    ended.leaves_nothing()


# ---- Streams


def closing(number: int) -> None:
    os.close(number)


def filling(number: int) -> None:
    os.dup2(os.open("/dev/full", os.O_WRONLY), number)


CLOSED = "standard output is closed\n  a result can go to a file: -o FILE\n"
FAULTS: dict[Callable[[int], None], str] = {closing: CLOSED, filling: "standard output: No space left on device\n"}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    ("fault", "stream"), [*((closing, one) for one in STREAMS), (filling, "output"), (filling, "error")]
)
def test_a_closed_or_full_stream(
    everything: Path, untouched: Untouched, fault: Callable[[int], None], stream: str, name: str
) -> None:
    right = untouched(name)
    ended = watch(COMMANDS[name], everything, befall=lambda: fault(STREAMS[stream]))
    ended.leaves_nothing()
    if stream == "output" and right.out:
        assert ended.code == 2
        assert ended.said.endswith(f"truegain: {FAULTS[fault]}")
    else:
        assert (ended.code, ended.made) == (0, right.made), ended.said
        assert ended.out == (b"" if stream == "output" else right.out)
        assert ended.said == ("" if stream == "error" else right.said)


#: Commands that read standard input; split reads its files twice, and refuses it.
READING = [name for name, line in COMMANDS.items() if {"new.txt", "result.json"} & set(line) and name != "split"]


@pytest.mark.parametrize("name", slowly(READING))
def test_closed_standard_input_that_is_asked_for(everything: Path, name: str) -> None:
    line = ["-" if argument in ("new.txt", "result.json") else argument for argument in COMMANDS[name]]
    ended = watch(line, everything, befall=lambda: closing(0))
    ended.leaves_nothing()
    assert (ended.code, ended.out, ended.made) == (2, b"", [])
    assert "standard input (-) is closed" in ended.said


def test_no_file_takes_the_number_of_a_closed_stream(everything: Path) -> None:
    """What others write to the number of standard output would else get into an input or output that is open."""
    script = (
        "import os, sys\nfrom truegain.cli.streams import prepare\nprepare()\n"
        "sys.stderr.write(str(os.open('ref.txt', os.O_RDONLY) > 2))"
    )
    for befall in (lambda: closing(0), lambda: closing(1)):
        ended = watch((), everything, script=script, befall=befall)
        assert (ended.code, ended.said) == (0, "True")


# ---- Encodings


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_an_encoding_lacks_is_spelled(everything: Path, untouched: Untouched, encoding: str, name: str) -> None:
    from truegain.cli import streams

    codecs.register_error("truegain.legible", streams._legible)
    right = untouched(name)
    ended = watch(COMMANDS[name], everything, environment={"PYTHONIOENCODING": encoding})
    ended.leaves_nothing()
    assert (ended.code, ended.made) == (0, right.made), ended.said
    shown = ended.out.decode(encoding)
    assert shown == right.out.decode().encode(encoding, "truegain.legible").decode(encoding)
    signs = shown.replace("Popovi\\u0107", "")  # letters are spelled by their numbers, so that names stay apart
    assert "\\u" not in signs, "a sign of ours without a spelling"
    assert "\\x" not in signs


@pytest.mark.parametrize("name", EVERY_SHOWN)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_data_is_utf8_whatever_the_encoding(everything: Path, untouched: Untouched, encoding: str, name: str) -> None:
    right = untouched(name, "-f", "json")
    line = (*COMMANDS[name], "-f", "json")
    ended = watch(line, everything, environment={"PYTHONIOENCODING": encoding})
    ended.leaves_nothing()
    assert (ended.code, ended.out) == (0, right.out), ended.said


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_names_in_any_encoding(everything: Path, encoding: str) -> None:
    """Two names that an encoding lacks stay apart; in a file nothing is spelled."""
    systems = ("新=new.txt", "旧=base.txt")
    line = ("compare", "-q", "-R", "200", "--ref", "ref.txt", *systems)
    ended = watch(line, everything, environment={"PYTHONIOENCODING": encoding})
    ended.leaves_nothing()
    assert ended.code == 0, ended.said
    shown = ended.out.decode(encoding)
    assert all(name in shown for name in (("新", "旧") if encoding == "utf-16" else ("\\u65b0", "\\u65e7")))
    missing = watch((*line, "没有.txt"), everything, environment={"PYTHONIOENCODING": encoding})
    missing.leaves_nothing()
    assert missing.code == 2
    for ending in ("txt", "json"):
        written = []
        for environment in ({}, {"PYTHONIOENCODING": encoding}):
            assert watch((*line, "-o", f"out.{ending}"), everything, environment=environment).code == 0
            written.append((everything / f"out.{ending}").read_bytes())
        assert written[0] == written[1]


def test_help_is_ascii() -> None:
    """It is shown by a library, which knows nothing of our spellings."""
    import click

    from truegain.cli.main import group

    # As under the group: a command keeps the option of help that it was first shown with.
    for name, command in all_commands().items():
        assert command.get_help(click.Context(command, info_name=name, **group.context_settings)).isascii(), name


# ---- Limits


LIMITS = {
    "files": (resource.RLIMIT_NOFILE, 8),
    "few files": (resource.RLIMIT_NOFILE, 6),
    "memory": (resource.RLIMIT_AS, 220 << 20),
    "little memory": (resource.RLIMIT_AS, 60 << 20),
    "size": (resource.RLIMIT_FSIZE, 4096),
    "no size": (resource.RLIMIT_FSIZE, 0),
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("limit", LIMITS)
def test_an_answer_or_a_message_under_a_limit(everything: Path, untouched: Untouched, limit: str, name: str) -> None:
    right = untouched(name)
    kind, most = LIMITS[limit]
    ended = watch(COMMANDS[name], everything, befall=lambda: resource.setrlimit(kind, (most, most)))
    ended.leaves_nothing()
    assert ended.code in (0, 2), ended.said
    if ended.code == 0:
        assert (ended.out, ended.made) == (right.out, right.made)
    else:
        assert "truegain: " in ended.said
        if name not in ("demo", "tune"):  # a folder of files, of which each is whole
            assert ended.made == []


# ---- What others set for the libraries that are used


@pytest.mark.parametrize("name", EVERY_SHOWN)
def test_a_backend_that_is_not_there(everything: Path, untouched: Untouched, name: str) -> None:
    right = untouched(name, "-f", "html")
    line = (*COMMANDS[name], "-f", "html")
    ended = watch(line, everything, environment={"MPLBACKEND": "nope"})
    ended.leaves_nothing()
    assert (ended.code, ended.said, ended.out) == (0, right.said, right.out)


def test_settings_that_cannot_be_read(everything: Path) -> None:
    (everything / "matplotlibrc").write_bytes(b"\xff\xfe")
    ended = watch(COMMANDS["plot"], everything)
    ended.leaves_nothing()
    assert (ended.code, ended.out, ended.made) == (2, b"", [])
    assert "truegain: matplotlib cannot be loaded: 'utf-8' codec can't decode" in ended.said
    assert "matplotlibrc" in ended.said.splitlines()[-1]
    page = watch(("render", "-f", "html", "result.json"), everything)
    page.leaves_nothing()
    assert page.code == 0
    assert b"<svg" in page.out, "a page draws its figures itself"
