"""What commands print on the bundled sample, against the files in tests/golden: any change must be meant.

Where one is meant, renew the files with

    python -m pytest tests/e2e/test_golden.py --renew-golden

and look at the difference in git before it is committed. The version stands as VERSION in them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import truegain
from truegain.cli.main import main
from truegain.version import __version__

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SAMPLE = Path(truegain.__file__).resolve().parent / "sample"
REFERENCES = ("--ref", "ref.1.txt", "--ref", "ref.2.txt")
RUNS = ("baseline=baseline.*.txt", "better=better.*.txt", "similar=similar.*.txt")
COMMANDS = {
    "compare": ("compare", *REFERENCES, "--docs", "docs.txt", "-m", "bleu", "-m", "chrf", *RUNS),
    "compare-one-run": ("compare", *REFERENCES, "-m", "bleu", "baseline.1.txt", "better.1.txt"),
    "score": ("score", *REFERENCES, "--docs", "docs.txt", "-m", "bleu", "-m", "chrf", *RUNS),
}
ENDINGS = {"md": "md", "latex": "tex", "csv": "csv", "tsv": "tsv", "json": "json"}
FILES = {f"{name}.{ending}": (name, format) for name in COMMANDS for format, ending in ENDINGS.items()}


def without_version(text: str) -> str:
    return re.sub(rf"(?<![\w.]){re.escape(__version__)}(?![\w.])", "VERSION", text)


@pytest.mark.parametrize("file", FILES)
def test_what_is_printed(
    file: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, format = FILES[file]
    monkeypatch.chdir(SAMPLE)  # the names of files are part of what is printed
    with pytest.raises(SystemExit) as stop:
        main([*COMMANDS[name], "-R", "1000", "-j", "1", "-f", format])
    printed, said = capsys.readouterr()
    assert (stop.value.code, said) == (0, "")
    assert __version__ in printed or format in ("csv", "tsv")
    found = without_version(printed).encode()
    if request.config.getoption("--renew-golden"):
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / file).write_bytes(found)
    assert found.decode() == (GOLDEN / file).read_bytes().decode()


def test_no_file_is_left_from_before() -> None:
    others = ["api.txt"]  # of tests/test_frozen.py
    assert sorted(path.name for path in GOLDEN.iterdir()) == sorted([*FILES, *others])
