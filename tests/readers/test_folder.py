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
    line = asked.partition("write ")[2].removesuffix(" instead")
    text = experiment_text(found, str(tmp_path / "e.toml"))
    assert f"# question: {asked}" in text
    # The answer, written as the question says.
    kept = [one for one in text.split("\n") if not one.startswith(tuple(f'"{name}"' for name in names) + names)]
    kept.insert(kept.index("[testset.systems]") + 1, line)
    (tmp_path / "e.toml").write_text("\n".join(kept))
    read = read_experiment(tmp_path / "e.toml")
    assert sorted(len(files) for files in read.testsets[0].systems.values()) == [1, 2]


def test_folders_as_mt_metrics_eval_has_them(tmp_path: Path) -> None:
    for pair, segments in (("en-de", 5), ("zh-en", 5)):
        write(
            tmp_path,
            f"sources/{pair}.txt",
            *(f"system-outputs/{pair}/{name}.txt" for name in ("DeepL", "GPT-3.5", "refB")),
            f"metric-scores/{pair}/BLEU-refA.seg.score",
            f"human-scores/{pair}.mqm.seg.rating",
            segments=segments,
        )
        for name in ("refA", "synthetic_ref"):
            write(tmp_path, f"references/{pair}.{name}.txt", segments=segments)
            twin = tmp_path / f"system-outputs/{pair}/{name}.txt"
            twin.write_bytes((tmp_path / f"references/{pair}.{name}.txt").read_bytes())
        (tmp_path / "documents").mkdir(exist_ok=True)
        (tmp_path / f"documents/{pair}.docs").write_text("news\ta\nnews\ta\nnews\tb\nsocial\tc\nsocial\td\n")
    found = look_through(str(tmp_path))
    assert taken(found) == {pair: {"DeepL": 1, "GPT-3.5": 1} for pair in ("en-de", "zh-en")}
    why = dict(found.left_out)
    said = why["system-outputs/en-de/refA.txt"]
    assert all(told in said for told in ("a reference", "the same lines as references/en-de.refA.txt"))
    assert "the same lines as references/en-de.synthetic_ref" in why["system-outputs/en-de/synthetic_ref.txt"]
    assert "a reference by its name" in why["system-outputs/zh-en/refB.txt"]
    assert "another reference of zh-en" in why["references/zh-en.synthetic_ref.txt"]
    for corpus in experiment(found, tmp_path).corpora():
        assert (len(set(corpus.documents or ())), len(set(corpus.domains or ()))) == (4, 2)
        assert len(corpus.references) == 1


def test_an_output_that_is_the_reference_and_not_named_so_stays_a_system(tmp_path: Path) -> None:
    write(tmp_path, "ref.txt", "systems/a.txt")
    (tmp_path / "systems/oracle.txt").write_bytes((tmp_path / "ref.txt").read_bytes())
    assert taken(look_through(str(tmp_path))) == {tmp_path.name: {"a": 1, "oracle": 1}}


def test_documents_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "ref.txt", "a.txt", "b.txt")
    (tmp_path / "docs.tsv").write_text("".join(f"d{i}\t{i}\tx\n" for i in range(5)))
    found = look_through(str(tmp_path))
    assert found.testsets[0].documents is None
    assert "which column holds the documents" in dict(found.left_out)["docs.tsv"]


@given(st.lists(st.from_regex(r"[a-z0-9._-]{1,12}\.txt", fullmatch=True), min_size=1, max_size=6, unique=True))
def test_every_file_has_a_name(names: list[str]) -> None:
    found, _ = names_of([PurePath(name) for name in names])
    assert len(found) == len(names)


def test_development_sets_by_name() -> None:
    assert [is_development(name) for name in ("val", "newsdev.dev-ende", "devil")] == [True, True, False]


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
    write(tmp_path, "talks/only.de", segments=7)
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
    }
    assert 'base = "{testset}/base.*.de"' in experiment_text(found, str(tmp_path / "e.toml"))
    read = experiment(found, tmp_path)
    assert [corpus.segments for corpus in read.corpora()] == [5, 7]
    assert read.settings == {"baseline": "base"}
    assert read.development_corpus() is not None


def test_folders_as_wmt_has_them(tmp_path: Path) -> None:
    for name, pair, segments in (("newstest2019", "ende", 5), ("newstest2020", "ende", 6)):
        files = [
            f"references/{name}-{pair}-ref.de",
            f"sources/{name}-{pair}-src.en",
            f"system-outputs/{name}/en-de/{name}.KIT.123.en-de.de",
            f"system-outputs/{name}/en-de/{name}.online-A.0.en-de.de",
        ]
        write(tmp_path, *files, segments=segments)
    found = look_through(str(tmp_path))
    assert taken(found) == {name: {"KIT": 1, "online-A": 1} for name in ("newstest2019-ende", "newstest2020-ende")}
    assert found.testsets[1].source == str(tmp_path / "sources/newstest2020-ende-src.en")
    assert [corpus.segments for corpus in experiment(found, tmp_path).corpora()] == [5, 6]


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


