"""Folders as people keep them: what each file is taken for, what is left out, and what cannot be told."""

from __future__ import annotations

import gzip
import os
import sys
from pathlib import Path, PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.readers.experiment_file import ExperimentFile, read_experiment
from truegain.readers.experiment_text import experiment_text, metrics_for, questions
from truegain.readers.file_names import file_name, is_development, names_of
from truegain.readers.folder import FoundFolder, look_through
from truegain.readers.found_sets import baseline_of


def write(folder: Path, *names: str, segments: int = 5) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = "".join(f"line {i} of {name!r}\n" for i in range(segments)).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)


def sgml(path: Path, kind: str, system: str = "x") -> None:
    segments = "".join(f'<seg id="{i}">{system} line {i}</seg>\n' for i in range(4))
    path.write_text(f'<{kind} setid="t"><doc docid="d1" sysid="{system}">\n{segments}</doc></{kind}>\n')


#: What names are taken for: the kind of file, and what is before that.
KINDS = {
    ("reference", ""): "ref.en.gz ref0.de refA.txt refs.test2010.lc.tok.en.0.gz gold.conllu",
    ("reference", "newstest2019-ende"): "newstest2019-ende-ref.de newstest2019-ende-ref.de.sgm",
    ("reference", "newstest2020-ende"): "references/newstest2020-ende.de",
    ("source", "newstest2019-ende"): "newstest2019-ende-src.en",
    ("source", "newstest2020-ende"): "sources/newstest2020-ende.en",
    ("documents", ""): "docs.tsv.gz",
    ("documents", "newstest2010"): "newstest2010.docs.tsv.gz",
    (
        "outputs",
        "",
    ): "systems/gold-miner.txt system-outputs/newstest2019/en-de/newstest2019.KIT.1234.en-de.de base.1.txt",
    ("other", ""): "README.md ids.txt results.json ref-src.txt",
}


@pytest.mark.parametrize(("path", "said"), [(path, said) for said, paths in KINDS.items() for path in paths.split()])
def test_what_a_name_says(path: str, said: tuple[str, str]) -> None:
    found = file_name(PurePath(path))
    assert (found.kind, found.prefix) == said


#: Names of files, and the system and the run that each is taken for.
NAMES = {
    "newstest2017.KIT.4950.en-de.de.gz newstest2017.online-A.0.en-de.de.gz": "KIT: online-A:0",
    "bpe-r1.00.en bpe-r1.01.en word.00.en": "bpe-r1:00 bpe-r1:01 word:00",
    "hyps.lc.tok.en.baseline.opt0 hyps.lc.tok.en.baseline.opt1 hyps.lc.tok.en.sys1.opt0": (
        "baseline:opt0 baseline:opt1 sys1:opt0"
    ),
    "a-seed1.txt a-seed2.txt b-seed1.txt": "a:seed1 a:seed2 b:seed1",
    "system1.en system2.en": "system1: system2:",
    "base.1.txt base.2.txt": "base:1 base:2",
    "lone.en": "lone:",
    "n.LMU.4934.de n.LMU.4893.de n.KIT.1.de": "LMU.4934: LMU.4893: KIT:1",
    # Numbers of versions are names.
    "Claude-3.txt Claude-3.5.txt": "Claude-3: Claude-3.5:",
    "GPT-3.5 GPT-4": "GPT-3.5: GPT-4:",
    "Qwen2.5.txt Qwen2.5-7B.txt": "Qwen2.5: Qwen2.5-7B:",
    "gpt-4.1-mini.txt gpt-4.1.txt": "gpt-4.1-mini: gpt-4.1:",
    "Llama-3.1-8B.txt Llama-3.1-70B.txt": "Llama-3.1-8B: Llama-3.1-70B:",
    "Claude-3.5.txt": "Claude-3.5:",
    "Llama-3.1.seed1.txt Llama-3.1.seed2.txt Llama-3.2.seed1.txt": "Llama-3.1:seed1 Llama-3.1:seed2 Llama-3.2:seed1",
    # Runs: a word, or a number that is padded or of a padded series, or follows no digit.
    "base.seed0 base.seed1 base.seed2": "base:seed0 base:seed1 base:seed2",
    "bk29.09.en bk29.10.en bk7.01.en": "bk29:09 bk29:10 bk7:01",
    "Llama-3.1.01.txt Llama-3.1.02.txt": "Llama-3.1:01 Llama-3.1:02",
    "base_r09.txt base_r10.txt new_r09.txt": "base:09 base:10 new:09",
    # Folders of equal names.
    "seed1/base.txt seed2/base.txt seed1/new.txt": "base:seed1 base:seed2 new:seed1",
    "out/base/1.txt out/base/2.txt out/new/1.txt": "base:1 base:2 new:1",
    "base/hyp.de new/hyp.de": "base: new:",
    "base/hyp.run1.de base/hyp.run2.de new/hyp.run1.de": "base:run1 base:run2 new:run1",
}


