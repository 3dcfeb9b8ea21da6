"""The report in a real Chromium: it loads alone, its controls work, and what users wrote stays text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import truegain as tg
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.report.figures.style import Drawing, in_style, panels
from truegain.report.html import page
from truegain.report.model import Cell, Column, Table
from truegain.report.page import Picture, Quotation, Report, Section, Segments

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ODD = "<img src=x onerror=alert(1)>"
CLOSER = "</script><script>alert(2)</script>\"'&"
NAMES = ("bleu", "chrf")


@in_style
def line(columns: object) -> Drawing:
    figure, axes = panels(2, 2.0)
    axes[0].plot([1.0, 2.0], [1.0, 2.0], "o--", color="#0072B2")
    axes[0].set_xlabel("runs of each system")
    return Drawing(figure, "A line that rises from 1 to 2")


def segments(lines: dict[str, list[str]], references: list[list[str]], documents: list[str]) -> Segments:
    """Pairs with made-up contributions over the real texts; the first document and an output hold markup."""

    def moved(place: int, contribution: float, system: str) -> ChangedSegment:
        return ChangedSegment(
            place + 1,
            documents[place] if place else CLOSER,
            40.0 + place,
            41.0 + place,
            contribution,
            contribution / 2.5,
            (5.0, 0.25),
            (6.0, 0.5),
            tuple(reference[place] for reference in references),
            f"{lines['baseline'][place]}",
            f"{lines[system][place]} {CLOSER}" if place == 0 else lines[system][place],
        )

    def pair(metric: str, system: str) -> ChangedPair:
        up = tuple(moved(place, 0.05 - 0.004 * place, system) for place in range(10))
        down = tuple(moved(place, -0.03 + 0.002 * (place - 10), system) for place in range(10, 16))
        name = {"better": "better", "similar": ODD}[system]
        return ChangedPair(
            metric, "baseline", name, "baseline.1", f"{name}.1", 2.5, NAMES, up, down, 0.32, -0.15, 1176, 6
        )

    pairs = tuple(pair(metric, system) for system in ("better", "similar") for metric in NAMES)
    return Segments(pairs, {"bleu": "BLEU", "chrf": "chrF2"}, {"bleu": 2, "chrf": 2})


@pytest.fixture(scope="module")
def report() -> Report:
    """A real comparison, with the rest of what a report can hold."""
    sample = files("truegain") / "sample"

    def lines(name: str) -> list[str]:
        return (sample / f"{name}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")

    references = [lines("ref.1"), lines("ref.2")]
    runs = {name: [lines(f"{name}.1"), lines(f"{name}.2")] for name in ("baseline", "better", "similar")}
    systems = {"baseline": runs["baseline"], "better": runs["better"], ODD: runs["similar"]}
    made = tg.compare(
        references, systems, metrics=NAMES, documents=lines("docs"), resamples=200, changed_segments=0
    ).report()
    moved = segments({name: runs[name][0] for name in runs}, references, lines("docs"))
    rows = tuple((Cell(f"name {i % 7}-{i}"), Cell(f"{i * 37 % 30} units", value=float(i * 37 % 30))) for i in range(30))
    own = [section for section in made.sections if section.heading not in ("Segments", "Figures", "To cite")]
    metrics = tuple((Cell(f"{metric} {i}"), Cell(f"{i * 37 % 5}.0")) for metric in NAMES for i in range(5))
    parted = Table((Column("bleu", "left"), Column("score")), metrics, sections=((0, "bleu"), (5, "chrf")))
    more = (
        Section("Parted", (parted,)),
        Section("Many", (Table((Column("who", "left"), Column("how much")), rows, "Many rows"),)),
        Section("Figures", (Picture("line", "A line.", line),)),
        Section("Segments", (moved,)),
        Section("To cite", (Quotation("@misc{x,\n  title = {A & B}\n}", "BibTeX"),)),
    )
    return replace(made, sections=(*own, *more))


@pytest.fixture(scope="module")
def path(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(page(report), encoding="utf-8")
    return file


@dataclass
class Opened:
    """A page and everything that happened on it."""

    page: Page
    said: list[str]
    asked: list[str]


@pytest.fixture
def open_page(chromium: Browser, path: Path) -> Iterator[Callable[..., Opened]]:
    """Open the report in a fresh profile; whatever is said on the console or asked of anyone is noted."""
    contexts = []

    def opened(width: int = 1280, theme: Any = "light", **options: Any) -> Opened:
        context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=theme, **options)
        context.set_default_timeout(5_000)
        contexts.append(context)
        shown = Opened(context.new_page(), [], [])
        shown.page.on("console", lambda message: shown.said.append(f"{message.type}: {message.text}"))
        shown.page.on("pageerror", lambda error: shown.said.append(f"error: {error}"))
        shown.page.on("dialog", lambda dialog: shown.said.append(f"dialog: {dialog.message}"))
        shown.page.on("request", lambda request: shown.asked.append(request.url))
        shown.page.goto(path.as_uri())
        return shown

    yield opened
    for context in contexts:
        context.close()


def column(table: Locator, number: int) -> list[str]:
    return [text.strip() for text in table.locator(f"tbody tr:visible > :nth-child({number})").all_inner_texts()]


def many(shown: Page) -> Locator:
    return shown.locator("#many table")


def test_it_loads_alone_and_what_users_wrote_stays_text(open_page: Callable[..., Opened], path: Path) -> None:
    shown = open_page()
    box = shown.page.locator("#segments")
    box.get_by_label("Systems").select_option(label=f"{ODD} against baseline")
    box.get_by_label("Document", exact=True).select_option(label=CLOSER)
    assert box.locator(".moved > li").count() == 1
    assert CLOSER in box.locator(".moved").inner_text()
    assert ODD in box.locator(".moved").inner_text()
    assert ODD in shown.page.locator("#tables").inner_text()
    assert shown.page.locator("img:not(.drawing)").count() == 0
    assert shown.page.locator("script").count() == 2
    assert (shown.said, shown.asked) == ([], [path.as_uri()])


def test_the_policy_holds(open_page: Callable[..., Opened]) -> None:
    shown = open_page()
    outcome = shown.page.evaluate(
        """() => {
          const element = document.createElement("div");
          element.innerHTML = "<img src=x onerror='window.ran = true'><p style='color: red'>x</p>";
          document.body.append(element);
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          return [window.ran, getComputedStyle(element.querySelector("p")).color];
        }"""
    )
    assert outcome[0] is None
    assert outcome[1] != "rgb(255, 0, 0)"
    assert any("Content Security Policy" in text for text in shown.said)


def test_tables_are_sorted_by_click_and_by_keyboard(open_page: Callable[..., Opened]) -> None:
    shown = open_page()
    table = many(shown.page)
    given = column(table, 2)
    button = table.get_by_role("button", name="how much")
    head = table.locator("thead th").nth(1)
    numbers = [f"{i} units" for i in range(30)]
    states = [(numbers, "ascending"), (numbers[::-1], "descending"), (given, None)]
    assert head.get_attribute("aria-sort") is None
    for cells, order in states:
        button.click()
        assert (column(table, 2), head.get_attribute("aria-sort")) == (cells, order)
        assert order is None or shown.page.locator("#said").inner_text() == f"Sorted by how much, {order}"
    button.focus()
    for key, (cells, _) in zip(("Enter", "Space"), states, strict=False):
        shown.page.keyboard.press(key)
        assert column(table, 2) == cells
    assert button.evaluate("(element) => element === document.activeElement")
    table.get_by_role("button", name="who").click()
    assert column(table, 1) == sorted(column(table, 1), key=lambda name: [int(x) for x in name[5:].split("-")])


def test_gains_are_sorted_as_numbers_and_empty_cells_come_last(open_page: Callable[..., Opened]) -> None:
    shown = open_page()
    table = shown.page.locator("#tables table").first
    button = table.get_by_role("button", name="Δ", exact=True)
    for turn in range(2):
        button.click()
        for section in table.locator("tbody").all():
            rows = section.locator("tr:not(.section) > :nth-child(4)").all_inner_texts()
            *gains, last = [text.strip() for text in rows]
            assert last == ""
            values = [float(text.replace("−", "-")) for text in gains]
            assert values == sorted(values, reverse=turn == 1)


def test_rows_stay_in_their_section_when_sorted(open_page: Callable[..., Opened]) -> None:
    table = open_page().page.locator("#parted table")

    def rows(order: tuple[int, ...]) -> list[str]:
        return [*(f"bleu {i}" for i in order), "chrf", *(f"chrf {i}" for i in order)]

    assert column(table, 1) == rows((0, 1, 2, 3, 4))
    for order in ((0, 3, 1, 4, 2), (2, 4, 1, 3, 0), (0, 1, 2, 3, 4)):
        table.get_by_role("button", name="score").click()
        assert column(table, 1) == rows(order)
    look = "(element) => [getComputedStyle(element).fontWeight, parseFloat(getComputedStyle(element).paddingTop) > 12]"
    assert table.locator("tr.section th").evaluate(look) == ["600", True]


def test_a_wide_screen_has_sentences_in_one_column_and_nothing_to_scroll(open_page: Callable[..., Opened]) -> None:
    shown = open_page(width=1280).page
    lefts = "(all) => all.map((one) => one.getBoundingClientRect().left)"
    places = shown.locator("#answer .verdict").evaluate_all(lefts)
    assert len(places) > 1
    assert len(set(places)) == 1
    assert not shown.locator(".narrow").first.is_visible()
    shown.wait_for_function("document.querySelector('#many .scroll').getAttribute('tabindex') === null")


def test_rows_are_searched(open_page: Callable[..., Opened]) -> None:
    shown = open_page()
    table = many(shown.page)
    box = shown.page.locator("#many").get_by_label("Search the rows")
    box.fill("NAME 3-")
    assert column(table, 1) == ["name 3-3", "name 3-10", "name 3-17", "name 3-24"]
    assert shown.page.locator("#many output").inner_text() == "4 of 30 rows"
    table.get_by_role("button", name="how much").click()
    assert len(column(table, 1)) == 4
    box.fill("")
    assert len(column(table, 1)) == 30


def numbers(shown: Page) -> list[int]:
    return [int(text.split()[-1]) for text in shown.locator(".moved h3").all_inner_texts()]


def test_segments_are_chosen_searched_and_ordered(open_page: Callable[..., Opened]) -> None:
    shown = open_page().page
    box = shown.locator("#segments")
    up, down = list(range(1, 11)), list(range(16, 10, -1))
    assert numbers(shown) == [*up, *down]
    assert box.locator(".summary").inner_text() == (
        "Between the runs baseline.1 and better.1. Δ is +2.50. Listed: 10 of 1,176 segments favouring better "
        "(+0.320 in all); 6 of 6 segments favouring baseline (−0.150 in all)."
    )
    for favoured, found, first in (
        ("favouring the baseline", down, "▼ −0.0200 (−0.8 % of Δ)"),
        ("favouring the system", up, "▲ +0.0500 (2.0 % of Δ)"),
        ("all", [*up, *down], "▲ +0.0500 (2.0 % of Δ)"),
    ):
        box.get_by_label(favoured, exact=True).check()
        assert numbers(shown) == found
        assert box.locator(".what").first.inner_text() == first
    for order, top in (("against", 11), ("size", 1), ("number", 1)):
        box.get_by_label("Order").select_option(order)
        assert numbers(shown)[0] == top
    assert numbers(shown) == list(range(1, 17))
    box.get_by_label("Search the texts").fill("SCRIPT alert")
    assert numbers(shown) == [1]
    assert box.locator("[data-part=count]").inner_text() == "1 of 16 listed segments shown"
    box.get_by_label("Search the texts").fill("")
    wanted = box.get_by_label("Document", exact=True).locator("option").nth(2).inner_text()
    box.get_by_label("Document", exact=True).select_option(label=wanted)
    assert 0 < len(numbers(shown)) < 16
    assert set(box.locator(".where").all_inner_texts()) == {wanted}
    box.get_by_label("Metric").select_option("chrf")
    assert len(numbers(shown)) == 16
    box.get_by_label("Systems").select_option(index=1)
    assert box.get_by_label("Metric").input_value() == "chrf"


def test_differences_are_marked_with_more_than_colour(open_page: Callable[..., Opened]) -> None:
    shown = open_page().page
    marks = shown.locator(".moved mark")
    assert marks.count() > 20
    look = "(element) => [getComputedStyle(element).textDecorationLine, getComputedStyle(element).textDecorationStyle]"
    assert shown.locator(".moved mark.hit").first.evaluate(look) == ["underline", "solid"]
    assert shown.locator(".moved mark.miss").first.evaluate(look) == ["underline", "wavy"]
    first = shown.locator(".moved > li").first
    first.locator("summary").click()
    assert first.locator(".statistics").inner_text().split("\n") == ["bleu", "5 → 6", "chrf", "0.25 → 0.5"]


def test_scores_without_texts_are_shown_as_numbers(chromium: Browser, tmp_path: Path) -> None:
    scores = ChangedSegment(3, "one document", 0.5, 0.75, 0.01, None, (), ())
    pair = ChangedPair("comet", "a", "b", "a", "b", 0.0, (), (scores,), (), 0.01, 0.0, 1, 0)
    bare = Report("Title", "", (Section("Segments", (Segments((pair,), {"comet": "COMET"}, {"comet": 3}),)),))
    file = tmp_path / "bare.html"
    file.write_text(page(bare), encoding="utf-8")
    context = chromium.new_context()
    shown = context.new_page()
    shown.goto(file.as_uri())
    said = shown.locator(".moved").inner_text()
    assert " ".join(said.split()) == "Segment 3 one document ▲ +0.0100 a 0.500 b 0.750"
    assert not shown.locator("[data-part=legend]").is_visible()
    assert not shown.get_by_label("Document").is_visible()  # there is but one
    context.close()


def background(shown: Page) -> str:
    return str(shown.evaluate("getComputedStyle(document.body).backgroundColor"))


def background_after_reload(shown: Page, expected: str) -> str:
    """Reload until the background is the expected one, for up to five seconds, and return the last one seen.

    Chromium hands a stored value over to the process of the reloaded page without waiting for it to arrive.
    """
    for _ in range(25):
        shown.reload()
        if background(shown) == expected:
            break
        shown.wait_for_timeout(200)
    return background(shown)


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_theme_is_chosen_and_kept(open_page: Callable[..., Opened], system: str) -> None:
    shown = open_page(theme=system).page
    other = {"light": "dark", "dark": "light"}[system]
    own = background(shown)
    shown.get_by_label(other, exact=True).check()
    chosen = background(shown)
    assert chosen != own
    assert background_after_reload(shown, chosen) == chosen
    assert shown.get_by_label(other, exact=True).is_checked()
    shown.get_by_label("auto", exact=True).check()
    assert background(shown) == own
    assert background_after_reload(shown, own) == own


def test_where_storage_is_refused_the_theme_works_all_the_same(chromium: Browser, path: Path) -> None:
    context = chromium.new_context()
    said: list[str] = []
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")
    shown = context.new_page()
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(path.as_uri())
    before = background(shown)
    shown.get_by_label("dark", exact=True).check()
    assert background(shown) != before
    assert said == []
    context.close()


def test_every_control_is_reached_by_keyboard_and_shows_the_focus(open_page: Callable[..., Opened]) -> None:
    shown = open_page(width=500, reduced_motion="reduce").page
    wanted = shown.evaluate(
        """() => {
          const found = [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")];
          const visible = found.filter((one) => one.checkVisibility() && !(one.type === "radio" && !one.checked));
          visible.forEach((one, i) => { one.dataset.place = i; });
          return visible.length;
        }"""
    )
    assert wanted > 40
    reached = []
    for _ in range(wanted + 5):
        shown.keyboard.press("Tab")
        place, outlined, inside = shown.evaluate(
            """() => {
              const element = document.activeElement;
              const drawn = element.type === "radio" ? element.nextElementSibling : element;
              const style = getComputedStyle(drawn);
              const box = drawn.getBoundingClientRect();
              const seen = box.bottom > 0 && box.top < innerHeight;
              const outlined = style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2;
              return [element.dataset.place, outlined, seen];
            }"""
        )
        if place is None:
            break
        reached.append(int(place))
        assert outlined, shown.evaluate("document.activeElement.outerHTML")
        assert inside, shown.evaluate("document.activeElement.outerHTML")
    assert reached == list(range(wanted))


def test_links_lead_to_the_content_and_to_sections(open_page: Callable[..., Opened]) -> None:
    shown = open_page(reduced_motion="reduce").page
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.textContent") == "Skip to the content"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.id") == "content"
    shown.get_by_role("link", name="Segments").click()
    shown.wait_for_function("document.querySelector('[aria-current]').textContent === 'Segments'")
    top = shown.locator("#segments").evaluate("(element) => element.getBoundingClientRect().top")
    assert 0 < top < 120


def test_texts_are_copied(open_page: Callable[..., Opened]) -> None:
    shown = open_page(permissions=["clipboard-read", "clipboard-write"]).page
    shown.get_by_role("button", name="Copy BibTeX").click()
    shown.wait_for_function("document.getElementById('said').textContent === 'Copied'")
    assert shown.evaluate("navigator.clipboard.readText()") == "@misc{x,\n  title = {A & B}\n}"
    shown.locator("#methods > details > summary").click()
    shown.get_by_role("button", name="Copy the methods paragraph").click()
    shown.wait_for_function("navigator.clipboard.readText().then((text) => text.startsWith('The difference'))")


def test_where_there_is_no_clipboard_the_text_is_selected(chromium: Browser, path: Path) -> None:
    context = chromium.new_context()
    context.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false;"
    )
    shown = context.new_page()
    shown.goto(path.as_uri())
    shown.get_by_role("button", name="Copy BibTeX").click()
    shown.wait_for_function("document.getElementById('said').textContent === 'Selected'")
    assert shown.evaluate("getSelection().toString()").startswith("@misc{x,")
    context.close()


@pytest.mark.parametrize("width", [360, 320])
def test_a_narrow_screen_scrolls_tables_not_the_page(open_page: Callable[..., Opened], width: int) -> None:
    shown = open_page(width=width).page
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    wide = shown.locator("#tables .scroll").last  # how scores vary: the widest
    assert wide.evaluate("(element) => element.scrollWidth > element.clientWidth")
    assert wide.get_attribute("tabindex") == "0"
    assert wide.get_attribute("aria-label")
    assert shown.locator("#tables").get_by_text("A wider screen has the column “95 % CI” too.").first.is_visible()


def test_on_paper_there_are_no_controls(open_page: Callable[..., Opened]) -> None:
    shown = open_page(theme="dark").page
    shown.emulate_media(media="print", color_scheme="dark")
    for selector in (".controls", ".copy", ".contents", ".theme", ".skip"):
        assert shown.locator(selector).count() > 0
        assert shown.locator(f"{selector}:visible").count() == 0
    assert shown.locator("main table:visible").count() > 0
    assert background(shown) == "rgb(255, 255, 255)"
    ink = shown.evaluate("getComputedStyle(document.querySelector('h1')).color")
    assert sum(json.loads(ink.replace("rgb(", "[").replace(")", "]"))) < 200
    count = "document.querySelectorAll('details:not([open])').length"
    shown.evaluate(f"addEventListener('beforeprint', () => {{ window.shut = {count}; }})")
    assert shown.pdf(format="A4").startswith(b"%PDF")
    assert shown.evaluate("window.shut") == 0
    assert shown.locator("details[open]").count() == 0


def test_without_scripts_everything_but_the_segments_is_shown(open_page: Callable[..., Opened]) -> None:
    shown = open_page(java_script_enabled=False).page
    assert shown.locator("noscript").is_visible()
    assert "need this page's script" in shown.locator("main").inner_text()
    assert shown.locator("#many tbody tr:visible").count() == 30
    assert shown.locator(".controls:visible, .copy:visible, .theme:visible").count() == 0


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")])
def test_axe_finds_nothing(
    open_page: Callable[..., Opened], needs: Callable[[str], str], width: int, theme: str
) -> None:
    shown = open_page(width=width, theme=theme, bypass_csp=True).page
    shown.locator(".moved summary").first.click()
    shown.evaluate(Path(needs("axe-core")).read_text(encoding="utf-8"))
    found = shown.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    said = [f"{one['impact']}: {one['id']} at {one['nodes'][0]['target']}" for one in found["violations"]]
    assert said == []
