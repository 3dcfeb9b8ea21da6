"""Pages of every kind of comparison in a real Chromium: wide and narrow, light and dark."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchmarks.simulation import SystemSpec, simulate
from tests.e2e.golden import run

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from playwright.sync_api import Browser, Page

METRICS = ("adequacy", "fluency", "form")
LOOKS = [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")]
GAINS = {"base": 0.0} | {f"system-{i:02d}": 0.003 * (i - 12) for i in range(24)} | {"broken": -0.55}


def scores(seed: int, gain: float, segments: int) -> NDArray[np.float64]:
    base = np.random.default_rng(0).normal(0.6, 0.1, segments)
    return base + gain + np.random.default_rng(seed).normal(0.0, 0.05, segments)


def many(folder: Path) -> str:
    """Make 26 systems under three metrics; the last one is far below all others."""
    for number, (name, gain) in enumerate(GAINS.items()):
        columns = np.stack([scores(40 * number + place, gain, 120) for place in range(len(METRICS))], axis=1)
        rows = "".join("\t".join(f"{x:.5f}" for x in row) + "\n" for row in columns)
        (folder / f"{name}.tsv").write_text("\t".join(METRICS) + f"\n{rows}", encoding="utf-8")
    metrics = [f"scores:column={metric}" for metric in METRICS]
    return " ".join(["compare", *(f"-m {one}" for one in metrics), "-R 2000", *(f"{name}.tsv" for name in GAINS)])


def ranking(folder: Path) -> str:
    """Rank the same systems: the page has a figure as wide as a page of a paper."""
    many(folder)
    return " ".join(["rank -m scores:column=adequacy -R 300", *(f"{name}.tsv" for name in GAINS)])


def sets(folder: Path) -> str:
    """Make three systems on four test sets."""
    qualities = {"base": 0.70, "new": 0.76, "other": 0.68}
    systems = [SystemSpec(name=name, quality=quality) for name, quality in qualities.items()]
    for number, name in enumerate(("news", "talks", "web", "chat")):
        simulate(systems=systems, segments=60 + 10 * number, seed=number).write(folder / "data" / name)
    assert run(["init", "data", "-o", "sets.toml"])[0] == 0
    return "run sets.toml --no-outputs"


def runs(folder: Path) -> str:
    """Make three systems of three runs."""
    systems = [SystemSpec(name=name, quality=0.7, runs=3) for name in ("base", "new", "a-system-of-a-long-name")]
    simulate(systems=systems, segments=60, seed=4).write(folder)
    given = " ".join(f"{one.name}={','.join(f'{one.name}.{i}.txt' for i in (1, 2, 3))}" for one in systems)
    return f"compare --ref ref.1.txt --docs docs.txt -m bleu -m chrf -R 500 {given}"


def groups(folder: Path) -> str:
    """Make three domains."""
    for number, name in enumerate(("base", "new")):
        lines = "".join(f"{x:.5f}\n" for x in scores(number, 0.03 * number, 120))
        (folder / f"{name}.scores").write_text(lines, encoding="utf-8")
    domains = "".join(f"{('news', 'social', 'speech')[i // 40]}\n" for i in range(120))
    (folder / "domains.txt").write_text(domains, encoding="utf-8")
    return "compare -m scores --domains domains.txt --by domain -R 500 base.scores new.scores"


KINDS: dict[str, Callable[[Path], str]] = {
    "demo": lambda _: "demo",
    "many": many,
    "sets": sets,
    "runs": runs,
    "groups": groups,
}
#: Those without figures, for which there is a table with intervals.
COMPARED = tuple(KINDS)
KINDS["ranking"] = ranking


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def made(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, by the command that people run."""
    folder = tmp_path_factory.mktemp(kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        command = shlex.split(KINDS[kind](folder))
        output = ["-o", "demo"] if kind == "demo" else ["-o", "page.html"]
        code, said = run([*command, *output, "-q"])
        assert code == 0, said
    return folder / ("demo/report.html" if kind == "demo" else "page.html")


@pytest.fixture(scope="module")
def opened(chromium: Browser, made: Path) -> Iterator[Callable[..., Page]]:
    """The page, loaded once for each width, in a theme."""
    pages: dict[int, Page] = {}

    def at(width: int, theme: Any = "light") -> Page:
        if width not in pages:
            context = chromium.new_context(
                viewport={"width": width, "height": 900}, bypass_csp=True, reduced_motion="reduce"
            )
            pages[width] = context.new_page()
            pages[width].goto(made.as_uri())
        pages[width].emulate_media(color_scheme=theme)
        return pages[width]

    yield at
    for page in pages.values():
        page.context.close()


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_axe_finds_nothing(opened: Callable[..., Page], needs: Callable[[str], str], width: int, theme: str) -> None:
    shown = opened(width, theme)
    if shown.evaluate("typeof axe") == "undefined":
        shown.evaluate(Path(needs("axe-core")).read_text(encoding="utf-8"))
    assert shown.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == (theme == "dark")
    found = shown.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    assert [f"{one['id']} at {one['nodes'][0]['target']}" for one in found["violations"]] == []
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    excess = "[...document.querySelectorAll('.scroll')].map(one => one.scrollWidth - one.clientWidth)"
    assert not [pixels for pixels in shown.evaluate(excess) if 0 < pixels < 5]  # a bar for nothing


@pytest.mark.parametrize("kind", COMPARED, indirect=True)
def test_a_phone_shows_gains_and_p_without_scrolling(opened: Callable[..., Page]) -> None:
    shown = opened(400)
    cells = shown.locator("#tables thead th:visible").filter(has_text=re.compile(r"^(Δ|p\b)"))
    assert cells.count() >= 2
    for box in (cell.bounding_box() for cell in cells.all()):
        assert box is not None
        assert box["x"] + box["width"] <= 400
    assert shown.locator(".drawing").count() == 0


@pytest.mark.parametrize("kind", ["ranking"], indirect=True)
def test_a_figure_is_read_on_a_phone_and_in_the_dark(opened: Callable[..., Page]) -> None:
    shown = opened(400, "dark")
    figure = shown.locator("#figures .drawing")
    assert figure.count() == 1
    assert str(figure.get_attribute("alt")).startswith("Differences in ")
    scale = "(figure) => figure.getBoundingClientRect().width / figure.getAttribute('width')"
    assert 6.5 * 5 / 3 * figure.evaluate(scale) >= 9.0
    assert "invert" in figure.evaluate("(figure) => getComputedStyle(figure).filter")


@pytest.mark.parametrize("kind", COMPARED, indirect=True)
def test_the_heading_names_what_is_compared(opened: Callable[..., Page], kind: str) -> None:
    wanted = {
        "demo": "better and similar against baseline",
        "many": "25 systems against base",
        "sets": "new and other against base on 4 test sets",
        "runs": "new and a-system-of-a-long-name against base",
        "groups": "new against base",
    }
    shown = opened(1280)
    assert shown.locator("h1").inner_text() == wanted[kind]
    assert shown.locator("main h2").first.inner_text() == "Answer"
    assert shown.locator("#answer .verdicts:not(.listed)").count() == 1


@pytest.mark.parametrize("kind", ["many"], indirect=True)
def test_one_outlier_does_not_flatten_the_others(opened: Callable[..., Page]) -> None:
    shown = opened(1280)
    circles = (
        "(rows) => rows.map((row) => row.querySelectorAll('.whisker')[1].querySelector('circle')?.cx.baseVal.value)"
    )
    places = shown.locator("#tables tbody").first.locator("tr").evaluate_all(circles)
    assert places[-1] is None  # an arrow at the edge
    drawn = [place for place in places[:-1] if place is not None]
    assert len(drawn) == len(GAINS) - 2
    assert max(drawn) - min(drawn) > 40
