"""Wrong input on the command line, in files and from Python: the kind of each error, its place, what it names.

The words are free: tests/golden/errors.tsv has none of them.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import truegain as tg
from tests.e2e.golden import hold, run

FILES = ["errors.tsv"]

TEXTS = "--ref ref.txt base.txt new.txt"
RUNS = "--ref ref.txt base=base.txt,third.txt new=new.txt,third.txt"
SCORES = "-m scores base.scores new.scores"
COMMANDS = [
    "comapre",
    "--loud",
    # compare
    "compare",
    "compare base.txt new.txt",
    "compare --ref ref.txt base.txt",
    "compare --ref ref.txt base.txt none.txt",
    "compare --ref ref.txt one=base.txt one=new.txt",
    f"compare {TEXTS} --resample 10",
    f"compare {TEXTS} --test t-test",
    f"compare {TEXTS} --test run-permutation",
    f"compare {TEXTS} --alternative more",
    f"compare {TEXTS} --null-gain much",
    f"compare {TEXTS} --null-gain 1 --test ar",
    f"compare {TEXTS} --adjust sidak",
    f"compare {TEXTS} --adjust maxt --resamples auto",
    f"compare {TEXTS} --family all --baseline base",
    f"compare {TEXTS} --baseline old",
    f"compare {TEXTS} -R 0",
    f"compare {TEXTS} -R many",
    f"compare {TEXTS} --alpha 1.5",
    f"compare {TEXTS} --seed -1",
    f"compare {TEXTS} --interval wide",
    f"compare {TEXTS} --unit document",
    f"compare {TEXTS} --unit word",
    f"compare {TEXTS} --strata domain",
    f"compare {TEXTS} --block-length 3",
    f"compare {TEXTS} --unit block --block-length 0",
    f"compare {TEXTS} --jobs 0",
    f"compare {TEXTS} --engine abacus",
    f"compare {TEXTS} --num-refs 0",
    f"compare {TEXTS} --docs none.txt",
    f"compare {TEXTS} --text-column text",
    f"compare {TEXTS} --dev-ref ref.txt --dev base=base.txt --dev new=new.txt",
    f"compare {TEXTS} --changed-segments 3 -f csv",
    f"compare {TEXTS} -m blue",
    f"compare {TEXTS} -m bleu chrf",
    f"compare {TEXTS} -m BLEU,chrF",
    f"compare {TEXTS} -m chrf++",
    f"compare {TEXTS} -m bertscore",
    f"compare {TEXTS} -tok none",
    f"compare {TEXTS} --tokenize none",
    f"compare {TEXTS} --paired-bs",
    "compare ref.txt -i base.txt new.txt",
    "compare --ref ref.txt . new.txt",
    f"compare {TEXTS} -m bleu -m bleu",
    f"compare {TEXTS} -m bleu:smooth=max",
    f"compare {TEXTS} -m chrf:words=2",
    f"compare {TEXTS} -f pdf",
    f"compare {TEXTS} -f json -w 2",
    f"compare {TEXTS} -f json --layout paper",
    f"compare {TEXTS} -o result.docx",
    f"compare {TEXTS} -o nowhere/result.json",
    f"compare {SCORES} -m bleu",
    # The other studies
    "score",
    f"score {TEXTS} --score-only --alpha 0.1",
    f"score {TEXTS} --test ar",
    "rank --ref ref.txt base.txt",
    f"rank {TEXTS} --test u",
    f"rank {TEXTS} --adjust sidak",
    f"gate {TEXTS} --require perfect",
    f"gate {TEXTS} --require not-worse",
    f"gate {TEXTS} --margin -1",
    f"gate {TEXTS} --margin ter=1",
    f"gate {TEXTS} --test ar",
    f"gate {TEXTS} third.txt",
    f"inspect {TEXTS} --system old",
    f"inspect {TEXTS} third.txt",
    f"inspect {TEXTS} --length-buckets 20,10",
    f"inspect {TEXTS} --count -1",
    f"inspect {TEXTS} --records words",
    f"inspect {SCORES} --ngrams 3",
    "threshold --ref ref.txt base.txt",
    f"threshold {TEXTS} third.txt --sizes 1,x",
    f"threshold {TEXTS} third.txt --group '('",
    f"threshold {TEXTS} third.txt --subsets random",
    f"threshold {TEXTS} third.txt --similar",
    f"threshold {TEXTS} --profile result.json --gain 1",
    "threshold --profile result.json --gain 1 --resamples 9",
    "threshold --profile result.json",
    "threshold --profile nowhere.json --gain 1",
    "threshold --profile result.json --gain 1,x",
    f"domains {TEXTS} --draws -1",
    f"domains {TEXTS} --domains docs.txt --draws 0 --draw 9",
    "domains --set nowhere --ref ref.txt base.txt new.txt",
    f"plan {TEXTS} --power 2",
    f"plan {TEXTS} --gain 0",
    f"plan {TEXTS} --sd 3",
    "plan --sd 3",
    "plan --sd 9 --correlation 2 --gain 1",
    f"calibrate {TEXTS} -n 0",
    f"calibrate {TEXTS} --runs 2",
    f"calibrate {TEXTS} --null-unit document",
    "calibrate --ref ref.txt base.txt",
    f"replicate {TEXTS}",
    f"replicate {RUNS} --counts 0",
    f"replicate {RUNS} --block-length 3",
    f"intervals {RUNS} --alpha 0",
    "intervals --ref ref.txt base.txt",
    # Commands that are gone
    "stats --ref ref.txt base.txt -o x.sums",
    "merge x.sums",
    f"resample --part 1/2 -o x.part compare {TEXTS}",
    "cache info",
    # What is there already
    "render ref.txt",
    "render none.json",
    "plot none.json -o x.svg",
    "plot ref.txt -o x.bmp",
    "run none.toml",
    "run .",
    "init nowhere",
    "init . -o x.txt",
]

EXPERIMENT = """\
resamples = 20
[systems]
base = "base.txt"
new = "new.txt"
[[testset]]
name = "one"
reference = "ref.txt"
"""
#: What a line of the file is replaced with.
KEYS = [
    ("resamples", "resample = 20"),
    ("resamples", "resamples = 0"),
    ("resamples", "resamples = 'many'"),
    ("resamples", "alpha = 1.5"),
    ("resamples", "seed = -1"),
    ("resamples", "test = 't-test'"),
    ("resamples", "test = 'run-permutation'"),
    ("resamples", "unit = 'document'"),
    ("resamples", "unit = 'word'"),
    ("resamples", "strata = 'domain'"),
    ("resamples", "alternative = 'more'"),
    ("resamples", "interval = 'wide'"),
    ("resamples", "adjust = 'sidak'"),
    ("resamples", "resamples = 'auto'\nadjust = 'maxt'"),
    ("resamples", "baseline = 'old'"),
    ("resamples", "baseline = 'base'\nfamily = 'all'"),
    ("resamples", "metrics = []"),
    ("resamples", "metrics = ['blue']"),
    ("resamples", "metrics = ['chrf:words=2']"),
    ("resamples", "outputs = ['../x.html']"),
    ("resamples", "outputs = ['x.docx']"),
    ("resamples", "block_length = 3"),
    ("new =", "new = 3"),
    ("new =", "new = 'none.txt'"),
    ("new =", ""),
    ("name =", ""),
    ("name =", "name = 'one'\ndocument = 'docs.txt'"),
    ("name =", "name = 'one'\ndocuments = 'none.txt'"),
    ("name =", "name = 'one'\nreferences_per_line = 0"),
    ("reference =", "reference = 'none.txt'"),
    ("reference =", ""),
    ("reference =", "reference = 'ref.txt'\n[[testset]]\nname = 'one'\nreference = 'ref.txt'"),
]

GIVEN = '"ref.txt", {"base": "base.txt", "new": "new.txt"}'
CALLS = [
    "tg.compare('none.txt', {'base': 'base.txt', 'new': 'new.txt'})",
    "tg.compare('ref.txt', {'base': 'base.txt'})",
    "tg.compare('ref.txt')",
    "tg.compare(['a b', 'c'], {'base': ['a b'], 'new': ['a', 'c']})",
    "tg.compare(['a b', 'c'], {'base': ['a b', 3], 'new': ['a', 'c']})",
    f"tg.compare({GIVEN}, metrics=[])",
    f"tg.compare({GIVEN}, metrics=['blue'])",
    f"tg.compare({GIVEN}, metrics=['bleu,chrf'])",
    f"tg.compare({GIVEN}, metric='bleu')",
    f"tg.compare({GIVEN}, docs=['a'])",
    f"tg.compare({GIVEN}, resamples=20)['old']",
    f"tg.score({GIVEN}, resamples=20)['bleu', 'old']",
    f"tg.rank({GIVEN}, resamples=20)['old']",
    "tg.compare({'base': [0.1, 0.2], 'new': [0.3, 0.2]}, metrics='scores')",
    f"tg.compare({GIVEN}, metrics=['chrf:words=2'])",
    f"tg.compare({GIVEN}, documents=['a'])",
    f"tg.compare({GIVEN}, baseline='old')",
    f"tg.compare({GIVEN}, family='some')",
    f"tg.compare({GIVEN}, test='t-test')",
    f"tg.compare({GIVEN}, test=[])",
    f"tg.compare({GIVEN}, unit='word')",
    f"tg.compare({GIVEN}, unit='document')",
    f"tg.compare({GIVEN}, strata='domain')",
    f"tg.compare({GIVEN}, block_length=3)",
    f"tg.compare({GIVEN}, alternative='more')",
    f"tg.compare({GIVEN}, alpha=1.5)",
    f"tg.compare({GIVEN}, resamples=0)",
    f"tg.compare({GIVEN}, resamples='many')",
    f"tg.compare({GIVEN}, seed=-1)",
    f"tg.compare({GIVEN}, interval='wide')",
    f"tg.compare({GIVEN}, adjust='sidak')",
    f"tg.compare({GIVEN}, adjust='maxt', resamples='auto')",
    f"tg.compare({GIVEN}, null_gain=1.0, test='ar')",
    f"tg.compare({GIVEN}, changed_segments=-1)",
    f"tg.compare({GIVEN}, jobs=0)",
    f"tg.compare({GIVEN}, engine='abacus')",
    f"tg.compare({GIVEN}, resamples=20).render('pdf')",
    f"tg.compare({GIVEN}, resamples=20).render('json', layout='paper')",
    f"tg.compare({GIVEN}, resamples=20).render('md', layout='wide')",
    f"tg.compare({GIVEN}, resamples=20)['old', 'bleu']",
    f"tg.score({GIVEN}, alpha=0)",
    f"tg.rank({GIVEN}, test='u')",
    f"tg.gate({GIVEN}, require='perfect')",
    f"tg.gate({GIVEN}, require='not-worse')",
    f"tg.gate({GIVEN}, margin=-1)",
    f"tg.inspect({GIVEN}, system='old')",
    f"tg.inspect({GIVEN}, length_buckets=[20, 10])",
    f"tg.threshold({GIVEN}, sizes=[1])",
    f"tg.threshold({GIVEN}, groups='^(.)', pair_classes={{('base', 'new'): 'same'}})",
    f"tg.threshold({GIVEN}, pair_classes={{('base', 'old'): 'same'}})",
    f"tg.significance(tg.threshold({GIVEN}, resamples=20), 1)",
    f"tg.significance(tg.threshold({GIVEN}, resamples=20), 1, similar=True)",
    f"tg.significance(tg.threshold({GIVEN}, metrics=['bleu', 'chrf'], resamples=20), 1)",
    "tg.significance('ref.txt', 1)",
    f"tg.domains({GIVEN}, draws=-1)",
    f"tg.plan({GIVEN}, power=2)",
    f"tg.plan({GIVEN}, gain=0)",
    "tg.plan(sd=3)",
    f"tg.calibrate({GIVEN}, repetitions=0)",
    f"tg.calibrate({GIVEN}, null_unit='document')",
    f"tg.replicate({GIVEN})",
    f"tg.intervals({GIVEN})",
    "tg.pool([])",
    "tg.run('none.toml')",
    "tg.read_experiment('ref.txt')",
    "tg.load('ref.txt')",
    "tg.load('none.json')",
]


@pytest.fixture(autouse=True)
def screen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small test set in the working directory, and one width."""
    monkeypatch.setenv("COLUMNS", "80")


