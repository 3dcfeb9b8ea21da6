"""Every command and every Python block in README and docs runs, in a folder with the files it speaks of."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from xml.sax.saxutils import escape

import polars as pl
import pytest

from benchmarks.simulation import SystemSpec, simulate
from tests.scorers.comet_score import install

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "tests" / "readers" / "logs"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
#: Languages of blocks. ``console`` and ``python`` are run here, ``toml``, ``py`` and ``bash`` by the tests of
#: experiments, of plug-ins and of batch systems, ``yaml`` by that of gates; the others are what commands print.
LANGUAGES = {"console", "python", "toml", "py", "bash", "yaml", "text", "latex", "markdown"}


def name_of(page: Path) -> str:
    return page.relative_to(ROOT / "docs" if page.is_relative_to(ROOT / "docs") else ROOT).as_posix()


#: Pages whose commands make their own files, and whose blocks are what these print; how many parts are shown.
SHOWN = {"getting-started.md": 4, "tables.md": 6, "rank.md": 1, "threshold.md": 6, "domains.md": 3, "experiments.md": 5}


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def shown(page: Path) -> list[tuple[list[str], str]]:
    """The commands of each block, and what is shown below it."""
    pattern = r"```console\n(.*?)```\n(?:\n```(?:text|markdown|latex)\n(.*?)```)?"
    found = re.findall(pattern, page.read_text(encoding="utf-8"), re.DOTALL)
    lines = [([line[2:] for line in block.splitlines() if line.startswith("$ ")], below) for block, below in found]
    return [([line for line in own if not line.startswith("make")], below) for own, below in lines]


def missing(command: str) -> str | None:
    """What a command's engine needs may not be installed."""
    engine = re.search(r"--engine (torch|dask)", command)
    return engine[1] if engine is not None and find_spec(engine[1]) is None else None


COMMANDS = {name_of(page): [line for own, _ in shown(page) for line in own] for page in PAGES}
PYTHON = {name_of(page): blocks(page, "python") for page in PAGES}
RUN = [page for page in PAGES if COMMANDS[name_of(page)] or PYTHON[name_of(page)]]
FIRST = ("README.md", "getting-started.md")


def structures(place: Path) -> None:
    """Parses, alignments and tags of 24 sentences: gold, base and new, of which base is wrong in more."""
    words = ["the", "old", "cat", "sat", "."]
    wrong = {"gold": 25, "new": 7, "base": 2}  # of so many sentences, one is wrong
    for name, every in wrong.items():
        rows, links, trees, tags = [], [], [], []
        first = 1 if name == "gold" else 0  # the reference counts words from 1
        for i in range(24):
            right = (i + 1) % every != 0
            links.append(f"{first}-{first} {first + 1}-{first + (1 if right else 2)}")
            subject = "(NP (DT the) (JJ old) (NN cat))"
            trees.append(f"( (S {subject if right else subject[4:-1]}\n (VP (VBD sat)) (. .)) )")
            if i % 4 == 0:
                rows.append(f"# newdoc id = d{i // 4}")
                tags += ["-DOCSTART- O", ""]
            tags += [f"cat {'B-PER' if right else 'O'}", "sat O", ""]
            for number, word in enumerate(words, 1):
                head = 0 if number == 4 else 4 if right or number == 5 else 3
                rows.append(f"{number}\t{word}\t_\tX\t_\t_\t{head}\tdep\t_\t_")
            rows.append("")
        for kind, lines in (("conllu", rows), ("links", links), ("mrg", trees), ("conll", tags)):
            (place / f"{name}.{kind}").write_text("".join(f"{line}\n" for line in lines))


