"""Results in notebooks: figures to show, and names to complete."""

from __future__ import annotations

from pathlib import Path

import truegain as tg
from tests.known import known
from tests.refusals import refused

RESULT = tg.compare(None, {"base": [0.1, 0.4, 0.2], "new": [0.3, 0.5, 0.1]}, metrics=["scores"], resamples=50)


def test_a_figure_is_shown_by_its_name() -> None:
    for shown in (RESULT.plot(), RESULT.plot("forest"), RESULT.plot(name="forest", columns=1)):
        assert known(shown)._repr_svg_().startswith("<?xml")
        assert "'forest'" in repr(shown)
    for name, naming in (
        ("florest", ["'florest'", "'forest'?"]),
        ("image", ["'image'", ".svg", ".pdf", ".png"]),
        ("forest.gif", [".svg"]),
    ):
        with refused(naming=naming):
            RESULT.plot(name)


def test_a_file_is_written(tmp_path: Path) -> None:
    assert RESULT.plot(tmp_path / "forest.svg") is None
    assert RESULT.plot(str(tmp_path / "named.svg"), "forest") is None
    assert {path.name for path in tmp_path.iterdir()} == {"forest.svg", "named.svg"}


def test_completion_has_what_people_use() -> None:
    public = {name for name in dir(RESULT) if not name.startswith("_")}
    assert {"comparisons", "headline", "plot", "save", "to_pandas", "to_dict", "render"} <= public
    assert not public & {"arranged", "appendix", "rounded", "shape", "used"}


def test_scores_of_many_segments_are_not_shown_unasked() -> None:
    lines = [f"the cat sat on mat {number}" for number in range(30)]
    result = tg.score(lines, {"new": lines[::-1]}, segments=True, resamples=20)
    few = tg.score(lines[:5], {"new": lines[4::-1]}, segments=True, resamples=20)
    for text in (repr(result), str(result)):
        assert len(text.splitlines()) < 20
        assert all(told in text for told in ("Scores of 30 segments: to_pandas() has them", "render() shows them"))
    assert result._repr_html_().count("<tr") < 10
    assert len(result.render().splitlines()) > 40
    assert len(result.to_pandas()) == 30
    assert repr(few) == few.render()
