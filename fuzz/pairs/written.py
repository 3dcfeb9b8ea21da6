"""Write values in every form that is read: files of scores and of texts, logs, tables, frames."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import truegain as tg
from fuzz.held import file
from fuzz.pairs.asked import Asked, Outcome, call, command

__all__ = ["FORMS", "Form", "Rows", "Style", "asked"]

#: The runs of each system: an id and a value, as it is written, for each row.
Rows = Mapping[str, Sequence[Sequence[tuple[str, str]]]]
_USUAL = ("id", "item", "question_id", "seg_id", "ID", "Item")


@dataclass(frozen=True)
class Style:
    """Options of a form that is written.

    Attributes
    ----------
    ids : str
        The name of the column of ids.
    asks : bool
        The column of ids is named by an option, if its name is not a usual one.
    turned, more, quoted, numbers : bool
        Columns in another order; one more column, of no meaning; every field in quotes, in CSV; ids that are whole
        numbers written as numbers, in JSON.
    mixed : int
        What rows of all systems in one table are shuffled by; 0 for none.
    encode : callable
        From text to bytes.
    ending : str
        What is added to the names of files.
    also : tuple of str
        Further arguments of the command.
    """

    ids: str = "id"
    asks: bool = True
    turned: bool = False
    more: bool = False
    quoted: bool = False
    numbers: bool = False
    mixed: int = 0
    encode: Callable[[str], bytes] = str.encode
    ending: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Form:
    """A way to write rows.

    Attributes
    ----------
    write : callable
        From rows and a style to the arguments of a command; or to a result, of calls of Python.
    of : str
        What the values are: scores or texts.
    ids : str
        The ids that it can hold: any; counted, from 0 on; padded texts; none, so that rows are paired by line.
    runs : bool
        Systems may have several runs.
    plain : bool
        It is a file of text, which can be encoded and compressed.
    calls : bool
        It is a call of Python, for the study compare alone.
    json : bool
    table : bool
        It has a header, with a name for the column of ids.
    plain_names : bool
        Systems may not be named like runs, which would be files of them, or like numbers.
    """

    write: Callable[[Rows, Style], Any]
    of: str = "scores"
    ids: str = "any"
    runs: bool = False
    plain: bool = True
    calls: bool = False
    json: bool = False
    table: bool = False
    plain_names: bool = False


def asked(form: Form, rows: Rows, style: Style, study: str = "compare") -> Asked:
    """Return how to ask for what rows mean, written in a form; a gate asks for the baseline of one table."""
    first = next(system for system in rows if system != "ref")
    baseline = ("--baseline", first) if study == "gate" and "--baseline" not in style.also else ()

    def ask() -> Outcome:
        if form.calls:
            return call(lambda: form.write(rows, style))
        return command(study, *form.write(rows, style), *baseline, *style.also)

    return ask


def _put(name: str, text: str, style: Style) -> str:
    return file(f"{name}{style.ending}", style.encode(text))


def _number(text: str, style: Style) -> Any:
    """Return an id as a number, if it can be written as one and the style wants it."""
    return int(text) if style.numbers and text.isascii() and text.isdecimal() and str(int(text)) == text else text


def _value(text: str) -> Any:
    """Return a score as JSON has it; a text that is no number stays one."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _records(
    pairs: Sequence[tuple[str, str]], value: str, style: Style, ids: str | None = None
) -> list[dict[str, Any]]:
    """Return objects for JSON."""
    found = []
    for number, (one, text) in enumerate(pairs):
        held = {ids or style.ids: _number(one, style), value: _value(text) if value == "score" else text}
        if style.more:
            held["remark"] = f"r{number % 3}"
        found.append(dict(reversed(held.items())) if style.turned else held)
    return found


def _separated(records: Sequence[Mapping[str, Any]], separator: str, style: Style) -> str:
    if separator == "\t":
        rows = [list(records[0]), *([str(one) for one in record.values()] for record in records)]
        return "".join("\t".join(row) + "\n" for row in rows)
    out = io.StringIO()
    writer = csv.writer(
        out, delimiter=separator, quoting=csv.QUOTE_ALL if style.quoted else csv.QUOTE_MINIMAL, lineterminator="\n"
    )
    writer.writerows([list(records[0]), *(list(record.values()) for record in records)])
    return out.getvalue()


