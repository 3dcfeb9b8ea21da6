"""Changes of files that change nothing: other orders of rows and columns, other kinds of files, other cuts.

Every case writes the same data in two ways and asks for the same bits: Δ, p and the interval of every comparison.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus

N = 30
IDS = [f"seg-{i:02d}" for i in range(N)]
WORDS = ["the", "small", "cat", "sat", "on", "a", "mat", "today"]
DOCUMENTS = [f"d{i // 5}" for i in range(N)]
DOMAINS = ["news" if i < 20 else "talks" for i in range(N)]
SYSTEMS = ("base", "new")
_CHANCE = random.Random(20)


def _text(chance: float) -> list[str]:
    return [
        " ".join(word if _CHANCE.random() > chance else "odd" for word in WORDS[: 4 + i % 5]) + f" {i}"
        for i in range(N)
    ]


REFERENCE = _text(0.0)
OUTPUTS = {name: [_text(chance), _text(chance)] for name, chance in (("base", 0.5), ("new", 0.3))}
SCORES = {
    name: [[_CHANCE.gauss(mean, 1.0) for _ in range(N)] for _ in range(2)]
    for name, mean in (("base", 0.0), ("new", 0.5))
}

Order = Sequence[int]
Rows = Callable[[Sequence[Any], Order], list[str]]
STRAIGHT = tuple(range(N))
ORDERS = [tuple(random.Random(seed).sample(range(N), N)) for seed in range(3)] + [tuple(reversed(range(N)))]


def answer(corpus: tg.Corpus, metric: str) -> list[tuple[Any, ...]]:
    """All that must be the same to the bit."""
    result = tg.compare(corpus, metrics=[metric], resamples=200, changed_segments=0)
    assert result.testset.segments == N
    return [
        (one.baseline, one.system, one.delta, one.p, one.interval.low, one.interval.high, one.unit, one.n_units)
        for one in result.comparisons
    ] + [(score.name, score.score, *score.run_scores) for score in result.scores]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, rows: Sequence[str]) -> str:
    Path(name).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return name


def number_table(values: Sequence[Any], order: Order) -> list[str]:
    return ["key\tscore", *(f"{IDS[i]}\t{values[i]!r}" for i in order)]


def turned_table(values: Sequence[Any], order: Order) -> list[str]:
    return ["comment\tscore\tkey", *(f"x{i % 3}\t{values[i]!r}\t{IDS[i]}" for i in order)]


def number_lines(values: Sequence[Any], order: Order) -> list[str]:
    return [json.dumps({"key": IDS[i], "score": values[i]}) for i in order]


def turned_lines(values: Sequence[Any], order: Order) -> list[str]:
    return [json.dumps({"score": values[i], "other": None, "key": IDS[i]}) for i in order]


def sampled_table(values: Sequence[Any], order: Order) -> list[str]:
    """Each row three times: samples of one item that agree."""
    return ["key\tscore", *(f"{IDS[i]}\t{values[i]!r}" for i in (*order, *reversed(order), *order))]


def sample_log(values: Sequence[Any], order: Order) -> list[str]:
    return [json.dumps({"doc_id": IDS[i], "filtered_resps": ["x"], "target": 1, "score": values[i]}) for i in order]


SCORE_FILES: dict[str, tuple[str, Rows, str | None]] = {
    "table": ("tsv", number_table, "key"),
    "columns turned": ("tsv", turned_table, "key"),
    "JSON lines": ("jsonl", number_lines, "key"),
    "keys turned": ("jsonl", turned_lines, "key"),
    "samples": ("tsv", sampled_table, "key"),
    "sample log": ("jsonl", sample_log, None),
}
LOGS = {"sample log"}


def scored(kind: str, orders: dict[str, Order], runs: int = 2, **more: Any) -> tg.Corpus:
    ending, rows, column = SCORE_FILES[kind]
    arguments = []
    for name in SYSTEMS:
        files = [write(f"{name}.{run}.{ending}", rows(SCORES[name][run], orders[name])) for run in range(runs)]
        arguments.append(f"{name}={','.join(files)}")
    return read_corpus(arguments, outputs_are_scores=True, id_column=column, **more)


@pytest.fixture(scope="module")
def plain_scores() -> dict[int, list[tuple[Any, ...]]]:
    """The answer from lists, for one run and for two."""
    return {runs: answer(_listed({name: SCORES[name][:runs] for name in SYSTEMS}), "scores") for runs in (1, 2)}


def _listed(scores: dict[str, list[list[float]]], **more: Any) -> tg.Corpus:
    from truegain.readers.memory import corpus_from_memory

    return corpus_from_memory(None, scores, **more)


SCORE_CASES = list(itertools.product(SCORE_FILES, range(len(ORDERS)), (1, 2)))


@pytest.mark.parametrize(("kind", "number", "runs"), SCORE_CASES)
def test_scores(kind: str, number: int, runs: int, plain_scores: dict[int, list[tuple[Any, ...]]]) -> None:
    corpus = scored(kind, {"base": STRAIGHT, "new": ORDERS[number]}, runs)
    assert answer(corpus, "scores") == plain_scores[runs]


@pytest.mark.parametrize("kind", SCORE_FILES)
def test_the_order_of_all_rows_changes_scores_of_no_run(kind: str) -> None:
    """Resamples are drawn by number, so another order of all rows gives other draws and the same Δ; logs are sorted."""
    first, second = (scored(kind, dict.fromkeys(SYSTEMS, order)) for order in (STRAIGHT, ORDERS[0]))
    for one, other in zip(first.systems, second.systems, strict=True):
        for run, turned in zip(one.runs, other.runs, strict=True):
            order = STRAIGHT if kind in LOGS else ORDERS[0]
            assert [run.scores["score"][i] for i in order] == turned.scores["score"].tolist()


COMET_CASES = list(itertools.product(range(len(ORDERS)), (False, True)))


@pytest.mark.parametrize(("number", "indent"), COMET_CASES)
def test_one_file_of_all_systems(number: int, indent: bool, plain_scores: dict[int, list[tuple[Any, ...]]]) -> None:
    document = {
        name: [json.loads(row) for row in number_lines(SCORES[name][0], order)]
        for name, order in (("base", STRAIGHT), ("new", ORDERS[number]))
    }
    path = write("comet.json", [json.dumps(document, indent=2 if indent else None)])
    assert answer(read_corpus([path], outputs_are_scores=True, id_column="key"), "scores") == plain_scores[1]


GROUP_FILES: dict[str, Callable[[Order], tuple[str, list[str]]]] = {
    "table": lambda order: (
        "g.tsv",
        ["key\tdocid\tdomain", *(f"{IDS[i]}\t{DOCUMENTS[i]}\t{DOMAINS[i]}" for i in order)],
    ),
    "columns turned": lambda order: (
        "g.tsv",
        ["domain\tx\tdocid\tkey", *(f"{DOMAINS[i]}\t-\t{DOCUMENTS[i]}\t{IDS[i]}" for i in order)],
    ),
    "JSON lines": lambda order: (
        "g.jsonl",
        [json.dumps({"docid": DOCUMENTS[i], "domain": DOMAINS[i], "key": IDS[i]}) for i in order],
    ),
}
GROUP_CASES = list(itertools.product(GROUP_FILES, range(len(ORDERS)), ("table", "JSON lines"), (False, True)))


@pytest.mark.parametrize(("kind", "number", "scores", "apart"), GROUP_CASES)
def test_documents_and_domains(kind: str, number: int, scores: str, apart: bool) -> None:
    """From one file, or the domains from a file of their own."""
    path = write(*GROUP_FILES[kind](ORDERS[number]))
    given = {"documents": path, "domains": write(f"d.{path}", Path(path).read_text().splitlines())} if apart else {}
    corpus = scored(scores, {"base": STRAIGHT, "new": ORDERS[-1]}, 1, **(given or {"documents": path}))
    expected = _listed({name: SCORES[name][:1] for name in SYSTEMS}, documents=DOCUMENTS, domains=DOMAINS)
    assert (corpus.documents, corpus.domains) == (expected.documents, expected.domains)
    assert answer(corpus, "scores") == answer(expected, "scores")


def text_table(lines: Sequence[str], order: Order) -> list[str]:
    return ["key\tout", *(f"{IDS[i]}\t{lines[i]}" for i in order)]


def turned_text_table(lines: Sequence[str], order: Order) -> list[str]:
    return ["out\tsrc\tkey", *(f"{lines[i]}\t-\t{IDS[i]}" for i in order)]


def text_lines(lines: Sequence[str], order: Order) -> list[str]:
    return [json.dumps({"out": lines[i], "key": IDS[i]}) for i in order]


def trn(lines: Sequence[str], order: Order) -> list[str]:
    return [f"{lines[i]} ({IDS[i]})" for i in order]


def xml(role: str, name: str) -> Rows:
    def rows(lines: Sequence[str], order: Order) -> list[str]:
        segments = [f'<seg id="{IDS[i]}">{lines[i]}</seg>' for i in order]
        return [f'<dataset><doc id="d"><{role} {name}>', *segments, f"</{role}></doc></dataset>"]

    return rows


def sgml(role: str) -> Rows:
    def rows(lines: Sequence[str], order: Order) -> list[str]:
        segments = [f'<seg id="{IDS[i]}"> {lines[i]} </seg>' for i in order]
        return [f'<{role} setid="x" trglang="en"><doc docid="d" sysid="s">', *segments, f"</doc></{role}>"]

    return rows


TEXT_FILES: dict[str, tuple[str, Rows, Rows]] = {
    "table": ("tsv", text_table, text_table),
    "columns turned": ("tsv", turned_text_table, turned_text_table),
    "JSON lines": ("jsonl", text_lines, text_lines),
    "trn": ("trn", trn, trn),
    "XML": ("xml", xml("ref", 'translator="A"'), xml("hyp", 'system="s"')),
    "SGML": ("sgm", sgml("refset"), sgml("tstset")),
}


@pytest.fixture(scope="module")
def plain_texts() -> dict[int, list[tuple[Any, ...]]]:
    from truegain.readers.memory import corpus_from_memory

    return {
        runs: answer(corpus_from_memory(REFERENCE, {name: OUTPUTS[name][:runs] for name in SYSTEMS}), "chrf")
        for runs in (1, 2)
    }


TEXT_CASES = list(itertools.product(TEXT_FILES, range(len(ORDERS)), (1, 2)))


@pytest.mark.parametrize(("kind", "number", "runs"), TEXT_CASES)
def test_texts(kind: str, number: int, runs: int, plain_texts: dict[int, list[tuple[Any, ...]]]) -> None:
    ending, reference, rows = TEXT_FILES[kind]
    orders = {"base": [STRAIGHT, ORDERS[number]], "new": [ORDERS[number], ORDERS[number - 1]]}
    references = [write(f"ref.{ending}", reference(REFERENCE, STRAIGHT))]
    arguments = []
    for name in SYSTEMS:
        files = [write(f"{name}.{run}.{ending}", rows(OUTPUTS[name][run], orders[name][run])) for run in range(runs)]
        arguments.append(f"{name}={','.join(files)}")
    columns: dict[str, Any] = {"id_column": "key", "text_column": "out"} if ending in ("tsv", "jsonl") else {}
    documents = write("segments.txt", IDS) if ending in ("xml", "sgm") else None  # those files name one document
    corpus = read_corpus(arguments, references, documents=documents, **columns)
    assert [(*one[:6],) for one in answer(corpus, "chrf")] == [(*one[:6],) for one in plain_texts[runs]]


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
@pytest.mark.parametrize("columns", list(itertools.permutations(["ref", "base", "new", "id"])))
def test_one_table_of_everything(
    kind: str, columns: tuple[str, ...], plain_texts: dict[int, list[tuple[Any, ...]]]
) -> None:
    held = {"ref": REFERENCE, "id": IDS, **{name: OUTPUTS[name][0] for name in SYSTEMS}}
    if kind == "tsv":
        rows = ["\t".join(columns), *("\t".join(held[one][i] for one in columns) for i in range(N))]
    else:
        rows = [json.dumps({one: held[one][i] for one in columns}) for i in range(N)]
    corpus = corpus_from_table(write(f"all.{kind}", rows), list(SYSTEMS))
    assert answer(corpus, "chrf") == plain_texts[1]


MIXED_CASES = list(itertools.product(("table", "JSON lines", "samples"), ("tsv", "jsonl"), range(len(ORDERS))))


@pytest.mark.parametrize(("kind", "texts", "number"), MIXED_CASES)
def test_scores_beside_texts(
    kind: str, texts: str, number: int, plain_scores: dict[int, list[tuple[Any, ...]]]
) -> None:
    """The scores of systems given as text are those of systems given as scores."""
    ending, rows, column = SCORE_FILES[kind]
    rows_of = text_table if texts == "tsv" else text_lines
    references = [write(f"ref.{texts}", rows_of(REFERENCE, STRAIGHT))]
    systems = [f"{name}={write(f'{name}.{texts}', rows_of(OUTPUTS[name][0], ORDERS[number]))}" for name in SYSTEMS]
    scores = [
        f"{name}={write(f'{name}.scores.{ending}', rows(SCORES[name][0], ORDERS[number - 1]))}" for name in SYSTEMS
    ]
    corpus = read_corpus(systems, references, scores=scores, id_column=column, text_column="out")
    assert answer(corpus, "scores") == plain_scores[1]


def test_how_many_cases_there_are() -> None:
    counts = {
        "scores": len(SCORE_CASES),
        "orders of all rows": len(SCORE_FILES),
        "one file of all systems": len(COMET_CASES),
        "documents and domains": len(GROUP_CASES),
        "texts": len(TEXT_CASES),
        "one table": 2 * 24,
        "scores beside texts": len(MIXED_CASES),
    }
    print(f"\nfiles written in two ways: {sum(counts.values())} cases: {counts}")
    assert sum(counts.values()) == 230
