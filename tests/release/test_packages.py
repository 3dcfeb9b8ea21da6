"""The wheel and the source archive: what is in them, and whether people can use them.

``make release`` builds both into ``dist/`` and runs this on them; ``pytest --slow tests/release`` builds its own. The
wheel is installed in a clean environment of every Python that is declared and is to be had, the archive where there is
no compiler. All must give the very bytes that the code gives here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

import pytest

from truegain.version import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "truegain"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
KERNELS = sorted(path.stem for path in (SOURCES / "kernels").glob("[!_]*.py"))
COMPARISON = ("compare", "--ref", "ref.1.txt", "--ref", "ref.2.txt", "-m", "bleu", "baseline.1.txt", "better.1.txt")


def clean_environment(**changes: str) -> dict[str, str]:
    """Nothing of the sources, or of the environment that the tests run in, can be seen from the new one."""
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    return {**{name: value for name, value in os.environ.items() if name not in hidden}, **changes}


def ran(command: list[str], folder: Path, **changes: str) -> str:
    done = subprocess.run(command, cwd=folder, env=clean_environment(**changes), capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source archive; the wheel is built from the archive, as ``python -m build`` does it."""
    given = os.environ.get("TRUEGAIN_DIST")
    folder = (ROOT / given) if given else tmp_path_factory.mktemp("dist")
    if not given:
        ran([sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)], folder)
    [wheel] = folder.glob("*.whl")
    [archive] = folder.glob("*.tar.gz")
    return wheel, archive


def files_of_the_package() -> set[str]:
    """Every file below ``src/truegain`` that somebody wrote."""
    made = (".so", ".pyd", ".pyc")
    files = (path for path in SOURCES.rglob("*") if path.is_file() and path.suffix not in made)
    return {path.relative_to(ROOT / "src").as_posix() for path in files}


def test_one_wheel_serves_every_python(packages: tuple[Path, Path]) -> None:
    name, version, python, abi, platform = packages[0].stem.split("-")
    assert (name, version, python, abi) == ("truegain", __version__, "cp311", "abi3")
    if "TRUEGAIN_DIST" in os.environ and sys.platform == "linux":
        assert platform.startswith("manylinux"), "it would be refused by PyPI, and by other Linux machines"