def _fields(pairs: Sequence[tuple[str, str]], value: str, style: Style) -> list[dict[str, Any]]:
    """Return the fields of a table, as they are written."""
    found = []
    for number, (one, text) in enumerate(pairs):
        held = {style.ids: one, value: text, **({"remark": f"r{number % 3}"} if style.more else {})}
        found.append(dict(reversed(held.items())) if style.turned else held)
    return found


def _table_text(kind: str, pairs: Sequence[tuple[str, str]], value: str, style: Style) -> str:
    if kind == "jsonl":
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in _records(pairs, value, style))
    if kind == "json":
        return json.dumps(_records(pairs, value, style), indent=1, ensure_ascii=False)
    return _separated(_fields(pairs, value, style), "\t" if kind == "tsv" else "," if kind == "csv" else ";", style)


def _id_option(style: Style) -> list[str]:
    return ["--id-column", style.ids] if style.asks and style.ids not in _USUAL else []


def _tables(kind: str) -> Callable[[Rows, Style], list[str]]:
    """One file for each run."""

    def write(rows: Rows, style: Style) -> list[str]:
        ending = "csv" if kind == "csv;" else kind
        given = []
        for system, runs in rows.items():
            files = [
                _put(f"{system}.{run}.{ending}", _table_text(kind, own, "score", style), style)
                for run, own in enumerate(runs)
            ]
            given.append(f"{system}={','.join(files)}")
        return ["-m", "scores:column=score", *_id_option(style), *given]

    return write


def _score_lines(rows: Rows, style: Style) -> list[str]:
    given = []
    for system, runs in rows.items():
        files = [
            _put(f"{system}.{run}.txt", "".join(f"{text}\n" for _, text in own), style) for run, own in enumerate(runs)
        ]
        given.append(f"{system}={','.join(files)}")
    return ["-m", "scores:column=score", *given]


def _long_records(rows: Rows, style: Style, value: str = "score") -> list[dict[str, Any]]:
    several = any(len(runs) > 1 for runs in rows.values())
    reference = dict(rows["ref"][0]) if "ref" in rows else None
    found = []
    for system, runs in rows.items():
        for run, own in enumerate(runs):
            for one, text in own if system != "ref" else ():
                held: dict[str, Any] = {"system": system, **({"run": run} if several else {}), style.ids: one}
                held |= {} if reference is None else {"reference": reference.get(one, "none")}
                held |= {"remark": "r"} if style.more else {}
                held[value] = text
                found.append(dict(reversed(held.items())) if style.turned else held)
    if style.mixed:
        random.Random(style.mixed).shuffle(found)
    return found


def _long(kind: str) -> Callable[[Rows, Style], list[str]]:
    """One table with a row per system and item."""

    def write(rows: Rows, style: Style) -> list[str]:
        records = _long_records(rows, style)
        if kind in ("tsv", "csv"):
            text = _separated(records, "\t" if kind == "tsv" else ",", style)
        else:
            typed = [
                {**one, "score": _value(one["score"]), style.ids: _number(one[style.ids], style)} for one in records
            ]
            text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in typed)
        path = _put(f"long.{kind}", text, style)
        return ["-m", "scores:column=score", *_id_option(style), path]

    return write


def _parquet(rows: Rows, style: Style) -> list[str]:
    import polars as pl

    records = [{**one, "score": _value(one["score"])} for one in _long_records(rows, style)]
    out = io.BytesIO()
    pl.DataFrame(records, strict=False).write_parquet(out)
    return ["-m", "scores:column=score", *_id_option(style), file("long.parquet", out.getvalue())]


def _wide_records(rows: Rows, style: Style) -> list[dict[str, Any]]:
    """Return a record per item of the first system; all systems have the same items."""
    first = next(iter(rows.values()))[0]
    by_id = {system: dict(runs[0]) for system, runs in rows.items()}
    found = []
    for one, _ in first:
        held = {style.ids: one, **{system: own[one] for system, own in by_id.items()}}
        found.append({name: held[name] for name in reversed(held)} if style.turned else held)
    return found