def markup(place: Path, references: dict[str, tuple[str, ...]], systems: dict[str, tuple[str, ...]]) -> None:
    """The same texts in WMT's XML and in NIST's SGML, in documents of four segments."""

    def segments(lines: tuple[str, ...], first: int) -> str:
        return "".join(f'<seg id="{i}">{escape(lines[i])}</seg>\n' for i in range(first, first + 4))

    sides = [(f'ref translator="{name}"', lines) for name, lines in references.items()]
    sides += [(f'hyp system="{name}"', lines) for name, lines in systems.items()]
    documents = []
    for first in range(0, 40, 4):
        texts = "".join(f"<{tag}>\n{segments(lines, first)}</{tag.split()[0]}>\n" for tag, lines in sides)
        documents.append(f'<doc id="d{first}">\n{texts}</doc>\n')
    (place / "newstest.xml").write_text(f"<dataset>\n{''.join(documents)}</dataset>\n", encoding="utf-8")
    for name, kind, lines in [("ref", "refset", references["refA"]), *((n, "tstset", t) for n, t in systems.items())]:
        body = "".join(f"<DOC docid=d{i} sysid={name}>\n{segments(lines, i)}</DOC>\n" for i in range(0, 40, 4))
        (place / f"{name}.sgm").write_text(f"<{kind}>\n{body}</{kind}>\n", encoding="utf-8")