def refused(arguments: list[str]) -> str:
    before = sorted(Path().rglob("*"))
    code, said = run(arguments)
    assert code == 2, (arguments, said)
    assert sorted(Path().rglob("*")) == before, arguments
    return said


#: Where an error was found, and how each dialect writes the options that it names.
PLACE = re.compile(r"^(?:truegain|\w+Error): ([\w./]+(?::\d+)?): ", re.MULTILINE)
OPTIONS = {
    "command": re.compile(r"(?<![\w-])--?[a-z][a-z-]*"),
    "file": re.compile(r"\b[a-z_]+(?= = )|(?<=toml:\d: )[a-z_]+(?=: )"),
    "Python": re.compile(r"\b[a-z_]+(?==)"),
}


def row(dialect: str, typed: str, kind: str, answer: str) -> str:
    """What is held of an error: its kind, its place, and the options that it names, in any order."""
    if dialect == "command":
        answer = "\n".join(line for line in answer.splitlines() if not line.startswith(("Usage: ", "Try ")))
    place = PLACE.search(answer)
    options = sorted(set(OPTIONS[dialect].findall(answer)))
    return "\t".join([dialect, typed, kind, place[1] if place else "", " ".join(options)])


def of_commands() -> Iterator[str]:
    for line in COMMANDS:
        yield row("command", line, "2", refused(shlex.split(line)))


def of_files() -> Iterator[str]:
    for begins, line in KEYS:
        lines = [line if one.startswith(begins) else one for one in EXPERIMENT.splitlines()]
        Path("experiment.toml").write_text("".join(f"{one}\n" for one in lines))
        yield row("file", f"{begins.removesuffix(' =')} → {line!r}", "2", refused(["run", "experiment.toml"]))


def of_calls() -> Iterator[str]:
    for line in CALLS:
        with pytest.raises((tg.TruegainError, TypeError, KeyError, OSError)) as raised:
            eval(line, {"tg": tg})
        kind = raised.type.__name__
        yield row("Python", line, kind, f"{kind}: {raised.value}")


def test_errors(request: pytest.FixtureRequest) -> None:
    rows = "".join(f"{line}\n" for line in (*of_commands(), *of_files(), *of_calls()))
    hold("errors.tsv", rows, request.config.getoption("--renew-golden"))
