"""The documentation as a site: it is built without a warning, is whole, and needs no network."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

import truegain
from truegain.cli.main import group
from truegain.registry import TESTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
METHODS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "methods").glob("*.md"))}


def tool(name: str) -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "tools" / f"{name}.py"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, needs: Callable[[str], str]) -> Path:
    needs("sphinx")
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(place / "trees"), str(DOCS), str(place / "html")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return place / "html"


def targets(page: Path) -> list[str]:
    return [unescape(one) for one in re.findall(r'(?:src|href)="([^"]*)"', page.read_text(encoding="utf-8"))]


def test_every_page_is_there_and_links_lead_somewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    made = {page.relative_to(site).with_suffix("").as_posix() for page in pages}
    assert {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")} <= made
    places = {page: set(re.findall(r'id="([^"]+)"', page.read_text(encoding="utf-8"))) for page in pages}
    for page in pages:
        for target in targets(page):
            path, _, place = unquote(target).partition("#")
            if re.match(r"\w+:", target):
                continue
            aim = (page.parent / path.partition("?")[0]).resolve() if path else page
            assert aim.exists(), f"{page.name}: {target}"
            if place and aim in places and not place.startswith("svg-"):
                assert place in places[aim], f"{page.name}: {target}"


def test_every_page_is_found_from_the_first(site: Path) -> None:
    tree = (site / "index.html").read_text(encoding="utf-8").partition('class="sidebar-tree"')[2]
    first = tree.partition("</aside>")[0]
    assert [path.stem for path in DOCS.glob("*.md") if f'href="{path.stem}.html"' not in first] == ["index"]


def test_nothing_is_fetched(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r'<(?:script|img|iframe|source)[^>]* src="([^"]*)"|<link[^>]* href="([^"]*)"', text)
        assert not [one for pair in fetched for one in pair if "//" in one], page.name
    for style in site.rglob("*.css"):
        assert not re.findall(r"url\(\s*['\"]?(?:https?:)?//|@import", style.read_text(encoding="utf-8")), style.name


def test_every_command_and_option_is_in_the_reference(site: Path) -> None:
    import click

    text = unescape(re.sub(r"<[^>]+>", "", (site / "reference" / "commands.html").read_text(encoding="utf-8")))
    top = click.Context(group, info_name="truegain")
    for name in group.list_commands(top):
        command = group.get_command(top, name)
        assert command is not None
        assert f"truegain {name}" in text
        for parameter in command.params:
            if getattr(parameter, "hidden", False):  # it says what to write instead
                continue
            assert all(option in text for option in parameter.opts if option.startswith("-")), (name, parameter.name)


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    text = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in truegain.__all__:
        if not name.startswith("__"):
            assert f'id="truegain.{name}"' in text, name


def test_every_test_has_a_page_and_its_facts_are_as_measured() -> None:
    facts = tool("facts")
    told: set[str] = set()
    for name, text in METHODS.items():
        assert facts["renewed"](text) == text, f"{name}: python docs/tools/facts.py"
        for place in re.findall(r"<!-- facts: ([^>]+) -->", text):
            told.update(place.split())
            if told & set(TESTS) and set(place.split()) & set(TESTS):
                assert [one for one in ("## How", "## Assumptions", "## When not to use it") if one not in text] == []
        if name != "index":
            assert f"\n{name}\n" in METHODS["index"], f"{name} is not in the list of methods"
    assert set(TESTS) <= told


def test_the_picture_of_the_packages_is_that_of_the_contract() -> None:
    packages = tool("packages")
    drawn = packages["PICTURE"].read_text(encoding="utf-8")
    assert drawn == packages["picture"](), "python docs/tools/packages.py"


def test_the_table_of_sentences_has_all_templates() -> None:
    sentences = tool("sentences")
    found = {(module, name) for module, name, _ in sentences["sentences"]()}
    assert {("studies.compared", "VERDICT"), ("cautions", "SIZE")} <= found
    assert sentences["table"]().count("\n") == len(found) > 250
    for module, name, text in sentences["sentences"]():
        slots = [slot for _, slot, _, _ in Formatter().parse(text) if slot is not None]
        assert all(part.isidentifier() for slot in slots for part in slot.split(".")), f"{module}.{name}: {text}"


def test_figures_of_the_guide_show_what_was_measured() -> None:
    sizes = json.loads((files("truegain") / "sizes.json").read_text("utf-8"))["sizes"]
    figures = tool("figures")
    drawn = (DOCS / "figures" / "guide-sizes.svg").read_text(encoding="utf-8")
    for name in figures["SHOWN"]:
        assert f">{100 * sizes[name]:.1f}<" in drawn, "python -m docs.tools.figures"
    drawn = (DOCS / "figures" / "guide-units.svg").read_text(encoding="utf-8")
    held = figures["summary"]()
    for situation in ("30 documents", "200 documents"):
        assert f">{held['riezler2005-ar'][situation]:.1f}<" in drawn
        assert f">{held['ar'][situation]:.1f}<" in drawn


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_in_a_browser(site: Path, chromium: Browser, theme: Any, width: int) -> None:
    """No errors, nothing asked of the network, and no page is wider than the screen."""
    shown = chromium.new_page(viewport={"width": width, "height": 844}, color_scheme=theme)
    wrong: list[str] = []
    shown.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
    for name in ("index", "guide", "calibration", "methods/multiplicity", "reference/commands", "reference/python"):
        shown.goto((site / f"{name}.html").as_uri())
        excess = shown.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert excess <= 0, name
        ground, ink = shown.evaluate(
            "[document.body, document.querySelector('article p')].map(one => getComputedStyle(one))"
            ".map((style, place) => (place ? style.color : style.backgroundColor).match(/\\d+/g).slice(0, 3)"
            ".reduce((sum, part) => sum + Number(part), 0))"
        )
        assert (ground > 600 > ink + 300) if theme == "light" else (ground < 150 < ink - 200), name
    assert wrong == []
    shown.close()


def test_formulas_are_shown_without_scripts(site: Path, chromium: Browser) -> None:
    shown = chromium.new_page(java_script_enabled=False)
    shown.goto((site / "methods" / "bootstrap.html").as_uri())
    formula = shown.locator("math[display=block]").first
    box = formula.bounding_box()
    assert box is not None
    assert box["height"] > 30  # a fraction, one part above the other
    assert "$$" not in shown.locator("article").inner_text()
    shown.close()