@pytest.mark.parametrize("names", NAMES)
def test_systems_and_runs(names: str) -> None:
    found, doubts = names_of([PurePath(name) for name in names.split()])
    assert [":".join(one) for one in found.values()] == NAMES[names].split()
    assert bool(doubts) == ("n.LMU.4934.de" in names)


IN_DOUBT = ("Llama-3.", "system10.", "tool2024.", "DeepSeek-R", "v1.2.")


@pytest.mark.parametrize("names", [(f"{name}1", f"{name}2") for name in IN_DOUBT])
def test_a_last_number_in_doubt_makes_systems_and_a_question(tmp_path: Path, names: tuple[str, ...]) -> None:
    write(tmp_path, "ref.txt", "base.txt", *(f"{name}.txt" for name in names))
    found = look_through(str(tmp_path))
    assert taken(found) == {tmp_path.name: {"base": 1, **dict.fromkeys(names, 1)}}
    assert found.doubts == (names,)
    (asked,) = questions(found, str(tmp_path / "e.toml"))
    assert asked.startswith(f"are {names[0]}, {names[1]} runs of one system?")
    text = experiment_text(found, str(tmp_path / "e.toml"))
    assert f"# question: {asked}" in text
    # The answer, written as the question says.
    kept = [one for one in text.split("\n") if not one.startswith(tuple(f'"{name}"' for name in names) + names)]
    kept.insert(kept.index("[testset.systems]") + 1, asked.partition("write ")[2].removesuffix(" instead"))
    (tmp_path / "e.toml").write_text("\n".join(kept))
    read = read_experiment(tmp_path / "e.toml")
    assert sorted(len(files) for files in read.testsets[0].systems.values()) == [1, 2]


@given(st.lists(st.from_regex(r"[a-z0-9._-]{1,12}\.txt", fullmatch=True), min_size=1, max_size=6, unique=True))
def test_every_file_has_a_name(names: list[str]) -> None:
    found, _ = names_of([PurePath(name) for name in names])
    assert len(found) == len(names)


def experiment(found: FoundFolder, folder: Path) -> ExperimentFile:
    """Write the experiment of what was found, into the folder, and read it."""
    path = folder / "e.toml"
    path.write_text(experiment_text(found, str(path)), encoding="utf-8")
    return read_experiment(path)


def taken(found: FoundFolder) -> dict[str, dict[str, int]]:
    return {one.name: {name: len(runs) for name, runs in one.systems.items()} for one in found.testsets}


