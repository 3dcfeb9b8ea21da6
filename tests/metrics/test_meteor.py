"""METEOR on small texts: what matches, what it costs, what is refused."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import truegain as tg
from tests.refusals import refused
from truegain.cache import Cache
from truegain.metrics import meteor_resources
from truegain.metrics.meteor import METEOR
from truegain.metrics.meteor_languages import LANGUAGES
from truegain.text.meteor_alignments import java_hashes
from truegain.text.packed_texts import PackedTexts
from truegain.text.paraphrases import PhraseTable
from truegain.text.synonyms import Synsets

SYNSETS = "car\n1 2\nautomobile\n1\nbig\n3\nlarge\n3 4\n"
EXCEPTIONS = "big\nbigger biggest\n"
TABLE = "0.5\nin order to\nto\n0.4\nprime minister\npremier\n"
OF_THE_JAR = {
    "function/english.words": "the\nto\n",
    "synonym/english.synsets": SYNSETS,
    "synonym/english.exceptions": EXCEPTIONS,
}


@pytest.fixture(autouse=True)
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No files but those of a test."""
    monkeypatch.delenv("TRUEGAIN_METEOR", raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


@pytest.fixture
def files(tmp_path: Path) -> str:
    """METEOR's files, on a small scale."""
    for name, text in OF_THE_JAR.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "paraphrase-en.gz").write_bytes(gzip.compress(TABLE.encode()))
    return str(tmp_path)


def one(metric: METEOR, hypothesis: str, *references: str) -> dict[str, int]:
    row = metric.statistics([hypothesis], [[reference] for reference in references])[0]
    return dict(zip(metric.statistic_names, row.tolist(), strict=True))


def score(metric: METEOR, hypothesis: str, *references: str) -> float:
    return float(metric.score(metric.statistics([hypothesis], [[one] for one in references])[0].astype(float)))


def test_by_hand(files: str) -> None:
    """Precision and recall 0.75 · 2 + 0.25 over 0.75 · 3 + 0.25, two chunks of three matched words."""
    metric = METEOR(modules="exact", resources=files)
    found = one(metric, "the dog saw cats", "the cat saw cats")
    assert (found["hyp_function"], found["exact_content_hyp"], found["exact_function_ref"]) == (1, 2, 1)
    assert (found["chunks"], found["hyp_matched"]) == (2, 3)
    f = 1.75 / 2.5
    assert score(metric, "the dog saw cats", "the cat saw cats") == pytest.approx(
        100 * f * (1 - 0.6 * (2 / 3) ** 0.2), abs=1e-12
    )


def test_every_module(files: str) -> None:
    metric = METEOR(resources=files)
    found = one(metric, "x cars biggest y premier k run", "x automobile large z prime minister q runs")
    assert (found["exact_content_hyp"], found["stem_content_hyp"], found["synonym_content_hyp"]) == (1, 1, 2)
    assert (found["paraphrase_content_hyp"], found["paraphrase_content_ref"]) == (1, 2)


def test_a_perfect_segment_has_no_chunk() -> None:
    metric = METEOR()
    assert one(metric, "a b c", "a b c")["chunks"] == 0
    assert score(metric, "a b c", "a b c") == 100.0
    assert one(metric, "a b c", "a b c d")["chunks"] == 1


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_matched(hypothesis: str, reference: str) -> None:
    assert score(METEOR(), hypothesis, reference) == 0.0


def test_the_best_reference(files: str) -> None:
    metric = METEOR(resources=files)
    assert one(metric, "a b c", "a x", "a b c d", "c b a") == one(metric, "a b c", "a b c d")
    assert score(metric, "a b c", "a x", "a b c d") == score(metric, "a b c", "a b c d")


def test_blanks_and_hashes_are_those_of_java() -> None:
    assert one(METEOR(), "a\u00a0b\tc", "a b c")["hyp_len"] == 2
    assert one(METEOR(), "Aa", "BB")["exact_content_hyp"] == 1, "two words with one hash"
    # As String.hashCode() has them: the third and the fourth are beyond 31 bits, the fifth is of two units.
    words = ["", "hello", "internationalisation", "größer", "\U0001f600", "\ud83d", "\ude00", "Aa"]
    expected = []
    for word in words:
        units = np.frombuffer(word.encode("utf-16-le", "surrogatepass"), "<u2").tolist()
        value = sum(unit * 31**place for place, unit in enumerate(reversed(units))) % 2**32
        expected.append(value - 2**32 * (value >= 2**31))
    assert java_hashes(words).tolist() == expected
    assert expected[:2] == [0, 99162322]
    assert java_hashes([]).size == 0


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "dogs", "dog"]), max_size=12), st.randoms())
def test_bounds_and_counts(words: list[str], random: object) -> None:
    other = list(words)
    random.shuffle(other)  # type: ignore[attr-defined]
    metric = METEOR()
    found = one(metric, " ".join(words), " ".join(other))
    assert 0 <= found["chunks"] <= found["hyp_matched"] == found["ref_matched"] <= len(words)
    assert found["exact_content_hyp"] == found["exact_content_ref"]
    assert 0 <= score(metric, " ".join(words), " ".join(other)) <= 100 + 1e-9