def test_what_is_in_the_wheel(packages: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(packages[0]) as wheel:
        found = {name for name in wheel.namelist() if not name.endswith("/")}
    about = f"truegain-{__version__}.dist-info"
    compiled = {name for name in found if name.startswith("truegain/kernels/") and name.endswith((".so", ".pyd"))}
    assert {Path(name).name.split(".")[0] for name in compiled if "/_" not in name} == set(KERNELS)
    meant = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE"}
    assert found - compiled == files_of_the_package() | {f"{about}/{name}" for name in meant}
    expected = ("py.typed", "references.bib", "sizes.json", "sample/docs.txt", "report/templates/report.js")
    assert {f"truegain/{name}" for name in expected} <= found


def test_what_is_in_the_source_archive(packages: tuple[Path, Path]) -> None:
    top = f"truegain-{__version__}"
    with tarfile.open(packages[1]) as archive:
        found = {one.name.removeprefix(f"{top}/") for one in archive.getmembers() if one.isfile()}
    found -= {name for name in found if name.startswith("src/truegain.egg-info/")}
    pages = {"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"}
    building = {"MANIFEST.in", "PKG-INFO", "pyproject.toml", "setup.cfg", "setup.py"}
    assert found == pages | building | {f"src/{name}" for name in files_of_the_package()}


def test_what_the_wheel_says_of_itself(packages: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(packages[0]) as wheel:
        about = f"truegain-{__version__}.dist-info"
        said = Parser().parsestr(wheel.read(f"{about}/METADATA").decode())
        licence = wheel.read(f"{about}/licenses/LICENSE")
        commands = wheel.read(f"{about}/entry_points.txt").decode()
    assert (said["Name"], said["Version"], said["Requires-Python"]) == ("truegain", __version__, f">={PYTHONS[0]}")
    assert said["License-Expression"] == "Apache-2.0"
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert f"truegain = {PROJECT['scripts']['truegain']}" in commands
    assert said["Description-Content-Type"] == "text/markdown"
    needed = [one for one in said.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert sorted(re.split(r"[<>=]", one)[0].lower() for one in needed) == sorted(
        re.split(r"[<>=]", one)[0].lower() for one in PROJECT["dependencies"]
    )


def check_installed(python: Path, folder: Path, state: str, **changes: str) -> None:
    """What it says of its kernels, its command and module, and its answer on the bundled sample, to the byte."""
    command = str(python.with_name("truegain"))
    changes = {**changes, "TRUEGAIN_CACHE": str(folder / "cache")}
    assert ran([command, "--version"], folder, **changes).startswith(f"truegain {__version__} ({state})\n")
    home = Path(ran([str(python), "-c", "import truegain; print(truegain.__file__)"], folder, **changes).strip()).parent
    assert folder in home.parents, "another installation than the one to be tried"
    asked = [*COMPARISON, "-R", "1000", "-j", "1", "-f", "json"]
    answer = ran([command, *asked], home / "sample", **changes)
    assert answer == ran([sys.executable, "-m", "truegain", *asked], home / "sample", **changes)


def interpreter(version: str) -> str:
    """A Python of this version: on the path, or among pyenv's."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    ours = sorted(home.glob(f"versions/{version}.*/bin/python"))
    asking = "import sys; print('%d.%d' % sys.version_info[:2])"
    for path in filter(None, [shutil.which(f"python{version}"), *map(str, ours)]):
        # A pyenv that has a version but was not told to use it has a command that only says so.
        answer = subprocess.run([path, "-c", asking], capture_output=True, text=True)
        if answer.stdout.strip() == version:
            return path
    pytest.skip(f"Python {version} is not installed here: another Python than the one that runs the tests")


@pytest.fixture
def new_python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment of a Python, with nothing but pip."""
    folder = tmp_path_factory.mktemp(f"python{request.param}")
    subprocess.run(
        [interpreter(request.param), "-m", "venv", str(folder / "venv")], check=True, env=clean_environment()
    )
    return folder / "venv" / "bin" / "python"


def install(python: Path, package: Path, **changes: str) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(package)]
    ran(command, python.parents[2], **changes)


@pytest.mark.parametrize("new_python", PYTHONS, indirect=True)
def test_the_wheel_in_a_clean_environment(packages: tuple[Path, Path], new_python: Path, tmp_path: Path) -> None:
    install(new_python, packages[0])
    folder = new_python.parents[2]
    check_installed(new_python, folder, "compiled kernels")
    written = ran([str(new_python.with_name("truegain")), "demo", "-q", "-o", str(tmp_path / "demo")], tmp_path)
    assert "better is better than baseline by BLEU" in written
    assert (tmp_path / "demo" / "report.html").stat().st_size > 100_000
    # Types reach a user's program, and mistakes in it are found.
    script = "import truegain as tg\nresult = tg.compare(['a'], {'x': ['a'], 'y': ['b']})\nreveal_type(result)\n"
    (tmp_path / "mine.py").write_text(f"{script}tg.compare(['a'], {{}}, unit='sentence')\ntg.compair\n")
    checking = [sys.executable, "-m", "mypy", "--config-file=", "--strict", f"--python-executable={new_python}"]
    done = subprocess.run([*checking, "mine.py"], cwd=tmp_path, env=clean_environment(), capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if line.startswith("mine.py")]
    assert len(found) == 3, done.stdout
    assert 'Revealed type is "truegain.studies.compare.CompareResult"' in found[0]
    assert re.match(r"mine\.py:4: error: .*\[arg-type\]", found[1])
    assert re.match(r"mine\.py:5: error: .*\[attr-defined\]", found[2])


@pytest.mark.parametrize("new_python", PYTHONS[:1], indirect=True)
def test_the_source_archive_without_a_compiler(packages: tuple[Path, Path], new_python: Path) -> None:
    no_compiler = {"CC": "/bin/false", "CXX": "/bin/false", "PATH": str(new_python.parent)}
    install(new_python, packages[1], **no_compiler)
    check_installed(
        new_python, new_python.parents[2], f"NO compiled kernels ({', '.join(KERNELS)}): same numbers, far slower"
    )