def _wide(kind: str) -> Callable[[Rows, Style], list[str]]:
    def write(rows: Rows, style: Style) -> list[str]:
        records = _wide_records(rows, style)
        if kind == "jsonl":
            typed = [
                {name: one if name == style.ids else _value(one) for name, one in record.items()} for record in records
            ]
            text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in typed)
        else:
            text = _separated(records, "\t" if kind == "tsv" else ",", style)
        path = _put(f"wide.{kind}", text, style)
        return ["-m", "scores:column=score", *_id_option(style), "--table", path, *rows]

    return write


def _comet(rows: Rows, style: Style) -> list[str]:
    held = {system: _records(runs[0], "score", style) for system, runs in rows.items()}
    path = _put("comet.json", json.dumps(held, ensure_ascii=False), style)
    return ["-m", "scores:column=score", *_id_option(style), path]


def _seg_score(rows: Rows, style: Style) -> list[str]:
    text = "".join(f"{system}\t{value}\n" for system, runs in rows.items() for _, value in runs[0])
    return ["-m", "scores:column=score", _put("x.seg.score", text, style)]


def _logs(kind: str) -> Callable[[Rows, Style], list[str]]:
    """One log for each system."""

    def write(rows: Rows, style: Style) -> list[str]:
        given = []
        for system, runs in rows.items():
            text = _LOGS[kind](runs[0], style)
            ending = "jsonl" if kind in ("harness", "evals") else "json"
            given.append(f"{system}={_put(f'{system}.{ending}', text, style)}")
        return ["-m", "scores:column=score", *given]

    return write


def _harness(pairs: Sequence[tuple[str, str]], style: Style) -> str:
    held = ({"doc_id": _number(one, style), "filtered_resps": [], "score": _value(text)} for one, text in pairs)
    return "".join(json.dumps(one) + "\n" for one in held)


def _inspect(pairs: Sequence[tuple[str, str]], style: Style) -> str:
    samples = [{"id": _number(one, style), "epoch": 1, "scores": {"score": {"value": _value(t)}}} for one, t in pairs]
    return json.dumps({"eval": {}, "status": "success", "samples": samples})


def _helm(pairs: Sequence[tuple[str, str]], style: Style) -> str:
    return json.dumps(
        [
            {"instance_id": one, "train_trial_index": 0, "stats": [{"name": {"name": "score"}, "mean": _value(text)}]}
            for one, text in pairs
        ]
    )


def _evals(pairs: Sequence[tuple[str, str]], style: Style) -> str:
    events = [
        {"run_id": "r", "event_id": number, "sample_id": one, "type": "metrics", "data": {"score": _value(text)}}
        for number, (one, text) in enumerate(pairs)
    ]
    return "".join(json.dumps(one) + "\n" for one in [*events, {"final_report": {}}])


_LOGS = {"harness": _harness, "inspect": _inspect, "helm": _helm, "evals": _evals}


def _promptfoo(rows: Rows, style: Style) -> list[str]:
    results = [
        {
            "promptIdx": number,
            "testIdx": int(one),
            "provider": {"id": system},
            "vars": {"q": one},
            "score": _value(text),
        }
        for number, (system, runs) in enumerate(rows.items())
        for one, text in runs[0]
    ]
    if style.mixed:
        random.Random(style.mixed).shuffle(results)
    path = _put("p.json", json.dumps({"results": {"version": 3, "results": results}}), style)
    return ["-m", "scores:column=score", path]


def _rated(rows: Rows, style: Style) -> list[str]:
    """Ratings of one person, in a table of ratings."""
    records = [{**one, "rater": "x"} for one in _long_records(rows, style)]
    return ["-m", "scores:column=score", *_id_option(style), _put("rated.csv", _separated(records, ",", style), style)]


def _frame(library: str, *, long: bool) -> Callable[[Rows, Style], Any]:
    def write(rows: Rows, style: Style) -> Any:
        import pandas as pd
        import polars as pl

        records = _long_records(rows, style) if long else _wide_records(rows, style)
        scores = {"score"} if long else set(rows)
        typed = [
            {
                name: _value(one) if name in scores else _number(one, style) if name == style.ids else one
                for name, one in record.items()
            }
            for record in records
        ]
        frame = pd.DataFrame(typed) if library == "pandas" else pl.DataFrame(typed, strict=False)
        return tg.compare(frame, metrics=["scores:column=score"], resamples=19, jobs=1)

    return write