def test_sums_are_scored() -> None:
    metric = METEOR()
    rows = metric.statistics(["a b", "c x d"], [["a b", "c d e"]])
    assert rows.dtype == np.int64
    both = metric.score(rows.astype(float))
    assert both.shape == (2,)
    assert both.min() < float(metric.score(rows.sum(0).astype(float))) < both.max()


def test_it_says_which_files_it_has(files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = METEOR()
    assert "mod:exact+stem|w:1/0.6|" in without.signature()
    assert "files:none" in without.signature()
    assert without.advice([], "x")
    metric = METEOR(resources=files)
    assert metric.advice([], "x") == []
    before = metric.signature()
    assert "mod:exact+stem+synonym+paraphrase|w:1/0.6/0.8/0.6|abgd:0.85/0.2/0.6/0.75|" in before
    assert "files:none" not in before
    monkeypatch.setenv("TRUEGAIN_METEOR", files)
    assert METEOR().signature() == before
    (tmp_path / "function" / "english.words").write_text("the\n")
    assert METEOR().signature() != before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages(lang: str) -> None:
    assert score(METEOR(lang=lang), "a b c", "a b d") > 0


def test_files_that_are_not_meteors(files: str, tmp_path: Path) -> None:
    table, words = tmp_path / "paraphrase-en.gz", tmp_path / "function" / "english.words"
    damaged = bytearray(gzip.compress(TABLE.encode() * 100))
    damaged[30] ^= 0xFF
    for path, content in (
        (table, gzip.compress(b"0.5\na\n")),
        (table, b"no gzip"),
        (table, bytes(damaged)),
        (words, b"th\xe9\n"),
    ):
        whole = path.read_bytes()
        path.write_bytes(content)
        with refused(naming=[path.name]):
            METEOR(resources=files).prepare([["a b"]])
        path.write_bytes(whole)


def test_segments_that_are_too_long() -> None:
    with refused(naming=["segment 2", "1,501"]):
        METEOR().statistics(["a", "a " * 1501], [["a", "b"]])


def test_raw_text_is_split_on_demand_and_its_need_is_said() -> None:
    raw, apart = ["The cat, it sat."], ["The cat , it sat ."]
    split = METEOR(tokenize="13a")
    assert "tok:13a" in split.signature(1)
    np.testing.assert_array_equal(split.statistics(raw, [apart]), METEOR().statistics(apart, [apart]))
    assert "tokenize=13a" in str(METEOR().advice(raw * 20, "new.txt")[0])
    for metric, lines in ((METEOR(), apart), (split, raw)):
        assert "tokenize=13a" not in str(metric.advice(lines * 20, "new.txt"))


# ---- The table of paraphrases, the synsets, and the hash of all files, kept as they were read

TWO = {"base": ["he went in order to see the premier"], "new": ["he went to see the prime minister"]}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a table and synsets were read as text; nothing is remembered from other tests."""
    counts: Counter[str] = Counter()
    for kind in (PhraseTable, Synsets):
        monkeypatch.setattr(kind, "read", counted(kind.read, kind.__name__, counts))
    monkeypatch.setattr(meteor_resources, "_SETTLED", 0)
    forget()
    return counts


def counted(read: Callable[..., Any], name: str, counts: Counter[str]) -> Callable[..., Any]:
    def reading(*given: Any) -> Any:
        counts[name] += 1
        return read(*given)

    return reading


def forget() -> None:
    """Be a new process."""
    for kept in (meteor_resources._phrase_table, meteor_resources._file_digest, meteor_resources._synsets):
        kept.cache_clear()


def scores(files: str, cache: Cache | None) -> str:
    """Return a result; what is kept of it are no statistics of a run."""
    forget()
    metric = f"meteor:resources={files}"
    result = tg.score(["he goes to see the premier"], TWO, metrics=[metric], resamples=20, cache=cache)
    if cache is not None:
        others_of(cache)
    return json.dumps(result.to_dict())


def others_of(cache: Cache) -> dict[str, NDArray[Any]]:
    """Entries that are no statistics of a run: the scores would else be found before any table is read."""
    found = {}
    for path in cache.directory.glob("*.statistics"):
        entry = cache.get(path.stem)
        if entry is not None and entry.ndim == 1:
            found[path.stem] = entry
        else:
            path.unlink()
    return found


def in_a_jar(files: str, folder: Path) -> str:
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / "meteor-1.5.jar", "w") as archive:
        for name in OF_THE_JAR:
            archive.write(Path(files) / name, name)
    shutil.copy(Path(files) / "paraphrase-en.gz", folder)
    return str(folder / "meteor-1.5.jar")


@pytest.mark.parametrize("jar", [False, True])
def test_tables_and_synsets_are_read_once(files: str, tmp_path: Path, read: Counter[str], jar: bool) -> None:
    cache = Cache(tmp_path / "cache")
    if jar:
        files = in_a_jar(files, tmp_path / "jar")
    new = scores(files, None)
    assert scores(files, cache) == new
    assert read == {"PhraseTable": 2, "Synsets": 2}
    assert jar or len(others_of(cache)) == 10  # three parts, two of the synsets, the hashes of four files and of all
    assert scores(files, cache) == new
    assert read == {"PhraseTable": 2, "Synsets": 2}


@pytest.mark.parametrize("name", [*OF_THE_JAR, "paraphrase-en.gz"])
@pytest.mark.parametrize("jar", [False, True])
def test_another_file_is_read_and_told_in_the_signature(
    files: str, tmp_path: Path, read: Counter[str], name: str, jar: bool
) -> None:
    cache = Cache(tmp_path / "cache")
    place = in_a_jar(files, tmp_path / "jar") if jar else files
    before = scores(place, cache)
    path = Path(files) / name
    state = path.stat()
    if name.endswith("gz"):
        path.write_bytes(gzip.compress(TABLE.replace("premier", "premiar").encode()))
    else:
        path.write_text(path.read_text() + ("goes\n2\n" if name.endswith("synsets") else "to\ngoes\n"))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))  # as old as the one before
    if jar:
        in_a_jar(files, tmp_path / "jar")
    after = scores(place, cache)
    assert after == scores(place, None)
    assert after != before


def test_a_file_that_was_just_written_is_hashed_each_time(
    files: str, tmp_path: Path, read: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second change within the same tick of the clock would have the same time."""
    monkeypatch.setattr(meteor_resources, "_SETTLED", 1e12)
    cache = Cache(tmp_path / "cache")
    scores(files, cache)
    assert len(others_of(cache)) == 6
    scores(files, cache)
    assert read["PhraseTable"] == 1


def test_a_kept_table_that_cannot_be_one_is_read_again(files: str, tmp_path: Path, read: Counter[str]) -> None:
    cache = Cache(tmp_path / "cache")
    right = scores(files, cache)
    for key, entry in others_of(cache).items():
        negative = [-entry] if 1 in entry else []
        for wrong in (entry[1:], entry[:0], entry.astype(np.int32), np.stack([entry, entry]), *negative):
            cache.put(key, wrong)
            assert scores(files, cache) == right
            np.testing.assert_array_equal(others_of(cache)[key], entry)


def test_the_same_table_elsewhere_is_found(files: str, tmp_path: Path, read: Counter[str]) -> None:
    """A table is known by what is in it."""
    cache = Cache(tmp_path / "cache")
    first = scores(files, cache)
    copy = str(shutil.copytree(files, tmp_path / "copy", ignore=shutil.ignore_patterns("cache", "copy")))
    assert scores(copy, cache).replace(copy, files) == first
    assert read["PhraseTable"] == 1


@pytest.mark.parametrize(("kind", "name"), [(PhraseTable, "paraphrase-en.gz"), (Synsets, "synonym/english.synsets")])
def test_what_changes_while_it_is_read_is_not_kept(
    files: str, tmp_path: Path, read: Counter[str], monkeypatch: pytest.MonkeyPatch, kind: Any, name: str
) -> None:
    original = kind.read
    other = {"paraphrase-en.gz": gzip.compress(TABLE.replace("premier", "chancellor").encode())}

    def changing(*given: Any) -> Any:
        (tmp_path / name).write_bytes(other.get(name, f"{SYNSETS}goes\n2\n".encode()))
        return original(*given)

    monkeypatch.setattr(kind, "read", changing)
    cache = Cache(tmp_path / "cache")
    scores(files, cache)
    hashes, synsets, parts = (
        [entry for entry in others_of(cache).values() if kind_of(entry) == one] for one in ("hash", "synsets", "part")
    )
    assert hashes
    assert (len(synsets), len(parts)) == ((2, 0) if kind is PhraseTable else (0, 3))


def kind_of(entry: NDArray[Any]) -> str:
    if entry.shape == (4,):
        return "hash"
    return "part" if PackedTexts.from_array(entry) is None else "synsets"


def test_a_metric_that_had_a_cache_does_without_when_told_to(files: str, tmp_path: Path, read: Counter[str]) -> None:
    metric = METEOR(resources=files)
    cache = Cache(tmp_path / "cache")
    for wanted in (cache, None):
        forget()
        tg.score(["he goes to see the premier"], TWO, metrics=[metric], resamples=20, cache=wanted)
        cache.clear()
    assert read["PhraseTable"] == 2
    assert cache.info().entries == 0


def test_a_file_that_comes_to_lie_beside_the_jar_is_taken(files: str, tmp_path: Path, read: Counter[str]) -> None:
    cache = Cache(tmp_path / "cache")
    jar = in_a_jar(files, tmp_path / "jar")
    before = scores(jar, cache)
    (tmp_path / "jar" / "function").mkdir()
    (tmp_path / "jar" / "function" / "english.words").write_text("see\n")
    after = scores(jar, cache)
    assert after == scores(jar, None)
    assert after != before


def test_a_file_that_cannot_be_read_is_said(files: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The superuser reads whatever its permissions are."""

    def refuse(path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with refused(naming=["Permission denied"]):
        scores(files, Cache(tmp_path / "cache"))
