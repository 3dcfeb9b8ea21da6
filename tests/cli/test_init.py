"""``truegain init``, then ``truegain run`` with nothing edited: on folders as people keep them."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import truegain as tg
from benchmarks.simulation import SystemSpec, simulate

Command = Callable[..., tuple[int, str, str]]


def write(path: Path, lines: tuple[str, ...]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def wmt(folder: Path, runs: int = 1) -> None:
    """Two test sets in WMT's folders, with two systems."""
    for seed, name in enumerate(("newstest2019", "newstest2020")):
        systems = [SystemSpec(name=one, quality=q, runs=runs) for one, q in (("online-A", 0.6), ("KIT", 0.75))]
        made = simulate(segments=40 + seed, systems=systems, seed=seed)
        write(folder / f"references/{name}-ende-ref.de.gz", made.references[0])
        write(folder / f"sources/{name}-ende-src.en", made.references[1 % len(made.references)])
        for system, outputs in made.systems.items():
            for run, lines in enumerate(outputs, 1):
                number = "4242" if runs == 1 else f"seed{run}"
                write(folder / f"system-outputs/{name}/en-de/{name}.{system}.{number}.en-de.de", lines)


@pytest.mark.parametrize("runs", [1, 2])
def test_folders_as_wmt_has_them(command: Command, folder: Path, runs: int) -> None:
    wmt(folder / "data", runs)
    code, out, err = command("init", "data")
    assert code == 0, err
    assert "data/references/newstest2020-ende-ref.de.gz" in out
    assert out.endswith("truegain run experiment.toml\n")
    code, out, err = command("run", "experiment.toml")
    assert code == 0, err
    sets = tg.load("experiment.json").to_dict()["sets"]
    assert [(one["testset"]["name"], one["testset"]["segments"]) for one in sets] == [
        ("newstest2019-ende", 40),
        ("newstest2020-ende", 41),
    ]
    for one in sets:
        systems = [file["system"] for file in one["testset"]["inputs"]["files"] if file["role"] == "outputs"]
        assert Counter(systems) == {"KIT": runs, "online-A": runs}


def test_numbers_of_versions_are_asked_about(command: Command, folder: Path) -> None:
    write(folder / "data/ref.txt", ("a b c d", "e f g h"))
    for number, name in enumerate(("Claude-3", "Claude-3.5", "Llama-3.1", "Llama-3.2")):
        write(folder / f"data/{name}.txt", (f"a b {number}", "e f g h"))
    code, out, _ = command("init", "data")
    assert code == 0
    assert 'Llama-3 = ["data/Llama-3.1.txt", "data/Llama-3.2.txt"]' in out
    assert "Claude" not in out.partition("question: ")[2].partition("\n")[0]


def test_nothing_is_written_over(command: Command, folder: Path) -> None:
    wmt(folder / "data")
    Path("experiment.toml").write_text("# mine\n")
    code, _, err = command("init", "data")
    assert code == 2
    assert "--force" in err
    assert Path("experiment.toml").read_text() == "# mine\n"
    assert command("init", "data", "--force")[0] == 0
    assert "[[testset]]" in Path("experiment.toml").read_text()


def test_it_can_lie_elsewhere(command: Command, folder: Path) -> None:
    wmt(folder / "data")
    (folder / "runs").mkdir()
    assert command("init", "data", "-o", "runs/mine.toml")[0] == 0
    code, _, err = command("run", "runs/mine.toml")
    assert code == 0, err
    assert (folder / "runs/mine.html").exists()


@pytest.mark.parametrize(
    "line", ["none", "é" * 300, f"data -o {'é' * 300}.toml", "data -o x.txt", "data -o no/x.toml", "empty"]
)
def test_what_is_refused(command: Command, folder: Path, line: str) -> None:
    wmt(folder / "data")
    (folder / "empty").mkdir()
    code, out, err = command("init", *line.split())
    assert (code, out) == (2, "")
    assert line.split()[-1] in err
    assert not list(folder.rglob("*.toml"))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "sets", "systems", "runs"),
    [
        ("wmt11_deen", {"wmt11_deen": 3003}, 20, 1),
        ("sacrebleu_wmt17_ende", {"sacrebleu_wmt17_ende": 3004}, 16, 1),
        ("multeval_newstest2010", {"example": 2489}, 3, 3),
        ("nmt_pool", {"coco2017": 461, "test2016": 1000}, 14, 20),
        ("conll18_en_ewt", {"conll18_en_ewt": 2077}, 25, 1),
        ("wmt23_mtme", {"en-de": 557, "zh-en": 1976}, 11, 1),
    ],
)
def test_real_folders(
    command: Command, folder: Path, shared_data: Path, name: str, sets: dict[str, int], systems: int, runs: int
) -> None:
    (folder / name).symlink_to(shared_data / name)
    code, _, err = command("init", name)
    assert code == 0, err
    read = tg.read_experiment("experiment.toml")
    assert [one.name for one in read.testsets] == list(sets)
    for one in read.testsets:
        assert len(one.systems) == systems
        assert max(len(files) for files in one.systems.values()) == runs
        documented = ("wmt11_deen", "multeval_newstest2010", "wmt23_mtme")
        assert (one.options.get("documents") is not None) == (name in documented)
    assert (read.development is not None) == (name == "nmt_pool")


@pytest.mark.whole
@pytest.mark.parametrize("name", ["multeval_newstest2010", "nmt_pool", "sacrebleu_wmt17_ende", "wmt23_mtme"])
def test_real_folders_are_run_without_editing(command: Command, folder: Path, shared_data: Path, name: str) -> None:
    """Of the pool a few systems, and few resamples: what takes long is the rest of it."""
    source = shared_data / name
    if name == "nmt_pool":
        for testset in ("test2016", "coco2017"):
            (folder / name / testset).mkdir(parents=True)
            for pattern in ("ref.en.gz", "src.de.gz", "word-bk7.*", "bpe-bk7.*"):
                for path in (source / testset).glob(pattern):
                    (folder / name / testset / path.name).symlink_to(path)
    else:
        (folder / name).symlink_to(source)
    assert command("init", name)[0] == 0
    text = Path("experiment.toml").read_text()
    Path("experiment.toml").write_text(text.replace("# resamples = 10000 ", "resamples = 100 "))
    code, _, err = command("run", "experiment.toml")
    assert code == 0, err
    result = tg.load("experiment.json")
    documents = [one["testset"]["documents"] for one in result.to_dict()["sets"]]
    pooled = {one["test"] for one in result.to_records() if one["pooling"]}
    if name == "wmt23_mtme":
        assert documents == [192, 179]
    elif name == "nmt_pool":
        assert pooled >= {"crossed"}
    else:
        assert not pooled