def _arrays(rows: Rows, style: Style) -> Any:
    scores = {system: [[float(text) for _, text in own] for own in runs] for system, runs in rows.items()}
    return tg.compare(None, scores, metrics=["scores:column=score"], resamples=19, jobs=1)


def _texts(kind: str) -> Callable[[Rows, Style], list[str]]:
    """One file for the reference, and one for each run."""

    def write(rows: Rows, style: Style) -> list[str]:
        found: dict[str, list[str]] = {}
        for system, runs in rows.items():
            for run, own in enumerate(runs):
                text, ending = _TEXTS[kind](own, system, style)
                found.setdefault(system, []).append(_put(f"{system}.{run}.{ending}", text, style))
        columns = ["--text-column", "text", *_id_option(style)] if kind in ("tsv", "csv", "jsonl") else []
        references = [one for path in found.pop("ref") for one in ("--ref", path)]
        return [*columns, *references, *(f"{system}={','.join(files)}" for system, files in found.items())]

    return write


def _marked(kind: str) -> Callable[[Sequence[tuple[str, str]], str, Style], tuple[str, str]]:
    def text(pairs: Sequence[tuple[str, str]], system: str, style: Style) -> tuple[str, str]:
        segments = "".join(f'<seg id="{one}">{said}</seg>\n' for one, said in pairs)
        if kind == "xml":
            role = "ref translator" if system == "ref" else "hyp system"
            return f'<dataset><doc id="d"><{role}="{system}">{segments}</{role[:3]}></doc></dataset>', "xml"
        role = "refset" if system == "ref" else "tstset"
        return f'<{role} setid="x" trglang="en"><doc docid="d" sysid="s">{segments}</doc></{role}>', "sgm"

    return text


def _generated(pairs: Sequence[tuple[str, str]], system: str, style: Style) -> tuple[str, str]:
    kinds = ("T\t", "H\t-1\t") if system == "ref" else ("H\t-1\t", "D\t-1\t")
    lines = [f"{kind[0]}-{one}{kind[1:]}{said}\n" for one, said in pairs for kind in kinds]
    return "".join(lines), "out"


_TEXTS: Mapping[str, Callable[[Sequence[tuple[str, str]], str, Style], tuple[str, str]]] = {
    "lines": lambda pairs, system, style: ("".join(f"{said}\n" for _, said in pairs), "txt"),
    "tsv": lambda pairs, system, style: (_table_text("tsv", pairs, "text", style), "tsv"),
    "csv": lambda pairs, system, style: (_table_text("csv", pairs, "text", style), "csv"),
    "jsonl": lambda pairs, system, style: (_table_text("jsonl", pairs, "text", style), "jsonl"),
    "trn": lambda pairs, system, style: ("".join(f"{said} ({one})\n" for one, said in pairs), "trn"),
    "xml": _marked("xml"),
    "sgml": _marked("sgml"),
    "fairseq": _generated,
}


def _nbest(rows: Rows, style: Style) -> list[str]:
    lists = {
        system: _put(
            f"{system}.nbest",
            "".join(
                f"{one} ||| {said} ||| F0= -1 ||| -1\n{one} ||| other ||| F0= -2 ||| -2\n" for one, said in runs[0]
            ),
            style,
        )
        for system, runs in rows.items()
        if system != "ref"
    }
    reference = _put("ref.txt", "".join(f"{said}\n" for _, said in rows["ref"][0]), style)
    return ["--ref", reference, *(f"{system}={path}" for system, path in lists.items())]


def _wide_texts(rows: Rows, style: Style) -> list[str]:
    path = _put("wide.tsv", _separated(_wide_records(rows, style), "\t", style), style)
    return [*_id_option(style), "--table", path, *(system for system in rows if system != "ref")]


def _long_texts(rows: Rows, style: Style) -> list[str]:
    path = _put("long.csv", _separated(_long_records(rows, style, "output"), ",", style), style)
    return [*_id_option(style), "--table", path]