def test_an_xml_file_with_everything(tmp_path: Path) -> None:
    sides = "".join(
        f'<{tag} {key}="{name}">' + "".join(f'<seg id="{i}">{name} {i}</seg>' for i in range(4)) + f"</{tag}>"
        for tag, key, name in (("ref", "translator", "A"), ("hyp", "system", "one"), ("hyp", "system", "two"))
    )
    (tmp_path / "newstest.xml").write_text(f'<dataset><doc id="d">{sides}</doc></dataset>')
    found = look_through(str(tmp_path))
    assert taken(found) == {"newstest": {"one": 1, "two": 1}}
    assert [system.name for system in experiment(found, tmp_path).corpora()[0].systems] == ["one", "two"]


def test_runs_that_a_pattern_cannot_name(tmp_path: Path) -> None:
    write(tmp_path, "x/ref.de", "x/a.1.de", "x/a.2.de", "x/b.1.de", "x/b.2.de")
    write(tmp_path, "y/ref.de", "y/a.1.de", "y/a.2.de", "y/a.3.de", "y/b.1.de", "y/b.2.de")
    found = look_through(str(tmp_path))
    assert dict(found.left_out) == {"y/a.3.de": "this run is not on every test set"}
    assert [len(one.systems["a"]) for one in experiment(found, tmp_path).testsets] == [2, 2]


def test_a_set_with_one_of_several_runs(tmp_path: Path) -> None:
    write(tmp_path, "x/ref.de", "x/a.1.de", "x/a.2.de", "x/b.1.de")
    write(tmp_path, "y/ref.de", "y/a.2.de", "y/b.3.de")
    found = look_through(str(tmp_path))
    assert taken(found) == {"x": {"a": 1, "b": 1}, "y": {"a": 1, "b": 1}}
    assert found.testsets[0].systems["a"]["2"].endswith("a.2.de")
    assert dict(found.left_out) == {"x/a.1.de": "this run is not on every test set"}


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
    odd = os.fsdecode(name)
    write(tmp_path, "x/ref.de", "x/a.de", "x/b.de", f"x/{odd}.de", f"{odd}/ref.de", f"{odd}/a.de", f"{odd}/b.de")
    found = look_through(str(tmp_path))
    assert dict(found.left_out) == {odd: why, f"x/{odd}.de": why}
    assert list(taken(found)) == ["x"]
    inner = look_through(str(tmp_path / odd))
    with refused():
        experiment_text(inner, str(tmp_path / "e.toml"))
    assert len(experiment(inner, tmp_path / odd).corpora()[0].systems) == 2


def test_names_that_toml_must_quote(tmp_path: Path) -> None:
    write(tmp_path, 'a "set"/ref.de', 'a "set"/ü [1].de', 'a "set"/b.c*.de')
    assert len(experiment(look_through(str(tmp_path)), tmp_path).corpora()[0].systems) == 2


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


def test_references_of_different_lengths_and_no_folder(tmp_path: Path) -> None:
    write(tmp_path, "x/ref.0.de", "x/a.de", "x/b.de")
    write(tmp_path, "x/ref.1.de", segments=4)
    with refused(naming=["'x'"]):
        look_through(str(tmp_path / "x"))
    with refused():
        look_through(str(tmp_path / "none"))


def test_baselines_and_metrics(tmp_path: Path) -> None:
    write(tmp_path, "x/ref.de", "x/a.de", "x/baseline.de")
    assert baseline_of(look_through(str(tmp_path / "x")).testsets[0].systems) == ("baseline", "by its name")
    write(tmp_path, "y/ref.de", "y/system10.de", "y/system9.de")
    found = look_through(str(tmp_path / "y"))
    assert baseline_of(found.testsets[0].systems)[0] == "system9"
    assert "first alphabetically" in baseline_of(found.testsets[0].systems)[1]
    assert metrics_for(found) == ("bleu", "chrf")
    (tmp_path / "z").mkdir()
    for name in ("ref.txt", "a.txt", "b.txt"):
        (tmp_path / "z" / name).write_text("0-0 1-1\n0-1\n")
    assert metrics_for(look_through(str(tmp_path / "z"))) == ("aer",)
    (tmp_path / "z" / "ref.txt").write_text("1-1 2p10\n10-2\n")
    assert metrics_for(look_through(str(tmp_path / "z"))) == ("aer:reference_base=1",)


@pytest.mark.parametrize(
    ("ending", "content", "expected"),
    [
        *((ending, "(S (NN a))\n", ("parseval",)) for ending in ("mrg", "parse")),
        *((ending, "EU B-ORG\n", ("span_f1",)) for ending in ("conll", "bio")),
        ("conllu", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", ("las", "uas")),
    ],
)
def test_metrics_by_what_an_ending_says(tmp_path: Path, ending: str, content: str, expected: tuple[str, ...]) -> None:
    for name in ("gold", "base", "new"):
        (tmp_path / f"{name}.{ending}").write_text(content)
    assert metrics_for(look_through(str(tmp_path))) == expected