def human_scores(place: Path, scores: dict[str, list[float]]) -> None:
    """The scores as mt-metrics-eval has them, with two segments that nobody rated, and the documents."""
    lines = [
        f"{name}\t{None if i in (3, 8) else round(100 * value)}\n"
        for name, values in scores.items()
        for i, value in enumerate(values)
    ]
    (place / "en-de.mqm.seg.score").write_text("".join(lines))
    for rater in (1, 2):
        ratings = []
        for number, line in enumerate(lines, rater):
            system, rated = line.split()
            error = json.dumps({"category": "fluency/grammar", "severity": "major" if number % 3 else "minor"})
            ratings.append(f"{system}\t" + (rated if rated == "None" else f'{{"errors": [{error}]}}') + "\n")
        (place / f"en-de.mqm.rater{rater}.seg.rating").write_text("".join(ratings))
    people = [(name, i, who, value) for name, own in scores.items() for i, value in enumerate(own) for who in "xy"]
    rows = [f"{name},{i},{who},{round(100 * value)}\n" for name, i, who, value in people]
    (place / "esa.csv").write_text("".join(["system,seg_id,annotator,score\n", *rows]))
    asked = [
        (name, prompt, i, value + 0.1 * i * prompt % 0.3)
        for name, own in scores.items()
        for i, value in enumerate(own)
        for prompt in range(5)
    ]
    for column, ids in (("prompt", "{1}"), ("task", "{0}.{1}")):
        rows = [f"{name},wording {n},{ids.format(n, i)},{value:.3f}\n" for name, n, i, value in asked]
        (place / f"{column}s.csv").write_text("".join([f"system,{column},question_id,score\n", *rows]))
    rows = [
        f"{who},{name},{i},{'BAD' if i == 5 else 'TGT'},eng,deu,{round(100 * value)},d{i // 4},False,[],1.5,2.5\n"
        for name, i, who, value in people
    ]
    (place / "appraise.csv").write_text("".join(rows))
    (place / "metric-scores/en-de").mkdir(parents=True)
    for step, metric in ((5, "comet"), (7, "chrf")):
        own = {name: [value + i % step / 50 for i, value in enumerate(values)] for name, values in scores.items()}
        by_metric = [(name, i, value) for name, values in own.items() for i, value in enumerate(values)]
        (place / f"{metric}.csv").write_text(
            "system,seg_id,score\n" + "".join(f"{n},{i},{v}\n" for n, i, v in by_metric)
        )
        lines = [f"{name}\t{value}\n" for name, _, value in by_metric]
        (place / f"metric-scores/en-de/{metric}.seg.score").write_text("".join(lines))
    (place / "en-de.docs").write_text("".join(f"{'talk' if i < 20 else 'news'}\td{i // 4}\n" for i in range(40)))
    shutil.copytree(place / "metric-scores/en-de", place / "metric-scores/zh-en")
    lines = [f"{name}\t{round(90 * value)}\n" for name, values in scores.items() for value in values]
    (place / "zh-en.mqm.seg.score").write_text("".join(lines))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the documentation speaks of."""
    place = tmp_path_factory.mktemp("docs")
    names = ("base", "new", "word", "bpe")
    made = simulate(
        segments=40, systems=[SystemSpec(name=name, quality=0.7 + 0.02 * i, runs=2) for i, name in enumerate(names)]
    )

    def write(name: str, lines: tuple[str, ...]) -> None:
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    for name in ("ref.txt", "a.txt"):
        write(name, made.references[0])
    write("b.txt", made.references[1])
    write("docs.txt", made.documents)
    write("domains.txt", tuple("news" if i < 20 else "talks" for i in range(40)))
    for name in names:
        write(f"{name}.txt", made.systems[name][0])
        for run in (0, 1):
            write(f"runs/{name}.{run}.txt", made.systems[name][run])
    for testset, half in (("news", slice(0, 20)), ("talks", slice(20, 40))):
        write(f"wmt/{testset}/ref.txt", made.references[0][half])
        for name in ("base", "new"):
            write(f"wmt/{testset}/{name}.txt", made.systems[name][0][half])
    for name in ("base.txt", "new.txt"):
        (place / f"{name}.gz").write_bytes(gzip.compress((place / name).read_bytes()))
    write("system.txt", made.systems["new"][0])
    write("other.txt", made.systems["base"][0])
    scores = {
        name: [0.5 + ((37 * i) % 11) / 20 + 0.01 * j for i in range(40)] for j, name in enumerate(("base", "new"))
    }
    for name, values in scores.items():
        write(f"{name}.scores", tuple(str(value) for value in values))
    texts = {"ref": made.references[0], "base": made.systems["base"][0], "new": made.systems["new"][0]}
    for name, lines in texts.items():
        write(f"{name}.trn", tuple(f"{line} (u{i})" for i, line in enumerate(lines)))
        write(f"{name}.jsonl", tuple(json.dumps({"id": i, "text": line}) for i, line in enumerate(lines)))
    for name in texts:
        rows = [
            f"seg{i}\t{round(10 * scores.get(name, scores['base'])[i])}\t20\t{line}"
            for i, line in enumerate(texts[name])
        ]
        write(f"{name}.tsv", ("id\terrors\twords\tout", *rows))
    columns = {
        "ref": made.references[0],
        "base": texts["base"],
        "bpe.1": made.systems["bpe"][0],
        "bpe.2": made.systems["bpe"][1],
    }
    write("all.tsv", ("\t".join(columns), *("\t".join(row) for row in zip(*columns.values(), strict=True))))
    rows = [json.dumps(dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
    write("all.jsonl", tuple(rows))
    long = [
        (name, i, sample, "CI"[(i + sample + place) % 3 == 0], line, made.references[0][i])
        for place, name in enumerate(("base", "new"))
        for sample in range(2)
        for i, line in enumerate(texts[name])
    ]
    write("evaluations.csv", ("model,question_id,epoch,grade", *(",".join(map(str, row[:4])) for row in long)))
    votes = (f"{model},{i},{'ABC'[(i * n) % 3]},{int((i * n) % 3 == 0)}" for model, i, n, *_ in long)
    write("samples.csv", ("model,id,answer,right", *votes))
    pl.read_csv(place / "evaluations.csv").write_parquet(place / "evaluations.parquet")
    write("wide.csv", ("base,new", *(f"{i % 5},{i % 7}" for i in range(40))))
    with (place / "long.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [("system", "id", "output", "reference"), *((*row[:2], *row[4:]) for row in long if row[2] == 0)]
        )
    nested = [{"run": {"model": row[0]}, "task": {"id": row[1]}, "acc": row[3] == "C", "length": 3} for row in long]
    write("results.jsonl", tuple(map(json.dumps, nested)))
    for name, shift in (("dev", 0), ("test", 3)):
        write(f"{name}.ref", tuple(f"the cat {i} sat on the mat {i + shift}" for i in range(12)))
        entries = [
            f"{i} ||| the cat {i} {verb} on a mat {i + shift} ||| lm= {i % 3 - j} tm= {j} {i * j % 4} ||| {-j}"
            for i in range(12)
            for j, verb in enumerate(("sat", "lay", "sat down", "was"))
        ]
        write(f"{name}.nbest", tuple(entries))
    for side in ("train.de", "train.en"):
        write(side, tuple(f"{side} {i}" for i in range(41)))
    gold = tuple("yes" if i % 3 else "no" for i in range(40))
    write("gold.labels", gold)
    for j, name in enumerate(("base", "new")):
        write(f"{name}.labels", tuple("yes" if i % (5 + j) == 0 else gold[i] for i in range(40)))
        for task, filters, metric in (
            ("arc", ("none",), "acc"),
            ("gsm8k", ("strict-match", "flexible-extract"), "exact_match"),
        ):
            samples = [
                {"doc_id": i, "target": "1", "filtered_resps": ["1"], "filter": one, metric: float((i + j) % 3 > 0)}
                for one in filters
                for i in range(40)
            ]
            log = f"out/{name}/samples_{task}_2024-05-0{j + 1}T10-20-30.123456.jsonl"
            write(log, tuple(json.dumps(sample) for sample in samples))
        logged = [
            {
                "id": f"q{i}",
                "epoch": epoch,
                "metadata": {"subject": ("sums", "dates")[i % 2], "passage": f"p{i // 4}"},
                "scores": {"includes": {"value": "C" if (i + epoch) % (3 + j) else "I"}, "length": {"value": i}},
            }
            for i in range(40)
            for epoch in (1, 2, 3)
        ]
        for kind, ending, own in (
            ("helm", "json", f"runs/sums:model={name}/per_instance_stats.json"),
            ("evals", "jsonl", f"evals/{name}.jsonl"),
        ):
            (place / own).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(LOGS / f"{kind}-{name}.{ending}", place / own)
        (place / "logs").mkdir(exist_ok=True)
        with zipfile.ZipFile(place / "logs" / f"{name}.eval", "w") as archive:
            archive.writestr("summaries.json", json.dumps(logged))
            archive.writestr("header.json", json.dumps({"status": "success", "eval": {"model": name}}))
    shutil.copy(LOGS / "promptfoo.json", place / "sums.json")
    write("refs.tsv", tuple("\t".join(pair) for pair in zip(*made.references, strict=True)))
    comet = {
        f"{name}.txt": [{"mt": text, "COMET": value} for text, value in zip(texts[name], values, strict=True)]
        for name, values in scores.items()
    }
    (place / "comet.json").write_text(json.dumps(comet))
    pairs = [{"name": f"{name}.txt", "mt": texts[name], "scores": values} for name, values in scores.items()]
    compared = {"model": "m", "statistical_results": [], "source": list(map(str, range(40))), "translations": pairs}
    (place / "comet-compare.json").write_text(json.dumps(compared))
    sides = {"S": texts["base"], "T": texts["ref"], "H": texts["base"], "D": texts["base"]}
    marks = {"S": "", "T": "", "H": "-0.5\t", "D": "-0.5\t"}
    write(
        "gen.out", tuple(f"{kind}-{i}\t{marks[kind]}{own[i]}" for i in range(39, -1, -1) for kind, own in sides.items())
    )
    write(
        "new.nbest", tuple(f"{i} ||| {line} ||| F0= -1 ||| -0.{n}" for i, line in enumerate(texts["new"]) for n in "12")
    )
    human_scores(place, scores)
    install(place)
    (place / "src.txt").write_text("".join(f"{line.upper()}\n" for line in texts["ref"]), encoding="utf-8")
    write("refA.txt", made.references[0])
    for name in scores:
        write(f"system-outputs/en-de/{name}.txt", made.systems[name][0])
    names_of_documents = [f"en-de_DE_#_news_#_d{i}" for i in range(40)]
    for name in ("base", "new"):
        paired = zip(names_of_documents, texts[name], strict=True)
        write(f"systems/{name}.jsonl", tuple(json.dumps({"doc_id": one, "hypothesis": text}) for one, text in paired))
    documents = [
        {"doc_id": one, "src_text": "…", "refs": {"refA": {"ref": line}}}
        for one, line in zip(names_of_documents, texts["ref"], strict=True)
    ]
    write("wmt25-genmt.jsonl", tuple(map(json.dumps, documents)))
    rated = [
        {
            "doc_id": f"en-de_DE_#_news_#_d{i // 4}_#_{i % 4}",
            "src_text": "…",
            "tgt_text": {"refA": texts["ref"][i], "base": texts["base"][i], "new": texts["new"][i]},
            "scores": {name: {"human1": round(100 * own[i]), "annotator1": "x"} for name, own in scores.items()},
        }
        for i in range(40)
    ]
    write("humeval.jsonl", tuple(map(json.dumps, rated)))
    structures(place)
    references = dict(zip(("refA", "refB"), made.references, strict=False))
    markup(place, references, {name: made.systems[name][0] for name in ("base", "new")})
    return place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "page",
    [pytest.param(one, marks=[] if name_of(one) in FIRST else pytest.mark.whole) for one in RUN],
    ids=map(name_of, RUN),
)
def test_what_a_page_says_to_run_runs(
    page: Path,
    folder: Path,
    files: Path,
    typed: Callable[[str], tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """Each page alone, from its top: nothing that another page made is there.

    ``pytest tests/e2e/test_docs.py --renew-golden`` puts what commands print now below them.
    """
    name = name_of(page)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", str(folder / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("HF_HOME", str(folder / "home"))
    if name not in SHOWN:
        shutil.copytree(files, folder, dirs_exist_ok=True)
    compared, not_here = 0, []
    for commands, below in shown(page):
        printed = ""
        for command in commands:
            if library := missing(command):
                not_here.append(library)
                continue
            code, out, err = typed(command)
            answers = (0, 1) if command.startswith("truegain gate") else (0,)  # a gate that does not pass has run
            assert code in answers, f"{command}\n{err}"
            printed += out
        parts = [part for part in below.split("…\n") if part] if name in SHOWN else []
        if request.config.getoption("--renew-golden") and any(part not in printed for part in parts):
            page.write_text(page.read_text(encoding="utf-8").replace(below, printed), encoding="utf-8")
            parts = [printed] * len(parts)
        for part in parts:
            assert part in printed, f"{commands}: pytest tests/e2e/test_docs.py --renew-golden"
            compared += 1
    assert compared == SHOWN.get(name, 0)
    shutil.copytree(files, folder, dirs_exist_ok=True)
    for block in PYTHON[name]:
        exec(compile(block, name, "exec", dont_inherit=True), {})
    if not_here:
        pytest.skip(f"not installed: {', '.join(not_here)}")


def test_the_pages_have_commands() -> None:
    assert sum(map(len, COMMANDS.values())) >= 180
    assert sum(map(len, PYTHON.values())) >= 20
    assert set(SHOWN) <= set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_block_is_left_out(page: Path) -> None:
    fences = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    opened = fences[::2]
    assert len(fences) % 2 == 0
    assert all(not closed for closed in fences[1::2])
    assert {one for one in opened if not one.startswith("{")} <= LANGUAGES


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "truegain", "demo", "-o", str(tmp_path)]
    printed = subprocess.run(
        command, env={**os.environ, "COLUMNS": "80"}, capture_output=True, text=True, check=True
    ).stdout
    (below,) = (block for block in blocks(ROOT / "README.md", "text") if block.startswith("better is better"))
    for part in below.split("…\n"):
        assert part.rstrip("\n") in printed
    assert sorted(path.suffix for path in tmp_path.iterdir()) == ["", ".csv", ".html", ".json", ".md", ".tex", ".txt"]
