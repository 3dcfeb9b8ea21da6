"""Changes of files that change nothing: other orders of rows and columns, other kinds of files, other cuts.

Every case writes the same data in two ways and asks for the same bits: Δ, p and the interval of every comparison.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import truegain as tg
from tests.readers.files import write
from truegain.readers.columns import corpus_from_table
from truegain.readers.corpora import read_corpus
from truegain.readers.memory import corpus_from_memory

pytestmark = pytest.mark.usefixtures("write")  # which is in a folder of its own

N = 30
IDS = [f"seg-{i:02d}" for i in range(N)]
WORDS = ["the", "small", "cat", "sat", "on", "a", "mat", "today"]
DOCUMENTS = [f"d{i // 5}" for i in range(N)]
DOMAINS = ["news" if i < 20 else "talks" for i in range(N)]
SYSTEMS = ("base", "new")
_CHANCE = random.Random(20)


def _text(chance: float) -> list[str]:
    cut = [WORDS[: 4 + i % 5] for i in range(N)]
    drawn = ([word if _CHANCE.random() > chance else "odd" for word in words] for words in cut)
    return [f"{' '.join(words)} {i}" for i, words in enumerate(drawn)]


REFERENCE = _text(0.0)
OUTPUTS = {name: [_text(chance), _text(chance)] for name, chance in (("base", 0.5), ("new", 0.3))}
SCORES = {
    name: [[_CHANCE.gauss(mean, 1.0) for _ in range(N)] for _ in range(2)]
    for name, mean in (("base", 0.0), ("new", 0.5))
}

Order = Sequence[int]
Rows = Callable[[Sequence[Any], Order], list[str]]
Answer = list[tuple[Any, ...]]
Answers = dict[int, Answer]  # by the number of runs
STRAIGHT = tuple(range(N))
ORDERS = [tuple(random.Random(seed).sample(range(N), N)) for seed in range(3)] + [tuple(reversed(range(N)))]
NUMBERS = range(len(ORDERS))


def answer(corpus: tg.Corpus, metric: str) -> Answer:
    """All that must be the same to the bit."""
    result = tg.compare(corpus, metrics=[metric], resamples=200, changed_segments=0)
    assert result.testset.segments == N
    return [
        (one.baseline, one.system, one.delta, one.p, one.interval.low, one.interval.high, one.unit, one.n_units)
        for one in result.comparisons
    ] + [(score.name, score.score, *score.run_scores) for score in result.scores]


def rows_of(row: str, *, head: Sequence[str] = (), tail: Sequence[str] = ()) -> Rows:
    """A line for each segment that has its id and its value, between those that stand first and last."""

    def rows(values: Sequence[Any], order: Order) -> list[str]:
        return [*head, *(row.format(id=IDS[i], value=values[i], third=i % 3) for i in order), *tail]

    return rows


def objects_of(row: Callable[[str, Any], dict[str, Any]]) -> Rows:
    """Lines of JSON, from the id and the value."""
    return lambda values, order: [json.dumps(row(IDS[i], values[i])) for i in order]


number_table = rows_of("{id}\t{value}", head=["key\tscore"])
sample_log = objects_of(lambda key, value: {"doc_id": key, "filtered_resps": ["x"], "target": 1, "score": value})
number_lines = objects_of(lambda key, value: {"key": key, "score": value})


def sampled_table(values: Sequence[Any], order: Order) -> list[str]:
    """Each row three times: samples of one item that agree."""
    return number_table(values, (*order, *reversed(order), *order))


SCORE_FILES: dict[str, tuple[str, Rows, str | None]] = {
    "table": ("tsv", number_table, "key"),
    "columns turned": ("tsv", rows_of("x{third}\t{value}\t{id}", head=["comment\tscore\tkey"]), "key"),
    "JSON lines": ("jsonl", number_lines, "key"),
    "keys turned": ("jsonl", objects_of(lambda key, value: {"score": value, "other": None, "key": key}), "key"),
    "samples": ("tsv", sampled_table, "key"),
    "sample log": ("jsonl", sample_log, None),
}


def systems(ending: str, rows: Rows, values: dict[str, Any], orders: Mapping[str, Sequence[Order]]) -> list[str]:
    """Write a file for each run of each system, in its own order; return the arguments that name them."""
    found = []
    for name in SYSTEMS:
        of_runs = zip(values[name], orders[name], strict=False)
        files = [write(Path(f"{name}.{run}.{ending}"), rows(*one)) for run, one in enumerate(of_runs)]
        found.append(f"{name}={','.join(files)}")
    return found


def scored(kind: str, orders: dict[str, Order], runs: int = 2, **more: Any) -> tg.Corpus:
    ending, rows, column = SCORE_FILES[kind]
    arguments = systems(ending, rows, SCORES, {name: [order] * runs for name, order in orders.items()})
    return read_corpus(arguments, outputs_are_scores=True, id_column=column, **more)


@pytest.fixture(scope="module")
def plain_scores() -> Answers:
    """The answer from lists, for one run and for two."""
    listed = {runs: {name: SCORES[name][:runs] for name in SYSTEMS} for runs in (1, 2)}
    return {runs: answer(corpus_from_memory(None, scores), "scores") for runs, scores in listed.items()}


@pytest.mark.parametrize(("kind", "number", "runs"), list(itertools.product(SCORE_FILES, NUMBERS, (1, 2))))
def test_scores(kind: str, number: int, runs: int, plain_scores: Answers) -> None:
    assert answer(scored(kind, {"base": STRAIGHT, "new": ORDERS[number]}, runs), "scores") == plain_scores[runs]


@pytest.mark.parametrize("kind", SCORE_FILES)
def test_the_order_of_all_rows_changes_scores_of_no_run(kind: str) -> None:
    """Resamples are drawn by number, so another order of all rows gives other draws and the same Δ; logs are sorted."""
    first, second = (scored(kind, dict.fromkeys(SYSTEMS, order)) for order in (STRAIGHT, ORDERS[0]))
    for one, other in zip(first.systems, second.systems, strict=True):
        for run, turned in zip(one.runs, other.runs, strict=True):
            order = STRAIGHT if kind == "sample log" else ORDERS[0]
            assert [run.scores["score"][i] for i in order] == turned.scores["score"].tolist()


@pytest.mark.parametrize(("number", "indent"), list(itertools.product(NUMBERS, (False, True))))
def test_one_file_of_all_systems(number: int, indent: bool, plain_scores: Answers) -> None:
    orders = {"base": STRAIGHT, "new": ORDERS[number]}
    document = {name: [json.loads(row) for row in number_lines(SCORES[name][0], orders[name])] for name in SYSTEMS}
    path = write(Path("comet.json"), [json.dumps(document, indent=2 if indent else None)])
    assert answer(read_corpus([path], outputs_are_scores=True, id_column="key"), "scores") == plain_scores[1]


GROUPS = list(zip(DOCUMENTS, DOMAINS, strict=True))
GROUP_FILES: dict[str, tuple[str, Rows]] = {
    "table": ("tsv", rows_of("{id}\t{value[0]}\t{value[1]}", head=["key\tdocid\tdomain"])),
    "columns turned": ("tsv", rows_of("{value[1]}\t-\t{value[0]}\t{id}", head=["domain\tx\tdocid\tkey"])),
    "JSON lines": ("jsonl", objects_of(lambda key, value: {"docid": value[0], "domain": value[1], "key": key})),
}
GROUP_CASES = list(itertools.product(GROUP_FILES, NUMBERS, ("table", "JSON lines"), (False, True)))


@pytest.mark.parametrize(("kind", "number", "scores", "apart"), GROUP_CASES)
def test_documents_and_domains(kind: str, number: int, scores: str, apart: bool) -> None:
    """From one file, or the domains from a file of their own."""
    ending, rows = GROUP_FILES[kind]
    path = write(Path(f"g.{ending}"), rows(GROUPS, ORDERS[number]))
    given = (
        {"documents": path, "domains": write(Path(f"d.{path}"), Path(path).read_text().splitlines())} if apart else {}
    )
    corpus = scored(scores, {"base": STRAIGHT, "new": ORDERS[-1]}, 1, **(given or {"documents": path}))
    values = {name: SCORES[name][:1] for name in SYSTEMS}
    expected = corpus_from_memory(None, values, documents=DOCUMENTS, domains=DOMAINS)
    assert (corpus.documents, corpus.domains) == (expected.documents, expected.domains)
    assert answer(corpus, "scores") == answer(expected, "scores")


text_table = rows_of("{id}\t{value}", head=["key\tout"])
turned_text_table = rows_of("{value}\t-\t{id}", head=["out\tsrc\tkey"])
text_lines = objects_of(lambda key, value: {"out": value, "key": key})
trn = rows_of("{value} ({id})")


def xml(role: str, name: str) -> Rows:
    head, tail = f'<dataset><doc id="d"><{role} {name}>', f"</{role}></doc></dataset>"
    return rows_of('<seg id="{id}">{value}</seg>', head=[head], tail=[tail])


def sgml(role: str) -> Rows:
    head, tail = f'<{role} setid="x" trglang="en"><doc docid="d" sysid="s">', f"</doc></{role}>"
    return rows_of('<seg id="{id}"> {value} </seg>', head=[head], tail=[tail])


TEXT_FILES: dict[str, tuple[str, Rows, Rows]] = {
    "table": ("tsv", text_table, text_table),
    "columns turned": ("tsv", turned_text_table, turned_text_table),
    "JSON lines": ("jsonl", text_lines, text_lines),
    "trn": ("trn", trn, trn),
    "XML": ("xml", xml("ref", 'translator="A"'), xml("hyp", 'system="s"')),
    "SGML": ("sgm", sgml("refset"), sgml("tstset")),
}


@pytest.fixture(scope="module")
def plain_texts() -> Answers:
    listed = {runs: {name: OUTPUTS[name][:runs] for name in SYSTEMS} for runs in (1, 2)}
    return {runs: answer(corpus_from_memory(REFERENCE, outputs), "chrf") for runs, outputs in listed.items()}


@pytest.mark.parametrize(("kind", "number", "runs"), list(itertools.product(TEXT_FILES, NUMBERS, (1, 2))))
def test_texts(kind: str, number: int, runs: int, plain_texts: Answers) -> None:
    ending, reference, rows = TEXT_FILES[kind]
    orders = {"base": [STRAIGHT, ORDERS[number]][:runs], "new": [ORDERS[number], ORDERS[number - 1]][:runs]}
    references = [write(Path(f"ref.{ending}"), reference(REFERENCE, STRAIGHT))]
    columns: dict[str, Any] = {"id_column": "key", "text_column": "out"} if ending in ("tsv", "jsonl") else {}
    documents = write(Path("segments.txt"), IDS) if ending in ("xml", "sgm") else None  # those files name one document
    corpus = read_corpus(systems(ending, rows, OUTPUTS, orders), references, documents=documents, **columns)
    assert [(*one[:6],) for one in answer(corpus, "chrf")] == [(*one[:6],) for one in plain_texts[runs]]


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
@pytest.mark.parametrize("columns", list(itertools.permutations(["ref", "base", "new", "id"])))
def test_one_table_of_everything(kind: str, columns: tuple[str, ...], plain_texts: Answers) -> None:
    held = {"ref": REFERENCE, "id": IDS, **{name: OUTPUTS[name][0] for name in SYSTEMS}}
    if kind == "tsv":
        rows = ["\t".join(columns), *("\t".join(held[one][i] for one in columns) for i in range(N))]
    else:
        rows = [json.dumps({one: held[one][i] for one in columns}) for i in range(N)]
    assert answer(corpus_from_table(write(Path(f"all.{kind}"), rows), list(SYSTEMS)), "chrf") == plain_texts[1]


MIXED_CASES = list(itertools.product(("table", "JSON lines", "samples"), ("tsv", "jsonl"), NUMBERS))


@pytest.mark.parametrize(("kind", "texts", "number"), MIXED_CASES)
def test_scores_beside_texts(kind: str, texts: str, number: int, plain_scores: Answers) -> None:
    """The scores of systems given as text are those of systems given as scores."""
    ending, rows, column = SCORE_FILES[kind]
    text_rows = text_table if texts == "tsv" else text_lines
    references = [write(Path(f"ref.{texts}"), text_rows(REFERENCE, STRAIGHT))]
    lines = {name: text_rows(OUTPUTS[name][0], ORDERS[number]) for name in SYSTEMS}
    outputs = [f"{name}={write(Path(f'{name}.{texts}'), own)}" for name, own in lines.items()]
    held = {name: rows(SCORES[name][0], ORDERS[number - 1]) for name in SYSTEMS}
    scores = [f"{name}={write(Path(f'{name}.scores.{ending}'), own)}" for name, own in held.items()]
    corpus = read_corpus(outputs, references, scores=scores, id_column=column, text_column="out")
    assert answer(corpus, "scores") == plain_scores[1]
