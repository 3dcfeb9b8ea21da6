"""The page: everything escaped, one script and one style that its policy names, the same bytes every time."""

from __future__ import annotations

import html.parser
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

import truegain as tg
from truegain.changed_segments import ChangedPair, ChangedSegment
from truegain.notes import Tone
from truegain.report import html as html_report
from truegain.report.figures.style import Drawing, panels, styled
from truegain.report.html import page
from truegain.report.model import Cell, Column, Document, Paragraph, Span, Table
from truegain.report.page import Item, Picture, Quotation, Report, Section, Segments

ODD = "<img src=x onerror=alert(1)>\"'&</script><script>alert(2)</script></style><!--"
VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}


class Page(html.parser.HTMLParser):
    """What a browser would make of a page, as far as the tests ask."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.open: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.inside:
            self.inside[self.open[-1]][-1] += data
        else:
            self.texts.append(data)

    def of(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def all(self, key: str) -> list[str]:
        return [attributes[key] for _, attributes in self.elements if key in attributes]


def dot(label: str) -> Picture:
    def make(columns: object) -> Drawing:
        with styled():
            figure, (axes,) = panels(1, 1.0)
            axes.plot(1.0, 1.0, "ko")
            axes.set_title(label)
        return Drawing(figure, f"A dot called {label}")

    return Picture(label, label, make)


def report_of(*items: Item, heading: str = "Part", title: str = "Title") -> Report:
    return Report(title, "Subtitle", (Section(heading, items),))


def moved(odd: str, number: int = 1) -> ChangedSegment:
    return ChangedSegment(number, odd, 1.0, 2.0, 0.5, 0.1, (1.0,), (2.0,), (odd,), f"{odd} a", f"{odd} b")


def segments(odd: str) -> Segments:
    pair = ChangedPair(odd, odd, f"{odd} new", odd, odd, 1.0, (odd,), (moved(odd),), (), 0.5, 0.0, 1, 0)
    return Segments((pair,), {odd: odd}, {odd: 2})


def everything(odd: str) -> Report:
    """A report with the same words in every place that has words."""
    columns = (Column(odd, "left"), Column(f"{odd} score"), Column(""))
    row = (Cell(odd, "strong"), Cell(odd, "good", value=1.0, span=Span(0.1, 0.2, 0.3)), Cell("*"))
    table = Table(columns, (row,) * 10, odd, (odd,), (1,))
    kinds = ("headline", "remark", "methods", "signature", "title")
    tones = ("good", "bad", "warning", "undecided", "plain")
    words = tuple(Paragraph(odd, kind, tone) for kind in kinds for tone in tones)  # type: ignore[arg-type]
    first = Section(odd, (*words, table, dot(odd), Quotation(odd, odd), segments(odd)))
    return Report(odd, odd, (first, replace(first)))


@pytest.fixture(scope="module")
def odd_page() -> Page:
    return Page(page(everything(ODD)))


def test_what_users_wrote_is_never_markup(odd_page: Page) -> None:
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in odd_page.of("img"))
    executed = [attributes for attributes in odd_page.of("script") if attributes.get("type") != "application/json"]
    assert len(executed) == 1
    assert len(odd_page.of("style")) == 1
    assert not [key for _, attributes in odd_page.elements for key in attributes if key.startswith("on")]
    assert not odd_page.all("style")
    assert {text.strip() for text in odd_page.texts if "onerror" in text} >= {ODD, f"{ODD} score"}
    assert ODD in odd_page.all("aria-label")
    for data in odd_page.inside["script"][1:]:
        assert "<" not in data
        assert "onerror" in data


def test_ids_are_unique_and_links_lead_somewhere(odd_page: Page) -> None:
    ids = odd_page.all("id")
    assert len(set(ids)) == len(ids)
    keys = ("data-copy", "aria-labelledby", "data-rows", "data-segments", "for")
    targets = [one["href"][1:] for one in odd_page.of("a")] + [target for key in keys for target in odd_page.all(key)]
    assert len(targets) > 10
    assert set(targets) <= set(ids)


def test_the_policy_names_the_one_script_and_the_one_style(odd_page: Page) -> None:
    def digest(text: str) -> str:
        return b64encode(sha256(text.encode()).digest()).decode()

    (policy,) = (one["content"] for one in odd_page.of("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert dict(directive.strip().split(" ", 1) for directive in policy.split(";")) == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest(odd_page.inside['script'][0])}'",
        "style-src": f"'sha256-{digest(odd_page.inside['style'][0])}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    # Nothing may be run or shown before the policy is read.
    order = [tag for tag, _ in odd_page.elements]
    assert order.index("meta") < order.index("style") < order.index("script")


def test_the_first_line_of_a_quotation_may_be_empty() -> None:
    # A browser drops one line end at the start of a pre element.
    assert ">\n\ncommand</pre>" in page(report_of(Quotation("\ncommand", "Command")))


def test_headings_become_places() -> None:
    headings = ("What to know", "What to know", "Content", "…", "Δ und ß")
    made = Page(page(Report("t", "s", tuple(Section(one, (Paragraph("x"),)) for one in headings))))
    places = ["what-to-know", "what-to-know-2", "content-3", "section", "δ-und-ß"]
    assert [one["id"] for one in made.of("section")] == places
    assert [one["href"] for one in made.of("a")] == ["#content", *(f"#{place}" for place in places)]


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        (Cell("0.4 to 0.5", value=0.45), "0.45"),
        (Cell("−2.5"), "-2.5"),
        (Cell("1,234"), "1234.0"),
        (Cell("<0.001"), "0.001"),
        (Cell("95 %"), "95.0"),
        (Cell("1.5e-07"), "1.5e-07"),
        (Cell("never", value=float("-inf")), "-Infinity"),
        (Cell("2 runs"), None),
        (Cell(""), None),
        (Cell("x", value=float("nan")), None),
    ],
)
def test_what_a_cell_is_sorted_by(cell: Cell, key: str | None) -> None:
    made = Page(page(report_of(Table((Column("n"),), ((cell,),)))))
    assert made.all("data-key") == ([] if key is None else [key])


@pytest.mark.parametrize(("rows", "boxes"), [(20, 0), (21, 1)])
def test_long_tables_can_be_searched(rows: int, boxes: int) -> None:
    made = Page(page(report_of(Table((Column("n"),), tuple((Cell(str(i)),) for i in range(rows))))))
    assert len(made.all("data-rows")) == boxes


def test_sections_of_a_table_are_bodies_with_headings_and_scales_of_their_own() -> None:
    def row(name: str, middle: float) -> tuple[Cell, ...]:
        return Cell(name), Cell(f"{middle}", span=Span(middle - 1.0, middle, middle + 1.0))

    rows = (row("a", 40.0), row("b", 41.0), row("a", 61.0), row("b", 62.0), (Cell("a"), Cell("–")))
    table = Table(
        (Column("BLEU", "left"), Column("CI")), rows, breaks=(1, 2), sections=((0, "BLEU"), (2, "chrF"), (4, "TER"))
    )
    made = Page(page(report_of(table)))
    assert len(made.of("tbody")) == 3
    assert [one.get("class") for one in made.of("tr")] == [None, None, "rule", "section", None, None, "section", None]
    assert [one["colspan"] for one in made.of("th") if one.get("scope") == "rowgroup"] == ["2", "2"]
    assert [text for text in made.texts if text in ("BLEU", "chrF", "TER")] == ["BLEU", "chrF", "TER"]
    places = [one["cx"] for one in made.of("circle")]
    assert places[:2] == places[2:]
    notebook = Page(html_report.fragment(Document((table,))))
    assert len(notebook.of("tbody")) == 3
    assert [one["colspan"] for one in notebook.of("th") if "colspan" in one] == ["2", "2"]
    assert [one["cx"] for one in notebook.of("circle")] == places


@pytest.mark.parametrize(("tone", "word"), [("good", "Good:"), ("bad", "Bad:"), ("warning", None), ("undecided", None)])
def test_the_tone_of_a_verdict_is_said_not_only_coloured(tone: Tone, word: str | None) -> None:
    made = Page(page(report_of(Paragraph("It is so.", "headline", tone))))
    (icon,) = (one for one in made.of("svg") if one.get("class") == "icon")
    assert icon.get("aria-label") == word
    assert ("aria-hidden" in icon) == (word is None)


def test_only_sentences_about_a_difference_have_a_sign() -> None:
    """A statement, of a ranking say, is not a difference that is not shown."""
    scores = {name: [place % (3 + i) + 0.5 for place in range(24)] for i, name in enumerate("abc")}
    of_scores: Any = {"metrics": ["scores"], "resamples": 50}
    for result, signs in ((tg.rank(None, scores, **of_scores), 0), (tg.compare(None, scores, **of_scores), 2)):
        made = Page(result.render("html"))
        assert len([one for one in made.of("li") if str(one.get("class")).startswith("verdict ")]) >= 1
        assert len([one for one in made.of("svg") if one.get("class") == "icon"]) == signs


def test_users_words_carry_their_own_direction(odd_page: Page) -> None:
    source = page(everything("אבג"))
    assert "<bdi>אבג</bdi>" in source
    assert len(odd_page.of("bdi")) > 10


def test_what_follows_a_figure_is_shown() -> None:
    rows = ((Cell("a"), Cell("1", spread="± 2", mark="¹")), (Cell("b"), Cell("2")))
    table = Table((Column("x", "left"), Column("runs")), rows, notes=("¹ Of these runs.",))
    assert ">1 ± 2 ¹<" in html_report.fragment(Document((table,)))
    made = page(report_of(table))
    assert '1<span class="spread"> ± 2 ¹</span>' in made
    assert '2<span class="spread"> </span>' in made


def test_a_signature_is_broken_between_its_parts() -> None:
    made = page(report_of(Paragraph("BLEU: nrefs:1|case:<b>", "signature")))
    assert "<code>BLEU: nrefs:<wbr>1|<wbr>case:<wbr>&lt;b&gt;</code>" in made
