"""METEOR against the program of its authors, version 1.5, and against MultEval, which runs it."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.data import REAL_DATA
from truegain.metrics.meteor import METEOR
from truegain.metrics.meteor_resources import find_resources

DATA = REAL_DATA
JAR = find_resources(None).jar

jar_needed = pytest.mark.skipif(
    JAR is None or shutil.which("java") is None, reason="METEOR's jar (pip install pycocoevalcap) or java is not here"
)
data_needed = pytest.mark.skipif(not DATA.exists(), reason="TRUEGAIN_DATA names no folder")

MODULES = {
    "exact": "exact",
    "exact+stem": "exact stem",
    "exact+stem+synonym": "exact stem synonym",
    "exact+stem+synonym+paraphrase": "exact stem synonym paraphrase",
}


def read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def peer(
    folder: Path, hypotheses: list[str], references: list[str], *options: str
) -> tuple[NDArray[np.float64], float, list[str], list[str]]:
    """Segment scores and the score of the whole, and both texts as the program split them."""
    for name, lines in {"said": hypotheses, "wanted": references}.items():
        (folder / name).write_bytes("".join(line + "\n" for line in lines).encode())
    command = ["java", "-Xmx3G", "-jar", str(JAR), "said", "wanted", "-writeAlignments", *options]
    if "-l" not in options:
        command += ["-l", "en"]
    printed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    scores = np.array([float(one) for one in re.findall(r"^Segment \d+ score:\t(\S+)$", printed, re.MULTILINE)])
    whole = re.search(r"^Final score:\s+(\S+)$", printed, re.MULTILINE)
    assert whole is not None
    lines = (folder / "meteor-align.out").read_text(encoding="utf-8").split("\n")
    places = [i for i, line in enumerate(lines) if line.startswith("Alignment\t")]
    return 100 * scores, 100 * float(whole[1]), [lines[i + 1] for i in places], [lines[i + 2] for i in places]


def same(metric: METEOR, found: tuple[NDArray[np.float64], float, list[str], list[str]]) -> None:
    scores, whole, said, wanted = found
    rows = metric.statistics(said, [wanted]).astype(np.float64)
    np.testing.assert_allclose(metric.score(rows), scores, rtol=0, atol=1e-9)
    assert float(metric.score(rows.sum(0))) == pytest.approx(whole, abs=1e-9)


@jar_needed
@data_needed
@pytest.mark.parametrize(
    ("modules", "every"),
    [
        # The program takes ten seconds to read its paraphrases: those are held against ours on tokenised text below.
        *((modules, 5) for modules in list(MODULES)[:-1]),
        *(pytest.param(modules, 1, marks=pytest.mark.slow) for modules in MODULES),
    ],
)
def test_segments_of_three_systems(modules: str, every: int, tmp_path: Path) -> None:
    """Raw text of the best, a middling and the worst of 20 systems, split into words by the program (-norm)."""
    folder = DATA / "wmt11_deen"
    systems = ("system1", "system13", "system20")
    wanted = read(folder / "ref.en.gz") * len(systems)
    said = [line for system in systems for line in read(folder / "systems" / f"{system}.en.gz")]
    found = peer(tmp_path, said[::every], wanted[::every], "-norm", "-m", MODULES[modules])
    same(METEOR(modules=modules), found)


@jar_needed
@data_needed
def test_tokenised_text(tmp_path: Path) -> None:
    folder = DATA / "nmt_pool" / "test2016"
    runs = ("bpe-full.00", "word-full.00", "word-bk7.00")
    said = [line for run in runs for line in read(folder / f"{run}.en.gz")]
    same(METEOR(), peer(tmp_path, said, read(folder / "ref.en.gz") * len(runs)))


@jar_needed
@pytest.mark.parametrize(
    ("beam", "segments"),
    [*((beam, 2000) for beam in (1, 2, 3, 5, 40)), (10_000, 250), pytest.param(10_000, 2000, marks=pytest.mark.slow)],
)
def test_repeated_words_and_any_beam(beam: int, segments: int, tmp_path: Path) -> None:
    """Few different words: many ways to align, and as many that the beam loses."""
    generator = np.random.default_rng(beam)
    words = np.array(["ant", "bee", "bees", "cat", "cats", "the", "big", "bigger", "house", "home", "car", "premier"])
    said, wanted = (
        [
            " ".join(generator.choice(words[: generator.integers(2, 13)], generator.integers(1, 15)))
            for _ in range(segments)
        ]
        for _ in range(2)
    )
    modules = "exact+stem+synonym"
    same(METEOR(modules=modules, beam=beam), peer(tmp_path, said, wanted, "-m", MODULES[modules], "-x", str(beam)))


@jar_needed
@pytest.mark.parametrize("lang", ["cs", "de", "es", "fr", "ru", "nl", "other"])
def test_languages(lang: str, tmp_path: Path) -> None:
    """Parameters, function words and stemmers; tables of paraphrases of other languages are not in the package."""
    texts = {
        "cs": ("a v malém domě byl kocour", "v domech byli malí kocouři a"),
        "de": ("die kleinen Häuser und der Hund", "das kleine Haus und die Hunde der"),
        "es": ("las casas pequeñas y el perro", "la casa pequeña y los perros"),
        "fr": ("les petites maisons et le chien", "la petite maison et les chiens"),
        "ru": ("маленькие дома и собака", "маленький дом и собаки"),
        "nl": ("de kleine huizen en de hond", "het kleine huisje en de honden"),
        "other": ("one two three two", "two three four one"),
    }
    modules = "exact" if lang in ("cs", "other") else "exact+stem"
    found = peer(tmp_path, [texts[lang][0]], [texts[lang][1]], "-l", lang, "-m", MODULES[modules])
    assert found[0][0] > 0
    same(METEOR(lang=lang, modules=modules), found)


@jar_needed
@pytest.mark.parametrize("task", ["rank", "adq", "hter", "li", "tune"])
def test_tasks(task: str, tmp_path: Path) -> None:
    modules = "exact+stem+synonym"
    texts = ["the big car was here ."], ["a bigger automobile is here ."]
    same(METEOR(task=task, modules=modules), peer(tmp_path, *texts, "-t", task, "-m", MODULES[modules]))


@jar_needed
def test_several_references(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    words = np.array(["ant", "bee", "cat", "the", "of", "house", "home", "big", "large", "."])
    said, *wanted = (
        [" ".join(generator.choice(words, generator.integers(1, 9))) for _ in range(500)] for _ in range(4)
    )
    (tmp_path / "several").mkdir()
    lines = [line for row in zip(*wanted, strict=True) for line in row]
    scores, whole, _, _ = peer(tmp_path / "several", said, lines, "-r", "3", "-m", "exact stem synonym")
    metric = METEOR(modules="exact+stem+synonym")
    rows = metric.statistics(said, wanted).astype(np.float64)
    np.testing.assert_allclose(metric.score(rows), scores, rtol=0, atol=1e-9)
    assert float(metric.score(rows.sum(0))) == pytest.approx(whole, abs=1e-9)


@pytest.mark.skipif(find_resources(None).paraphrases("en") is None, reason="METEOR's files are not here: pycocoevalcap")
@data_needed
def test_multeval_prints_the_same() -> None:
    """Every digit of its table, which is the same with METEOR 1.4 (its README) and 1.5, and of every segment score."""
    folder = DATA / "multeval_newstest2010"
    header, *rows = (line.split("\t") for line in read(folder / "peer_multeval0.5.1_sentence_scores.tsv.gz"))
    column = header.index("meteor")
    metric = METEOR()
    prepared = metric.prepare([read(folder / "example" / "refs.test2010.lc.tok.en.0.gz")])
    expected = {"baseline": 29.308651, "sys1": 30.290422}
    for system, mean in expected.items():
        scores = []
        for run in range(3):
            said = read(folder / "example" / f"hyps.lc.tok.en.{system}.opt{run}.gz")
            counts = metric.statistics(said, prepared).astype(np.float64)
            theirs = [float(row[column]) for row in rows if row[0] == system and row[1] == str(run)]
            np.testing.assert_allclose(metric.score(counts), theirs, rtol=0, atol=0.00501)
            scores.append(float(metric.score(counts.sum(0))))
        assert np.mean(scores) == pytest.approx(mean, abs=5e-7)


def test_the_package_is_looked_for() -> None:
    assert (JAR is not None) == (find_spec("pycocoevalcap") is not None)