def test_a_folder_for_each_set(tmp_path: Path) -> None:
    for name, segments in (("news", 5), ("talks", 7), ("dev", 3)):
        files = ["ref.de", "src.en", "docs.txt", "base.1.de", "base.2.de", "new.1.de", "new.2.de"]
        write(tmp_path, *(f"{name}/{file}" for file in files), segments=segments)
    write(tmp_path, "talks/only.de", "talks/base.3.de", segments=7)
    write(tmp_path, "news/short.de", segments=2)
    write(tmp_path, "README.md", "stray.txt")
    found = look_through(str(tmp_path))
    assert taken(found) == {"news": {"base": 2, "new": 2}, "talks": {"base": 2, "new": 2}}
    assert found.development is not None
    assert found.development.name == "dev"
    given = (found.testsets[0].source, found.testsets[0].documents)
    assert given == (str(tmp_path / "news/src.en"), str(tmp_path / "news/docs.txt"))
    assert dict(found.left_out) == {
        "README.md": "'README' in its name",
        "news/short.de": "2 segments where news has 5",
        "stray.txt": "there is no reference beside it",
        "talks/only.de": "only is not on every test set",
        "talks/base.3.de": "this run is not on every test set",
    }
    read = experiment(found, tmp_path)
    assert [corpus.segments for corpus in read.corpora()] == [5, 7]
    assert [len(one.systems["base"]) for one in read.testsets] == [2, 2]
    assert read.settings == {"baseline": "base"}
    assert read.development_corpus() is not None


def test_one_folder_with_everything(tmp_path: Path) -> None:
    names = ["newstest2018-ende", "newstest2019-ende"]
    for name in names:
        write(tmp_path / "sets", f"{name}-ref.de", f"{name}-src.en", f"{name}.A.1234.de", f"{name}.B.99.de")
    # Versions with runs of their own are in no doubt.
    write(tmp_path / "runs", "ref.txt", *(f"bpe-r{i}.0{j}.txt" for i in (1, 2) for j in (0, 1)))
    sets, runs = (look_through(str(tmp_path / name)) for name in ("sets", "runs"))
    assert taken(sets) == {name: {"A": 1, "B": 1} for name in names}
    assert (taken(runs), runs.doubts) == ({"runs": {"bpe-r1": 2, "bpe-r2": 2}}, ())


def test_several_references_and_sgml(tmp_path: Path) -> None:
    write(tmp_path, "many/ref.0.de", "many/ref.1.de", "many/a.de", "many/b.de")
    assert len(look_through(str(tmp_path / "many")).testsets[0].references) == 2
    write(tmp_path, "marked/t-ref.de", segments=4)
    sgml(tmp_path / "marked/t-ref.de.sgm", "refset")
    sgml(tmp_path / "marked/t-src.en.sgm", "srcset")
    for name in ("a", "b"):
        sgml(tmp_path / f"marked/t.{name}.1.de.sgm", "tstset", name)
    found = look_through(str(tmp_path / "marked"))
    assert taken(found) == {"t": {"a": 1, "b": 1}}
    ((path, why),) = found.left_out
    assert path == "t-ref.de"
    assert all(told in why for told in ("the same as t-ref.de.sgm", "has documents"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        (b"bad\xff", "its name is not UTF-8"),
        (b"two\nlines", "there are control characters in its name"),
        (b"a{testset}b", "{testset} is part of its name"),
    ],
)
def test_names_that_no_experiment_file_can_hold(tmp_path: Path, name: bytes, why: str) -> None:
    """Those that TOML must quote it can."""
    odd, quoted = os.fsdecode(name), 'a "set"'
    files = [f"{quoted}/ref.de", f"{quoted}/ü [1].de", f"{quoted}/b.c*.de", f"{quoted}/{odd}.de"]
    write(tmp_path, *files, f"{odd}/ref.de", f"{odd}/a.de", f"{odd}/b.de")
    found = look_through(str(tmp_path))
    assert dict(found.left_out) == {odd: why, f"{quoted}/{odd}.de": why}
    assert len(experiment(found, tmp_path).corpora()[0].systems) == 2
    inner = look_through(str(tmp_path / odd))
    with refused():
        experiment_text(inner, str(tmp_path / "e.toml"))
    assert len(experiment(inner, tmp_path / odd).corpora()[0].systems) == 2


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["a.txt", "b.txt"], "there is no reference"),
        (["ref.txt"], "no outputs of systems"),
        (["ref.txt", "a.txt"], "a comparison needs two systems"),
        (["ref.de", "ref.en", "a.de", "b.de"], "references of one test set or of several"),
        (["txt/x-ref.de", "sgm/x-ref.de"], "'x' has references in two places"),
        (["ref.de", "src.en", "source.en", "a.de", "b.de"], "has two files of source"),
        (["x/ref.de", "x/a.de", "x/b.de", "y/ref.de", "y/c.de", "y/d.de"], "two systems that are on every test set"),
        (["x-ref.de", "y-ref.de", "a.de", "b.de"], "may belong to any of x, y"),
        (["ref.de", "systems/a.de", "systems/a.de.gz", "systems/b.de"], "'a' has two files"),
    ],
)
def test_what_cannot_be_told_is_refused_with_a_remedy(tmp_path: Path, files: list[str], words: str) -> None:
    write(tmp_path, *files)
    with pytest.raises(InputError, match=words) as caught:
        look_through(str(tmp_path))
    assert caught.value.hint