def _wmt(rows: Rows, style: Style) -> list[str]:
    """WMT's JSON lines of documents and outputs."""
    files = {}
    for system, runs in rows.items():
        held = [
            {"doc_id": f"en-de_#_n_#_{one}", "src_text": "s", "refs": {"refA": {"ref": said}}}
            if system == "ref"
            else {"doc_id": f"en-de_#_n_#_{one}", "hypothesis": said}
            for one, said in runs[0]
        ]
        files[system] = _put(f"{system}.jsonl", "".join(json.dumps(one) + "\n" for one in held), style)
    return ["--ref", files.pop("ref"), *(f"{system}={path}" for system, path in files.items())]


def _text_frame(library: str) -> Callable[[Rows, Style], Any]:
    def write(rows: Rows, style: Style) -> Any:
        import pandas as pd
        import polars as pl

        records = _long_records(rows, style, "output")
        frame = pd.DataFrame(records) if library == "pandas" else pl.DataFrame(records, strict=False)
        return tg.compare(frame, metrics=["bleu"], resamples=19, jobs=1)

    return write


_table = Form(_tables("tsv"), runs=True, table=True)
_text = Form(_texts("lines"), of="texts", ids="none", runs=True)
#: By name; the first of each kind is the plain one.
FORMS: dict[str, Form] = {
    "lines of scores": Form(_score_lines, ids="none", runs=True),
    "arrays": Form(_arrays, ids="none", runs=True, plain=False, calls=True),
    "TSV": _table,
    "CSV": replace(_table, write=_tables("csv")),
    "CSV with semicolons": replace(_table, write=_tables("csv;")),
    "JSON lines": replace(_table, write=_tables("jsonl"), json=True),
    "a list in JSON": replace(_table, write=_tables("json"), json=True),
    "long TSV": replace(_table, write=_long("tsv")),
    "long CSV": replace(_table, write=_long("csv")),
    "long JSON lines": replace(_table, write=_long("jsonl"), json=True),
    "Parquet": Form(_parquet, runs=True, plain=False),
    "wide TSV": Form(_wide("tsv"), ids="one"),
    "wide CSV": Form(_wide("csv"), ids="one"),
    "wide JSON lines": Form(_wide("jsonl"), ids="one", json=True),
    "COMET's JSON": Form(_comet, json=True, table=True, plain_names=True),
    "mt-metrics-eval": Form(_seg_score, ids="none", plain_names=True),
    "LM Evaluation Harness": Form(_logs("harness"), ids="padded", json=True),
    "Inspect": Form(_logs("inspect"), ids="padded", json=True),
    "HELM": Form(_logs("helm"), ids="padded", json=True),
    "OpenAI's evals": Form(_logs("evals"), ids="padded", json=True),
    "promptfoo": Form(_promptfoo, ids="counted", json=True),
    "ratings": Form(_rated, ids="any"),
    "pandas, long": Form(_frame("pandas", long=True), runs=True, plain=False, calls=True),
    "polars, long": Form(_frame("polars", long=True), runs=True, plain=False, calls=True),
    "pandas, wide": Form(_frame("pandas", long=False), ids="one", plain=False, calls=True),
    "polars, wide": Form(_frame("polars", long=False), ids="one", plain=False, calls=True),
    "lines of text": _text,
    "TSV of texts": replace(_text, write=_texts("tsv"), ids="any", table=True),
    "CSV of texts": replace(_text, write=_texts("csv"), ids="any", table=True),
    "JSON lines of texts": replace(_text, write=_texts("jsonl"), ids="any", table=True, json=True),
    "trn": replace(_text, write=_texts("trn"), ids="padded"),
    "XML": replace(_text, write=_texts("xml"), ids="padded"),
    "SGML": replace(_text, write=_texts("sgml"), ids="padded"),
    "fairseq": replace(_text, write=_texts("fairseq"), ids="counted"),
    "n-best lists": Form(_nbest, of="texts", ids="in order"),
    "wide table of texts": Form(_wide_texts, of="texts", ids="one"),
    "long table of texts": Form(_long_texts, of="texts"),
    "WMT's JSON lines": Form(_wmt, of="texts", ids="padded", json=True),
    "pandas of texts": Form(_text_frame("pandas"), of="texts", plain=False, calls=True),
    "polars of texts": Form(_text_frame("polars"), of="texts", plain=False, calls=True),
}
