"""The experiment file that ``truegain init`` writes for a folder, and what it says, against tests/golden/init.*."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.golden import hold, run

FILES = ["init.toml", "init.txt"]
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def write(path: str, kind: str, lines: int) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{kind} {WORDS[i % 10]} {WORDS[i // 10]} {WORDS[i * 3 % 10]}\n" for i in range(lines))
    Path(path).write_text(text, encoding="utf-8", newline="")


def test_init(tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two test sets with a source, documents, runs, names in doubt, and files that are left out."""
    monkeypatch.chdir(tmp_path)
    for testset, segments in (("news", 20), ("talks", 12)):
        for name in ("ref.1", "ref.2", "src", "baseline.1", "baseline.2", "new.1", "new.2", "Model-3.1", "Model-3.2"):
            write(f"data/{testset}/{name}.txt", name.partition(".")[0], segments)
        write(f"data/{testset}/short.txt", "short", 5)
    documents = "".join(f"{'law' if i < 8 else 'web'}\tdoc{i // 4}\n" for i in range(20))
    Path("data/news/docs.tsv").write_text(f"domain\tdocid\n{documents}", encoding="utf-8", newline="")
    code, said = run(["init", "data"])
    assert code == 0, said
    renew = request.config.getoption("--renew-golden")
    hold("init.txt", said, renew)
    hold("init.toml", Path("experiment.toml").read_bytes().decode(), renew)
