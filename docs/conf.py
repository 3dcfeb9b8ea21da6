"""How the documentation is built: ``make docs``. Nothing in the pages that come of it needs a network."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils.utils.math.latex2mathml import tex2mathml

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE / "tools")]

import truegain  # noqa: E402

project = "truegain"
author = "The truegain developers"
project_copyright = author
version = release = truegain.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "commands"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}  # numpydoc asks for the second
exclude_patterns = ["images/*.md"]
nitpicky = True  # a link that leads nowhere is an error
nitpick_ignore_regex = [("py:obj", r"\w+")]  # numpydoc tries to link attributes, which stand on the page anyway
suppress_warnings = ["misc.highlighting_failure"]  # a page may show what is no program
smartquotes = False  # options are typed, and copied, with straight ones

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_block"]
myst_heading_anchors = 4

autodoc_typehints = "none"  # numpydoc has them from the docstrings, in words
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
pygments_style = "friendly"
pygments_dark_style = "github-dark"
html_title = "truegain"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif",
        "font-stack--monospace": "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
        "color-brand-primary": "#0b5a8a",
        "color-brand-content": "#0b5a8a",
    },
    "dark_css_variables": {"color-brand-primary": "#7cc4f0", "color-brand-content": "#7cc4f0"},
}

#: Pages that lie beside the documentation, and what they are called in it.
BESIDE = {"SECURITY.md": "security.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def _beside(app: Sphinx, page: str, source: list[str]) -> None:
    """Lead links to files beside the documentation to the pages that hold these."""
    for file, held in BESIDE.items():
        source[0] = source[0].replace(f"](../{file}", f"]({held}")


def _sentences(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the table of all sentences into its page."""
    if page == "sentences":
        source[0] = source[0].replace("<!-- sentences -->\n", import_module("sentences").table())


def _more(app: Sphinx, page: str, source: list[str]) -> None:
    """List the pages that the first page does not name in a place of their own; leave out folders without pages."""
    if page != "index":
        return
    for folder in re.findall(r"^([\w-]+)/\*\n", source[0], re.M):
        if not any(HERE.glob(f"{folder}/*.md")):
            source[0] = source[0].replace(f"\n{folder}/*\n", "\n")
    named = set(re.findall(r"^[\w-]+$", source[0], re.M))
    families = tuple(pattern.removesuffix("*") for pattern in re.findall(r"^[\w-]+\*$", source[0], re.M))
    left = [path.stem for path in sorted(HERE.glob("*.md")) if path.stem not in {"index", *named}]
    left = [name for name in left if not name.startswith(families)]
    listed = "\n".join(["```{toctree}", ":caption: More", ":hidden:", "", *left, "```"]) if left else ""
    source[0] = re.sub(r"<!-- more: .* -->", listed, source[0])


def _commands(app: Sphinx, page: nodes.document) -> None:
    """Let long commands that stand in blocks of text be broken, as others are, rather than cut off."""
    from docutils import nodes as kinds

    for block in page.findall(kinds.literal_block):
        lines = block.astext().splitlines()
        if all(line.startswith("$ ") for line in lines):
            block["language"] = "console"
        elif lines[0].startswith("$ "):  # and what they print below
            block["classes"].append("typed")


def _inline(writer: Any, node: nodes.Element) -> None:
    writer.body.append(tex2mathml(node.astext(), as_block=False))


def _block(writer: Any, node: nodes.Element) -> None:
    writer.body.append(f'<div class="math">{tex2mathml(node.astext(), as_block=True)}</div>')


def _skip(writer: Any, node: nodes.Element) -> None:
    """See :class:`docutils.nodes.SkipNode`: what is inside was written already."""
    from docutils import nodes as kinds

    (_block if isinstance(node, kinds.math_block) else _inline)(writer, node)
    raise kinds.SkipNode


def _plain_roles(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Turn public names into links; names inside the program have no page, and are shown as code."""
    for place, line in enumerate(lines):
        lines[place] = re.sub(r":(?:mod|class|func|meth|data):`~?([^`<]+)`", _link_or_code, line)


def _link_or_code(role: re.Match[str]) -> str:
    parts = role[1].split(".")
    public = parts[0] == "truegain" and len(parts) > 1 and parts[1] in truegain.__all__
    return role[0] if public else f"``{role[1]}``"


def _schema(app: Sphinx, error: Exception | None) -> None:
    """Put the schema of results beside the pages."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "result.schema.json").write_text(import_module("schema").text(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what is ours."""
    app.add_html_math_renderer("mathml", (_skip, None), (_skip, None))
    app.connect("source-read", _beside)
    app.connect("source-read", _more)
    app.connect("source-read", _sentences)
    app.connect("doctree-read", _commands)
    app.connect("autodoc-process-docstring", _plain_roles)
    app.connect("build-finished", _schema)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
