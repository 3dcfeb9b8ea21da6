"""The example notebook, executed: no error, and the outputs that are stored in it.

``pytest tests/e2e/test_notebook.py --renew-golden`` writes the outputs anew.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "tour.ipynb"


def shown(cells: list[Any]) -> list[list[tuple[str, ...]]]:
    """What every cell shows: the kinds of outputs and their text; figures by their kind only.

    What is printed comes in as many pieces as the kernel happened to send.
    """
    found = []
    for cell in cells:
        outputs: list[tuple[str, ...]] = []
        for output in cell.get("outputs", []):
            text = output.get("text", "") or output.get("data", {}).get("text/plain", "")
            kinds = (output["output_type"], *sorted(output.get("data", {})))
            if kinds == ("stream",) and outputs and outputs[-1][0] == "stream":
                text = outputs.pop()[-1] + "".join(text)
            outputs.append((*kinds, "".join(text)))
        found.append(outputs)
    return found


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Path]:
    """As it is stored, and as it is when executed in an empty folder."""
    import nbformat
    from nbclient import NotebookClient

    stored, executed = (nbformat.read(NOTEBOOK, as_version=4) for _ in range(2))  # type: ignore[no-untyped-call]
    folder = tmp_path_factory.mktemp("notebook")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own libraries
        NotebookClient(executed, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    for cell in executed.cells:
        cell.metadata.pop("execution", None)  # when it ran
    return stored, executed, folder


def test_outputs_are_those_stored(notebook: tuple[Any, Any, Path], request: pytest.FixtureRequest) -> None:
    stored, executed, _ = notebook
    if request.config.getoption("--renew-golden"):
        import nbformat

        nbformat.write(executed, NOTEBOOK)  # type: ignore[no-untyped-call]
        return
    assert shown(executed.cells) == shown(stored.cells)


def test_results_are_shown_once_as_tables_and_figures(notebook: tuple[Any, Any, Path]) -> None:
    outputs = [output for cells in shown(notebook[1].cells) for output in cells]
    kinds = [output[:-1] for output in outputs]
    assert kinds.count(("execute_result", "image/svg+xml", "text/plain")) == 3
    assert kinds.count(("execute_result", "text/html", "text/plain")) == 4  # three results and a data frame
    assert not any(kind[0] in ("display_data", "error") for kind in kinds)
    assert all(output[-1].strip() for output in outputs)


def test_it_leaves_a_report(notebook: tuple[Any, Any, Path]) -> None:
    folder = notebook[2]
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "result.json"]
    assert re.search(r"<html", (folder / "report.html").read_text(encoding="utf-8"))
