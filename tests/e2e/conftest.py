"""What the tests in a real browser and with real LaTeX need, and where it is."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
)


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def _playwright() -> str | None:
    return "playwright" if importlib.util.find_spec("playwright") else None


def _sphinx() -> str | None:
    return "sphinx" if all(map(importlib.util.find_spec, ("sphinx", "myst_parser", "numpydoc", "furo"))) else None


def _axe() -> str | None:
    path = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
    return str(path) if path.is_file() else None


PLACES: dict[str, tuple[Callable[[], str | None], str]] = {
    "chromium": (_chromium, "install it, or name it in the variable CHROMIUM"),
    "playwright": (_playwright, "pip install playwright"),
    "axe-core": (_axe, "npm ci --prefix tests/e2e"),
    "sphinx": (_sphinx, "pip install 'truegain[docs]'"),
    "pdflatex": (lambda: shutil.which("pdflatex"), "texlive-latex-recommended on Debian"),
}


@pytest.fixture(scope="session")
def needs() -> Callable[[str], str]:
    """Where a thing is; the test is skipped where it is not."""

    def find(name: str) -> str:
        look, hint = PLACES[name]
        found = look()
        if found is None:
            pytest.skip(f"{name} is not here: {hint}")
        return found

    return find


@pytest.fixture(scope="module")
def chromium(needs: Callable[[str], str]) -> Iterator[Browser]:
    """A real browser."""
    needs("playwright")
    path = needs("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()