def test_a_copy_of_the_reference_is_a_system_and_odd_documents_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "ref.txt", "systems/a.txt")
    (tmp_path / "systems/oracle.txt").write_bytes((tmp_path / "ref.txt").read_bytes())
    (tmp_path / "docs.tsv").write_text("".join(f"d{i}\t{i}\tx\n" for i in range(5)))
    found = look_through(str(tmp_path))
    assert taken(found) == {tmp_path.name: {"a": 1, "oracle": 1}}
    assert found.testsets[0].documents is None
    assert "which column holds the documents" in dict(found.left_out)["docs.tsv"]


def test_runs_that_are_not_on_every_set(tmp_path: Path) -> None:
    write(tmp_path, "x/ref.de", "x/a.1.de", "x/a.2.de", "x/b.1.de")
    write(tmp_path, "y/ref.de", "y/a.2.de", "y/b.3.de")
    found = look_through(str(tmp_path))
    assert taken(found) == {"x": {"a": 1, "b": 1}, "y": {"a": 1, "b": 1}}
    assert found.testsets[0].systems["a"]["2"].endswith("a.2.de")
    assert dict(found.left_out) == {"x/a.1.de": "this run is not on every test set"}


def test_baselines(tmp_path: Path) -> None:
    assert baseline_of(["a", "baseline"]) == ("baseline", "by its name")
    write(tmp_path, "ref.de", "system10.de", "system9.de")
    name, why = baseline_of(look_through(str(tmp_path)).testsets[0].systems)
    assert (name, "first alphabetically" in why) == ("system9", True)


@pytest.mark.parametrize(
    ("ending", "content", "expected"),
    [
        *((ending, "(S (NN a))\n", ("parseval",)) for ending in ("mrg", "parse")),
        *((ending, "EU B-ORG\n", ("span_f1",)) for ending in ("conll", "bio")),
        ("conllu", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", ("las", "uas")),
        ("txt", "a line\n", ("bleu", "chrf")),
        ("txt", "0-0 1-1\n0-1\n", ("aer",)),
        ("txt", "1-1 2p10\n10-2\n", ("aer:reference_base=1",)),
    ],
)
def test_metrics_by_endings_and_content(tmp_path: Path, ending: str, content: str, expected: tuple[str, ...]) -> None:
    for name in ("gold", "base", "new"):
        (tmp_path / f"{name}.{ending}").write_text(content)
    assert metrics_for(look_through(str(tmp_path))) == expected


def test_development_sets_by_name() -> None:
    assert [is_development(name) for name in ("val", "newsdev.dev-ende", "devil")] == [True, True, False]


def test_an_xml_file_with_everything(tmp_path: Path) -> None:
    sides = "".join(
        f'<{tag} {key}="{name}">' + "".join(f'<seg id="{i}">{name} {i}</seg>' for i in range(4)) + f"</{tag}>"
        for tag, key, name in (("ref", "translator", "A"), ("hyp", "system", "one"), ("hyp", "system", "two"))
    )
    (tmp_path / "newstest.xml").write_text(f'<dataset><doc id="d">{sides}</doc></dataset>')
    found = look_through(str(tmp_path))
    assert taken(found) == {"newstest": {"one": 1, "two": 1}}
    assert [system.name for system in experiment(found, tmp_path).corpora()[0].systems] == ["one", "two"]
