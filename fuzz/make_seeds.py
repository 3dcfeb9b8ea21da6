"""Write the inputs that fuzzing starts from: ``python -m fuzz.make_seeds``."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl
import zstandard
from msgspec import structs

import truegain as tg
from fuzz.guided import SEEDS
from truegain.readers.memory import corpus_from_memory
from truegain.results import Result

LINES = ["the small cat sat on the mat .", "it was 1,000.5 old , he said", "", "&quot;x&quot; <skipped> naïve 猫 😀"]
OTHER = ["the small cat sits on a mat .", "it is 1,000 old he said", "x", "'x' naive 猫"]


def text(lines: list[str]) -> str:
    """One line a segment."""
    return "".join(f"{line}\n" for line in lines)


def word(place: int, form: str, head: int, relation: str = "dep") -> str:
    """Return a line of CoNLL-U."""
    return f"{place}\t{form}\t_\tNOUN\t_\t_\t{head}\t{relation}\t_\t_\n"


def json_lines(*records: Mapping[str, object]) -> str:
    """One object a line."""
    return "".join(json.dumps(record) + "\n" for record in records)


GOLD = (
    "# newdoc id = d1\n# sent_id = s1\n1-2\tdas\t_\t_\t_\t_\t_\t_\t_\t_\n"
    + word(1, "da", 0, "root")
    + word(2, "s", 1)
    + "\n# newdoc\n"
    + word(1, "x", 2)
    + word(2, "y", 0, "root")
    + "2.1\tz\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)
OUTPUT = word(1, "das", 0, "root") + "\n" + word(1, "xy", 0, "root") + "\n"
TREES = (
    "( (S (NP-SBJ (DT the) (NN cat)) (VP (VBD sat))\n  (. .)) )\n(S (-NONE- *) (NP (NN x)))\n"
    "(TOP (S (NP (PRP it)) (ADVP (RB so))))\n"
)
TAGS = "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\nPeter\tS-PER\nlives\tO\n"
DATASET = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="t"><doc id="d1" origlang="en"><src lang="en"><p>'
    '<seg id="1">a &amp; b</seg></p></src><ref lang="de" translator="A"><p><seg id="1">x</seg></p></ref>'
    '<hyp system="s" lang="de"><p><seg id="1">y\n z</seg></p></hyp>'
    '<hyp system="t"><seg id="1">w</seg></hyp></doc></dataset>'
)
NIST = (
    '<refset setid="t" srclang=any trglang="de" refid="r">\n<DOC docid="d1">\n<hl><seg id=1> a & b </seg></hl>\n'
    '<p>\n<seg id="2">x &lt; &#228;</seg>\n</p>\n</DOC>\n</refset>\n'
    '<tstset setid="t" sysid="s"><doc docid="d1"><seg id=1>y<seg id="2">z</doc></tstset>\n'
)
SAMPLES = json_lines(
    {"doc_id": 0, "doc": {}, "target": "a", "filtered_resps": ["x"], "filter": "none", "acc": 1.0, "doc_hash": "h"},
    {"doc_id": 1, "doc": {}, "target": "b", "filtered_resps": ["y"], "filter": "none", "acc": 0.0, "doc_hash": "i"},
)
LISTED = json_lines(
    *(
        {"doc_id": i, "filtered_resps": [], "filter": f, "metrics": ["em", "list"], "em": 1, "list": [True, False]}
        for i in range(2)
        for f in ("strict", "loose")
    )
)

RATED = json_lines(
    *(
        {
            "doc_id": f"a-b_#_n_#_d_#_{i}",
            "src_text": "s",
            "tgt_text": {"refA": "r", "x": "t", "y": "u"},
            "scores": {"x": {"human1": 50 + i, "annotator1": "p"}, "y": [{"human": 60, "annotator": "q"}]},
        }
        for i in range(3)
    )
)

PEOPLE = "".join(
    f"{s}\t{'None' if (s, i) == ('c', 2) else (i * 3 + k) % 5}\n" for k, s in enumerate("abc") for i in range(6)
)

LISTS = (
    "0||| the cat ||| lm= -1.5 tm= -2 -3 ||| -9\n0 ||| the cat sat ||| lm= -2 tm= 0 1 ||| -10\n"
    "1 ||| a dog ||| lm= 0.5 tm= 1e-3 4 ||| 1\n1 ||| dog ||| lm= 1.5 tm= 0 3 ||| 2\n3 ||| it ||| lm= 7 tm= 1 1 ||| 2\n"
)
TUNED = json_lines(
    *(
        {"id": i // 2, "text": said, "features": {"lm": i - 2.5, "length": len(said)}, "total": -i}
        for i, said in enumerate(("the cat", "the cat sat", "a dog", "dog", "x", ""))
    )
)

LOGGED = [
    {"id": item, "epoch": epoch, "target": "a", "metadata": {"k": epoch}, "scores": {"m": {"value": value}, "n": 2}}
    for item in ("q1", 2)
    for epoch, value in ((1, "C"), (2, "I"), (3, {"x": 1.5, "y": None}))
]

INSTANCES = [
    {"instance_id": f"id{i}", "train_trial_index": trial, "stats": [{"name": {"name": "em"}, "mean": i / 2}], **more}
    for i in range(2)
    for trial in (0, 1)
    for more in ({}, {"perturbation": {"name": "typos", "prob": 0.1}})
]
EVENTS = json_lines(
    {"spec": {"completion_fns": ["m"]}},
    *(
        {"run_id": "r", "event_id": i, "sample_id": f"q{i // 2}", "type": kind, "data": {key: i % 3 > 0}}
        for i, (kind, key) in enumerate([("match", "correct"), ("metrics", "f1")] * 2)
    ),
    {"final_report": {}},
)
TRIED = [
    {
        "promptIdx": prompt,
        "testIdx": test,
        "provider": {"id": f"p{prompt}"},
        "vars": {"q": test // 2},
        "score": test / 4,
        "success": True,
        "namedScores": {"n": 1},
        "failureReason": 0,
    }
    for prompt in (0, 1)
    for test in range(4)
]


def seeds() -> Iterator[tuple[str, str, bytes]]:
    """Target, name and content of each."""
    made: dict[str, dict[str, str]] = {
        "plain": {"lines": text(LINES), "windows": "a\r\nb\r\n", "mark": "\ufeffa\nb"},
        "tables": {
            "columns": "id\tdoc\tdomain\tref\ta\tb\n1\td\tn\tx y\tx y\tx\n2\td\tn\tz\tz z\tz\n",
            "text": "text\nx\ny\n",
        },
        "json_lines": {
            "columns": json_lines(*({"id": i, "doc": "d", "ref": "x y", "a": "x y", "b": "x"} for i in "12")),
            "text": json_lines({"text": "x", "more": [1, {"y": None}]}, {"text": "y"}),
        },
        "xml": {"dataset": DATASET},
        "sgml": {"nist": NIST},
        "treebanks": {"gold": GOLD, "both": f"{GOLD}\n====\n{OUTPUT}"},
        "trees": {"several": TREES},
        "tags": {"both": f"{TAGS}\n====\n{TAGS.replace('S-PER', 'O')}", "one": TAGS},
        "links": {"several": "0-0 1-2 2p2\n\n0-0 3?1\n1-1\n"},
        "generated": {
            "documents": json_lines(
                *({"doc_id": f"a-b_#_n_#_{i}", "src_text": "s", "refs": {"refA": {"ref": f"r {i}"}}} for i in range(2))
            ),
            "outputs": json_lines(*({"doc_id": f"a-b_#_n_#_{i}", "hypothesis": f"h {i}"} for i in range(2))),
            "humeval": RATED,
            "fairseq": "| loaded\nS-1\tu\nT-1\tv\nH-1\t-0.5\tw@@ x\nD-1\t-0.5\twx\n"
            "S-0\ta\nT-0\tb\nH-0\t-1\tc\nD-0\t-1\tc\n",
            "list": "0 ||| a b ||| F0= -1 ||| -0.5\n0 ||| a ||| F0= -2 ||| -1\n1||| c  ||| lm= -3 d= 1 2 ||| -2\n",
        },
        "hypotheses": {"list": LISTS, "unnamed": "0 ||| a ||| -1 2\n0 ||| b ||| 3 4\n", "lines": TUNED},
        "utterances": {"several": ";; comment\nthe cat sat (spk-01)\n(spk-02)\n\nx  y (spk-03)\n"},
        "scores": {
            "numbers": "0.5\n1e-3\n-2\n",
            "table": "id\tcomet\tx\n1\t0.5\ta\n2\t0.25\tb\n",
            "lines": json_lines({"id": "1", "score": 0.5}, {"id": "2", "score": 1}),
            "comet": json.dumps({"a.txt": [{"src": "x", "COMET": 0.5}], "b.txt": [{"src": "x", "COMET": 0.25}]}),
            "comet-compare": json.dumps(
                {
                    "statistical_results": [],
                    "source": ["x"],
                    "translations": [{"name": "a", "mt": ["y"], "scores": [1]}],
                }
            ),
            "list": '[1, 2.5, {"score": 3}]',
            "seg-score": "a\t0.5\na\tNone\na\t1\nb\t-2\nb\tNone\nb\t3e-1\n",
            "seg-rating": 'a\tNone\na\t{"errors": [{"category": "x/y", "severity": "minor"}]}\n'
            'b\t{"errors": []}\nb\t{"errors": [{"category": "source issue", "severity": "major"}]}\n',
            "appraise": 'u,A,1,TGT,eng,ces,80,d,False,"[{""x"":1}]",1.5,2.5\nu,B,1,TGT,eng,ces,70,d,False,[],1,2\n'
            "u,A,2,BAD,eng,ces,1,d#bad,False,[],1,2\nu,A,2,TGT,eng,ces,60,d,False,[],1,2\nv,B,2,TGT,eng,ces,5,d,False,1,2\n",
            "humeval": RATED,
            "esa": json_lines(
                *(
                    {"langs": "en-cs", "line_id": i, "doc_id": "d", "system": s, "annotator": "u", "esa_score": f"{i}5"}
                    for i in range(2)
                    for s in "ab"
                )
            ),
            "ratings": "system,seg_id,annotator,score\na,1,x,50\na,1,y,60\nb,1,x,70\na,2,x,1\nb,2,z,2\nb,3,z,0\n",
            "samples": SAMPLES,
            "listed": LISTED,
        },
        "logs": {
            "samples": json.dumps(LOGGED),
            "document": json.dumps(
                {"eval": {"config": {"epochs_reducer": ["mode"]}}, "status": "error", "samples": LOGGED}
            ),
            "helm": json.dumps(INSTANCES),
            "evals": EVENTS,
            "promptfoo": json.dumps({"results": {"version": 3, "results": TRIED}}),
        },
        "people": {
            "scores": f"{PEOPLE}\n====\n{PEOPLE.replace('None', '3')}\n====\na\t1\nb\t2\nc\tNone\n",
            "ratings": "\n".join(
                f'{s}\t{{"errors": [{{"category": "x/y", "severity": "{how}"}}]}}'
                for s in "abc"
                for how in ("minor", "major", "minor", "neutral")
            ),
            "table": "system,id,score\n"
            + "".join(f"{s},{i},{(i * k) % 5}\n" for k, s in enumerate("abc") for i in range(4)),
            "lines": json_lines(
                *({"system": s, "id": i, "score": (i * k) % 5} for k, s in enumerate("abc") for i in range(4))
            ),
        },
        "experiments": {
            "whole": 'name = "x"\nmetrics = ["bleu", {name = "chrf", word_order = 2}]\nresamples = 99\nseed = 3\n'
            'baseline = "a"\n[systems]\na = "a.txt"\nb = ["b.txt", "a.1.txt"]\n[[testset]]\nname = "one"\n'
            'reference = "ref.txt"\n[[testset]]\nname = "two"\nreference = ["ref.txt", "a.txt"]\ndomain = "news"\n',
            "patterns": '[[testset]]\nname = "a"\nreference = "ref.txt"\n'
            '[systems]\nx = "{testset}.txt"\ny = "a.*.txt"\n',
            "scores": 'metrics = ["scores"]\n[[testset]]\nname = "a"\n[testset.systems]\nx = "a.txt"\ny = "b.txt"\n',
        },
        "manifests": {
            scheme: json.dumps(
                {"scheme": scheme, "lines": 9, "sets": [{"name": f"sample0{i}", "lines": 9} for i in (1, 2, 3)]}
            )
            for scheme in ("bootstrap", "half", "odd")
        },
        "documents": {"lines": "d1\nd1\nd2\n", "table": "doc\tdomain\tid\nd1\tnews\t1\nd2\ttalk\t2\n"},
        "settings": {
            "bleu": "bleu:tokenize=intl,smooth_method=floor,smooth_value=0.1,lowercase=true,max_ngram_order=3",
            "chrf": "chrf:char_order=4,word_order=2,beta=3,lowercase=yes",
            "ter": "ter:normalized=true,no_punct=true,case_sensitive=true",
            "rouge": "rouge:n=3",
            "unigram": "unigram:measure=precision",
            "exact": "exact:normalize=squad",
            "aer": "aer:reference_base=1",
        },
        "systems": {"files": "a.txt\nb.txt", "runs": "x=a.txt,b.txt\ny=a.*.txt", "text": "m.xml:s\nm.xml"},
        "texts": {"both": f"{text(OTHER)}\n====\n{text(LINES)}", "same": "a b\n====\na b"},
    }
    for target, examples in made.items():
        for name, content in examples.items():
            yield target, name, content.encode()
    data = text(LINES).encode()
    yield "compressed", "gz", gzip.compress(data, mtime=0)
    yield "compressed", "bz2", bz2.compress(data)
    yield "compressed", "xz", lzma.compress(data)
    yield "compressed", "zst", zstandard.compress(data)
    yield "compressed", "zeros", gzip.compress(bytes(1 << 21), mtime=0)
    columns = pl.DataFrame({"system": ["a", "b"] * 3, "id": [1, 1, 2, 2, 3, 3], "score": [0.5, 1, 2, 0, 1.5, None]})
    columns = columns.with_columns(fine=pl.col("id") > 1, task=pl.struct("id", "system"), list=pl.concat_list("id"))
    for name, writer in (("parquet", columns.write_parquet), ("file", columns.write_ipc)):
        yield "column_files", name, written(writer)
    yield "column_files", "stream", written(columns.drop("list", "task").drop_nulls().write_ipc_stream)
    for target in ("one_rule", "pairs", "same_scores", "same_texts"):  # bytes are choices there
        for number in range(8):
            yield target, f"drawn-{number}", random.Random(f"{target} {number}").randbytes(200)
    yield "kept", "entry", b"<f8" + struct.pack("<3Q2d", 2, 1, 2, 0.5, 1.5)
    yield "kept", "counts", b"<i4" + struct.pack("<2Q2i", 1, 2, 3, -4)
    yield "kept", "scores", b"<i8" + struct.pack("<3Q5qd", 2, 2, 3, 1, 2, 0, 3, 4, 0.5)
    kept = {"signature": "s", "inputs": "i", "features": ["a", "b"], "run": 1, "weights": {"a": 0.5, "b": -1}}
    yield "kept", "weights", json.dumps(kept).encode()
    for name, result in results():
        yield "results", name, (json.dumps(json.loads(result.render("json")), ensure_ascii=False) + "\n").encode()


def written(writer: Callable[[io.BytesIO], object]) -> bytes:
    """Return what is written to a file."""
    held = io.BytesIO()
    writer(held)
    return held.getvalue()


def few() -> tuple[list[str], dict[str, list[list[str]]]]:
    """Eight segments, and two systems of two runs."""
    reference = [f"the small cat number {i} sat on the old mat" for i in range(8)]
    runs = {
        name: [
            [f"the small cat {i} sat on {'an' if (i + run) % every else 'the'} mat" for i in range(8)] for run in (0, 1)
        ]
        for name, every in (("a", 2), ("b", 3))
    }
    return reference, runs


def results() -> Iterator[tuple[str, Result]]:
    """One of each study, of a few segments."""
    reference, runs = few()
    first = {name: one[0] for name, one in runs.items()}
    documents = [f"d{i // 2}" for i in range(8)]
    yield "compare", tg.compare(reference, runs, documents=documents, metrics=["bleu", "ter"], resamples=19)
    yield "compare-tests", tg.compare(reference, first, test=["ar", "t", "exact"], resamples=19)
    yield "score", tg.score(reference, runs, resamples=19, segments=True)
    yield "calibrate", tg.calibrate(reference, first, test=["ar"], gain=1.0, repetitions=5, resamples=19)
    yield "replicate", tg.replicate(reference, runs, counts=(1, 2), repetitions=3, resamples=19)
    yield "intervals", tg.intervals(reference, runs, resamples=19)
    yield "inspect", tg.inspect(reference, first, documents=documents, count=1)
    yield "gate", tg.gate(reference, runs, require="not-worse", margin=0.3, resamples=19)
    yield "plan", tg.plan(sd=(12, 11), correlation=0.7, gain=0.5)
    yield "rank", tg.rank(reference, {**first, "c": first["a"][::-1]}, resamples=19)
    lists = [f"{i} ||| {run[i]} ||| a= {i % 3 - k} b= {k}\n" for i in range(8) for k, run in enumerate(runs["a"])]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "lists").write_text("".join(lists), encoding="utf-8")
        tuned = tg.tune(reference, Path(folder, "lists"), runs=2, restarts=1)
    files = tuple(structs.replace(one, name=Path(one.name).name) for one in tuned.inputs.files)
    yield "tune", structs.replace(tuned, inputs=structs.replace(tuned.inputs, files=files))
    scores = {f"s{i}": [float((i + 2) * j % 7) for j in range(24)] for i in range(5)}
    profile = tg.threshold(None, scores, metrics=["scores"], groups="^(s)", resamples=19)
    yield "threshold", profile
    yield "significance", tg.significance(profile, [0.2, 0.4])
    yield "agree", tg.agree(scores, {"m": scores, "n": {name: own[::-1] for name, own in scores.items()}}, resamples=19)
    halves = [
        replace(corpus_from_memory(reference[i::2], {n: own[i::2] for n, own in first.items()}), name=f"half {i}")
        for i in (0, 1)
    ]
    yield "pool", tg.pool(halves, resamples=19)
    yield "domains", tg.domains(reference, first, domains=["n", "t"] * 4, draws=3, resamples=19, draw_resamples=9)


def main() -> None:
    """Write them all anew."""
    for target, name, content in seeds():
        path = SEEDS / target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
