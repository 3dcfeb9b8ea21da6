"""What is written for contributors and for releases says what is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from truegain.version import __version__

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_semantic_and_the_same_everywhere() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?", __version__)
    head = re.search(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", read("CHANGELOG.md"), re.MULTILINE)
    assert head is not None, "the changelog has no heading such as '## 1.2.3 (2030-01-31)'"
    assert head[1] == __version__
    citation = yaml.safe_load(read("CITATION.cff"))
    assert str(citation["version"]) == __version__
    assert str(citation.get("date-released", "unreleased")) == head[2]


def test_the_citation_has_what_its_format_asks_for() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["license"] == PROJECT["license"]
    assert [one["name"] for one in citation["authors"]] == [one["name"] for one in PROJECT["authors"]]


def test_declared_pythons_follow_each_other_from_the_oldest() -> None:
    named = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    oldest = PROJECT["requires-python"].removeprefix(">=")
    minors = [int(one.partition(".")[2]) for one in named]
    assert named[0] == oldest
    assert minors == list(range(minors[0], minors[0] + len(minors)))
    assert f"0x03{minors[0]:02x}0000" in read("setup.py")
    assert f'"cp3{minors[0]}"' in read("setup.py")
    assert f"--python-version {oldest} " in read("Makefile")
    for one in named:
        assert one in read("CONTRIBUTING.md")


def test_every_make_target_is_told_of() -> None:
    makefile = read("Makefile")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    rules = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
    told = re.findall(r"^\| `make ([a-z-]+)` \|", read("CONTRIBUTING.md"), re.MULTILINE)
    assert sorted(rules) == sorted(phony[1].split())
    assert sorted(told) == sorted(rules)


def test_hooks_are_the_lint_of_make_and_fetch_nothing() -> None:
    config = yaml.safe_load(read(".pre-commit-config.yaml"))
    assert [one["repo"] for one in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert {one["language"] for one in hooks} == {"system"}
    recipe = read("Makefile").partition("\nlint:")[2].partition("\n\n")[0]
    linted = [line.split("/", 1)[1] for line in recipe.splitlines() if line.startswith("\t")]
    tools = [one["entry"].removeprefix(".venv/bin/").replace(" --force-exclude", "") for one in hooks]
    assert tools == [one.replace(" --check", "").removesuffix(" .") for one in linted]


def test_the_lock_has_all_that_development_needs() -> None:
    lock = read("requirements-dev.txt")
    pinned: dict[str, list[Version]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", lock, re.MULTILINE):
        pinned.setdefault(canonicalize_name(name), []).append(Version(version))
    extras = PROJECT["optional-dependencies"]
    wanted = [Requirement(one) for one in [*PROJECT["dependencies"], *extras["dev"]]]
    for one in wanted:
        if one.name == PROJECT["name"]:
            wanted += [Requirement(each) for extra in sorted(one.extras) for each in extras[extra]]
            continue
        versions = pinned.get(canonicalize_name(one.name))
        assert versions, f"{one.name} is not in requirements-dev.txt: run `make lock`"
        assert all(one.specifier.contains(version) for version in versions), f"{one}, {versions}: run `make lock`"


def test_the_lock_has_hashes_and_names_no_place() -> None:
    lock = read("requirements-dev.txt")
    blocks = re.split(r"^(?=[A-Za-z0-9])", lock, flags=re.MULTILINE)
    assert len(blocks) > 50
    for block in blocks[1:]:
        assert re.match(r"[A-Za-z0-9._-]+==\S+.* \\\n    --hash=sha256:[0-9a-f]{64}", block), block[:80]
    assert not re.search(r"://|--(extra-)?index-url|--find-links|^-|@ |file:", lock, re.MULTILINE)
    assert "#    make lock\n" in lock


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_has_its_parts_and_is_listed(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    number, title = re.match(r"# (\d+)\. (.*)\n", text).groups()  # type: ignore[union-attr]
    assert int(number) == int(page.name[:4]) == DECISIONS.index(page) + 1
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert f"\n{int(number)}. [{title}]({page.name})\n" in read("docs/decisions/README.md")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_forms_for_issues_can_be_read(form: Path) -> None:
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    if form.stem == "config":
        assert set(content) == {"blank_issues_enabled"}
        return
    assert {"name", "description", "body"} <= set(content)
    fields = [one for one in content["body"] if one["type"] != "markdown"]
    assert len({one["id"] for one in fields}) == len(fields) > 2
    assert all(one["attributes"]["label"] for one in fields)


def test_licences_of_all_dependencies_are_told() -> None:
    page = read("docs/licences.md").lower()
    for one in PROJECT["dependencies"]:
        assert f"| {Requirement(one).name.lower()} |" in page


def test_all_bundled_data_are_told() -> None:
    page = read("docs/licences.md")
    package = ROOT / "src" / "truegain"
    data = {path for path in package.rglob("*") if path.is_file() and path.suffix not in (".py", ".so", ".pyd", ".pyc")}
    for path in sorted(data - {package / "py.typed"}):
        place = path.relative_to(package)
        told = place.name if place.parent == Path() else f"{place.parent.as_posix()}/"
        assert f"`{told}`" in page, f"{place}: say in docs/licences.md whose it is"
