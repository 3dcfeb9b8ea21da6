"""The real package unbabel-comet, with tiny models of random weights that are made here; ``make comet`` runs it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.refusals import refused
from truegain.scorers.versions import package_here

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # those of other packages
]

SOURCE = [f"Der kleine Satz Nummer {i} hat {i % 5} Katzen ." for i in range(30)]
REFERENCE = [f"The small sentence number {i} has {i % 5} cats ." for i in range(30)]
SYSTEMS = {
    "base": [f"The little sentence {i} has {'many' if i % 3 else i % 5} cats" for i in range(30)],
    "new": [f"The small sentence {i} has {i % 5} cats ." if i % 2 else REFERENCE[i] for i in range(30)],
}
COMMAND = (sys.executable, "-m", "truegain", "score", "--src", "src", "--ref", "ref", "mt")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("comet", reason="unbabel-comet is not installed: make comet")
    from tests.scorers.tiny_comet import make_checkpoint

    return make_checkpoint(tmp_path_factory.mktemp("model"))


@pytest.fixture(autouse=True)
def program_on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    if package_here() is None:
        pytest.skip("unbabel-comet is not installed: make comet")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)


def by_comet_score(folder: Path, checkpoint: Path, outputs: list[str], *, reference: bool = True) -> list[float]:
    """Return what COMET's own program gives."""
    for name, lines in {"src": SOURCE, "mt": outputs, "ref": REFERENCE}.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = [str(Path(sys.executable).parent / "comet-score"), "-s", "src", "-t", "mt", "--model", str(checkpoint)]
    command += [*(["-r", "ref"] if reference else []), "--gpus", "0", "--quiet", "--to_json", "own.json"]
    subprocess.run(command, cwd=folder, env={**os.environ, "HF_HUB_OFFLINE": "1"}, capture_output=True, check=True)
    return [one["COMET"] for one in json.loads((folder / "own.json").read_text())["mt"]]


@pytest.mark.parametrize("via", ["package", "program"])
@pytest.mark.parametrize("name", ["comet", "cometkiwi"])
def test_scores_are_those_of_comet_score(tmp_path: Path, name: str, via: str) -> None:
    from tests.scorers.tiny_comet import make_checkpoint

    references = None if name == "cometkiwi" else REFERENCE
    checkpoint = make_checkpoint(tmp_path / "model", reference_free=references is None)
    own = by_comet_score(tmp_path, checkpoint, SYSTEMS["new"], reference=references is not None)
    metric = f"{name}:model={checkpoint},via={via},gpus=0"
    found = tg.score(references, {"new": SYSTEMS["new"]}, sources=SOURCE, metrics=[metric], segments=True, resamples=50)
    assert list(found.segments[metric, "new"]) == pytest.approx(own, abs=1e-12)
    if references is not None:
        assert len(set(own)) > 20
        assert found.metrics[0].signature.startswith(f"nrefs:1|model:{checkpoint}|revision:")
        assert f"|by:unbabel-comet {package_here()}|" in found.metrics[0].signature


def test_a_name_is_found_in_the_hubs_cache_and_none_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.scorers.tiny_comet import make_snapshot

    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    checkpoint = make_snapshot(tmp_path, "truegain/tiny")
    own = by_comet_score(tmp_path, checkpoint, SYSTEMS["base"])
    for via in ("package", "program"):
        line = [*COMMAND, "-R", "50", "-m", f"comet:model=truegain/tiny,via={via},gpus=0", "-f", "json", "--no-cache"]
        found = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert found.stderr == ""
        result = json.loads(found.stdout)
        assert result["systems"][0]["score"] == pytest.approx(sum(own) / 30, abs=1e-9)
        assert f"revision:{checkpoint.parents[1].name[:12]}|" in result["metrics"][0]["signature"]
    shutil.rmtree(tmp_path / "models--truegain--tiny")
    for model in ("truegain/tiny", "Unbabel/wmt22-comet-da"):
        with refused():
            tg.score(REFERENCE, SYSTEMS, sources=SOURCE, metrics=[f"comet:model={model}"])
    with refused():
        tg.score(REFERENCE, SYSTEMS, sources=SOURCE, metrics=[f"comet:model={tmp_path}"])


def test_ctrl_c_ends_it(tmp_path: Path, checkpoint: Path) -> None:
    for name, lines in (("src", SOURCE), ("ref", REFERENCE), ("mt", SYSTEMS["base"])):
        long = [f"{line} {number}" for number in range(8000) for line in lines]  # for minutes, wherever it runs
        (tmp_path / name).write_text("".join(f"{line}\n" for line in long), encoding="utf-8")
    line = [*COMMAND, "-m", f"comet:model={checkpoint},via=package,gpus=0"]
    given: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path}
    # The signal is ignored where the tests run in the background.
    given["preexec_fn"] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    running = subprocess.Popen(line, env={**os.environ, "OMP_NUM_THREADS": "1"}, **given)
    time.sleep(45)  # to be within the network, not within imports
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert (running.returncode, out, err) == (130, "", "truegain: interrupted\n")
