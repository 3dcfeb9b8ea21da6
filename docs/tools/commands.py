"""The reference of commands, made from the program's own help while the site is built: the directive ``commands``."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from truegain.cli.main import group

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class Commands(SphinxDirective):
    """A section for every command: what it answers, how it is called, examples, options."""

    def run(self) -> list[nodes.Node]:
        """Build the sections."""
        top = click.Context(group, info_name="truegain")
        return [self._command(name, top) for name in group.list_commands(top)]

    def _command(self, name: str, parent: click.Context) -> nodes.section:
        command = group.get_command(parent, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=parent)
        section = nodes.section(ids=[context.command_path.replace(" ", "-")])
        section += nodes.title("", "", nodes.literal("", context.command_path))
        self.state.document.note_explicit_target(section, section)
        section += _code(" ".join([context.command_path, *command.collect_usage_pieces(context)]))
        section += list(_help(inspect.cleandoc(command.help or "")))
        section += list(_parameters(command, context))
        return section


def _help(text: str) -> Iterator[nodes.Node]:
    """Paragraphs, and examples where the help has its lines kept."""
    for part in text.split("\n\n"):
        if part.startswith("\b"):
            yield _code(part.removeprefix("\b").strip("\n"), "console")
        elif part:
            yield nodes.paragraph("", " ".join(part.split()))


def _parameters(command: click.Command, context: click.Context) -> Iterator[nodes.Node]:
    listed = nodes.definition_list(classes=["options"])
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and isinstance(parameter, click.Option):
            names, said = record
            listed += nodes.definition_list_item(
                "", nodes.term("", "", nodes.literal("", names)), nodes.definition("", nodes.paragraph("", said))
            )
    if listed.children:
        yield listed


def _code(text: str, language: str = "text") -> nodes.literal_block:
    """Return a block; commands have a prompt, so that one that is broken over lines can be seen."""
    if language == "console":
        text = "\n".join(f"$ {line.strip()}" for line in text.splitlines())
    return nodes.literal_block(text, text, language=language)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
