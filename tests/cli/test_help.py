"""Help of the commands."""

from __future__ import annotations

import re

import click
import pytest
from click.testing import CliRunner

from truegain.cli.main import group
from truegain.cli.study_options import StudyCommand

COMMANDS = [group.get_command(click.Context(group), name) for name in group.list_commands(click.Context(group))]
STUDIES = [command for command in COMMANDS if isinstance(command, StudyCommand)]


def sections(name: str) -> dict[str, str]:
    shown = CliRunner().invoke(group, [name, "--help"], terminal_width=100).output
    titles = re.split(r"^([A-Z]\w+):\n", shown, flags=re.MULTILINE)[1:]
    return dict(zip(titles[::2], titles[1::2], strict=True))


@pytest.mark.parametrize("command", STUDIES, ids=lambda command: str(command.name))
def test_every_option_is_in_one_section(command: StudyCommand) -> None:
    assert command.name is not None
    text = "\n".join(sections(command.name).values())
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            assert len(re.findall(rf"^  (?:-\w, )?{option.opts[0]}\b(?!-)", text, re.MULTILINE)) == 1, option.opts


def test_the_sections_of_compare() -> None:
    assert {"compare", "score", "rank", "gate"} <= {command.name for command in STUDIES}
    found = sections("compare")
    assert list(found) == ["Input", "Options", "Computing", "Output"]
    for title, flags in {
        "Input": ("--ref", "--docs", "--table", "--metrics", "--dev"),
        "Options": ("--test", "--alpha", "--resamples", "--unit", "--interval"),
        "Computing": ("--seed", "--jobs", "--engine", "--no-cache", "--quiet"),
        "Output": ("--layout", "--format", "--output", "--decimals", "--standard-errors"),
    }.items():
        for flag in flags:
            assert re.search(rf"^  (?:-\w, )?{flag}\b", found[title], re.MULTILINE), flag
