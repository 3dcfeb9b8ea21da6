"""The command that a result remembers."""

from __future__ import annotations

import shlex

import click
import pytest

from truegain.cli.command_line import command_line, remember
from truegain.cli.main import main


@click.command()
@click.argument("systems", nargs=-1)
@click.option("--output", "-o")
@click.option("--format", "-f")
@click.option("--quiet", "-q", is_flag=True)
@click.option("--alpha")
@click.option("--family")
def command(**_: object) -> None:
    click.echo(command_line())


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["a.txt", "b.txt"], ["a.txt", "b.txt"]),
        (["-o", "x.json", "a.txt"], ["a.txt"]),
        (["-ox.json", "a.txt"], ["a.txt"]),
        (["--output=x.json", "--alpha", ".1"], ["--alpha", ".1"]),
        (["--output", "x.json", "a.txt"], ["a.txt"]),
        (["-q", "a.txt", "--quiet"], ["a.txt"]),
        (["-f", "md", "--family", "all"], ["--family", "all"]),
        (["a b.txt", "it's.txt", "$x"], ["a b.txt", "it's.txt", "$x"]),
        (["--", "-o", "a.txt"], ["--", "-o", "a.txt"]),
        (["a.txt", "-o", "--", "b.txt"], ["a.txt", "b.txt"]),
    ],
)
def test_what_shows_and_where_is_left_out(
    given: list[str], kept: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with command.make_context("truegain", list(given)) as context:
        remember(context, given)
        command.invoke(context)
    assert shlex.split(capsys.readouterr().out) == ["truegain", *kept]


def test_a_fault_of_ours_is_no_failed_gate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("nothing by nothing")

    monkeypatch.setattr("truegain.cli.main.remember", broken)
    with pytest.raises(SystemExit) as caught:
        main(["metrics"])
    assert caught.value.code == 3
    said = capsys.readouterr().err
    assert all(told in said for told in ("nothing by nothing", "this is a fault of truegain", "not of your input"))
