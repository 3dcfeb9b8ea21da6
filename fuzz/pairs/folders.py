"""Pairs about folders of mt-metrics-eval: texts that ``init`` finds, and scores of metrics and people."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fuzz.choices import Choices
from fuzz.pairs.asked import Outcome, Pair, command
from fuzz.pairs.beside import draw_form, figures, home_of, put, silently

__all__ = ["WAYS"]

_SYSTEMS = ("GPT-4", "Llama-3.1", "ONLINE-B")
_BYTES: dict[str, Callable[[str], bytes]] = {
    "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "no last line end": lambda text: text.removesuffix("\n").encode(),
}


def _encoded(path: Path, way: str) -> None:
    """Write a file again, in other bytes."""
    text = path.read_text(encoding="utf-8")
    if way == "gz":
        path.unlink()
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(text.encode()))
    elif way in _BYTES:
        path.write_bytes(_BYTES[way](text))


def _texts(choices: Choices) -> Pair:
    """Lay texts out as mt-metrics-eval does: with files of other roles, language pairs and references beside them."""
    drawn = draw_form(choices, "lines of text")
    reference = [said for _, said in drawn.rows["ref"][0]]
    outputs = {
        system: [f"{said} w{number} {'the cat' * (number % 2)}" for said in reference[:: 1 if number else -1]]
        for number, system in enumerate(_SYSTEMS[: 2 + choices.below(2)])
    }
    documents = [f"news\td{place // 2}" for place in range(len(reference))]
    way = choices.one_of(
        ("alone", "a reference among the outputs", "scores beside", "another language pair", *_BYTES, "gz",
         "outputs exchanged", "an output is cut", "documents are cut")
    )  # fmt: skip
    home = home_of("mtme")
    last = list(outputs)[-1]

    def written() -> None:
        for one in home.glob("**/*"):
            if one.is_file():
                one.unlink()
        put(home / "references/en-de.refA.txt", reference)
        put(home / "sources/en-de.txt", [f"source {place}" for place in range(len(reference))])
        put(home / "documents/en-de.docs", documents)
        for system, own in outputs.items():
            put(home / f"system-outputs/en-de/{system}.txt", own)

    def named(held: Mapping[str, Sequence[str]], documents: bool = True) -> Outcome:
        written()
        for system, own in held.items():
            put(home / f"system-outputs/en-de/{system}.txt", own)
        given = [f"{system}={home}/system-outputs/en-de/{system}.txt" for system in held]
        where = ["--ref", f"{home}/references/en-de.refA.txt"]
        where += ["--docs", f"{home}/documents/en-de.docs"] if documents else []
        return figures(command("compare", "-m", "bleu", "-m", "chrf", *where, *given))

    def exchanged() -> dict[str, list[str]]:
        first = next(iter(outputs))
        return {**outputs, first: outputs[last], last: outputs[first]}

    def second() -> Outcome:
        written()
        if way == "a reference among the outputs":
            put(home / "system-outputs/en-de/refA.txt", reference)
        if way == "scores beside":
            scores = [f"{system}\t{place}" for system in outputs for place in range(len(reference))]
            put(home / "human-scores/en-de.mqm.seg.score", scores)
            put(home / "metric-scores/en-de/COMET-refA.seg.score", scores)
        if way == "another language pair":
            put(home / "references/zh-en.refA.txt", reference[:-1])
            for system, own in outputs.items():
                put(home / f"system-outputs/zh-en/{system}.txt", own[1:])
        if way == "outputs exchanged":
            for system, own in exchanged().items():
                put(home / f"system-outputs/en-de/{system}.txt", own)
        if way == "an output is cut":
            put(home / f"system-outputs/en-de/{last}.txt", outputs[last][1:])
        if way == "documents are cut":
            put(home / "documents/en-de.docs", documents[1:])
        for path in sorted(home.glob("**/*")):
            if path.is_file() and "de" in path.name:
                _encoded(path, way)
        try:
            silently("init", str(home), "-o", str(home / "e.toml"), "--force")
        except AssertionError as refused:
            return Outcome(None, message=str(refused))
        text = (home / "e.toml").read_text(encoding="utf-8")
        (home / "e.toml").write_text(f"resamples = 19\n{text}", encoding="utf-8")
        return figures(command("run", str(home / "e.toml")))

    def meant() -> Outcome:
        """Ask for what init takes of it: it says which files it leaves out."""
        if way == "outputs exchanged":
            return named(exchanged())
        if way == "an output is cut":
            return named({system: own for system, own in outputs.items() if system != last})
        return named(outputs, documents=False)

    same = way not in ("outputs exchanged", "an output is cut", "documents are cut")
    return Pair(
        "texts of mt-metrics-eval",
        lambda: named(outputs),
        second,
        same=same,
        meant=None if same else meant,
        about=f"{way}, {list(outputs)}",
    )


_SCORED_ALIKE = ("alone", "systems in another order", "systems in turn", "outputs left out", *_BYTES, "gz", "files")
_SCORED_OTHERWISE = (
    *("systems exchanged", "a segment less", "a system less", "scores of systems", "scores of systems exchanged"),
    *("a system twice", "another case", "not rated"),
)


def _scores(choices: Choices) -> Pair:
    """Hold a folder of metrics against people: rows of systems in other orders, files of systems beside them."""
    count = 6 + choices.below(5)
    metrics = ("BLEU-refA", "COMET")
    scores = {
        name: {system: [choices.below(64) + place / 16 for place in range(count)] for system in (*_SYSTEMS, "x.1")}
        for name in ("people", *metrics)
    }
    way = choices.one_of((*_SCORED_ALIKE, *_SCORED_OTHERWISE))
    home = home_of("mtme")
    turned = {"GPT-4": "ONLINE-B", "ONLINE-B": "GPT-4"}

    def rows(held: Mapping[str, Sequence[object]]) -> list[str]:
        return [f"{system}\t{one}" for system, own in held.items() for one in own]

    def totals(held: Mapping[str, Sequence[float]]) -> list[str]:
        return [f"{system}\t{max(own)}" for system, own in held.items()]

    def write(name: str, lines: Sequence[str]) -> None:
        put(home / (f"{name}.seg.score" if name == "people" else f"metric-scores/{name}.seg.score"), lines)

    def ask(files: bool = False) -> Outcome:
        people = next(home.glob("people.seg.score*"))
        folder = home / "metric-scores"
        given = [f"{name}={folder / name}.seg.score" for name in metrics] if files else [str(folder)]
        measures = ("--measures", "accuracy,pearson,kendall")
        return command("agree", "-R", "19", "--human", str(people), *measures, *given)

    def written() -> None:
        for one in home.glob("**/*"):
            if one.is_file():
                one.unlink()
        for name, held in scores.items():
            write(name, rows(held))

    def plain() -> Outcome:
        written()
        if way.startswith("scores of systems"):
            put(home / "metric-scores/COMET.sys.score", totals(scores["COMET"]))
        return ask()

    def other() -> Outcome:
        """Ask for what was meant, in the plain way."""
        written()
        own = scores["COMET"]
        if way == "systems exchanged":
            write("COMET", rows({system: own[turned.get(system, system)] for system in own}))
        if way == "scores of systems exchanged":
            held = {system: own[turned.get(system, system)] for system in own}
            put(home / "metric-scores/COMET.sys.score", totals(held))
        return ask()

    def second() -> Outcome:
        written()
        own = scores["COMET"]
        if way == "systems in another order":
            write("COMET", rows({system: own[system] for system in choices.order(list(own))}))
        if way == "systems in turn":
            write("COMET", [f"{system}\t{own[system][place]}" for place in range(count) for system in own])
        if way == "outputs left out":
            write("COMET", rows({**own, "OTHER": own["x.1"]}))
        if way == "systems exchanged":
            write("COMET", rows({turned.get(system, system): one for system, one in reversed(own.items())}))
        if way == "a segment less":
            write("COMET", rows({system: one[1:] for system, one in own.items()}))
        if way == "a system less":
            write("COMET", rows(dict(list(own.items())[1:])))
        if way == "scores of systems exchanged":
            held = {turned.get(system, system): one for system, one in reversed(own.items())}
            put(home / "metric-scores/COMET.sys.score", totals(held))
        if way == "a system twice":
            write("COMET", [*rows(own), *rows({"GPT-4": own["ONLINE-B"]})])
        if way == "another case":
            write("COMET", rows({system.replace("GPT", "gpt"): one for system, one in own.items()}))
        if way == "not rated":
            write("people", rows({system: [None, *one[1:]] for system, one in scores["people"].items()}))
        for path in sorted(home.glob("**/*")):
            if path.is_file():
                _encoded(path, way)
        return ask(files=way == "files")

    same = way in _SCORED_ALIKE
    meant = {"systems exchanged": other, "scores of systems exchanged": other, "scores of systems": other}
    return Pair(
        "scores of mt-metrics-eval",
        plain,
        second,
        same=same,
        meant=meant.get(way),
        said=frozenset({"not-rated", "systems"}),
        passed_over=frozenset(
            {"rows", "fingerprint"} | ({"file", "files", "segments"} if way == "not rated" else set())
        ),
        about=f"{way}, {count} segments",
    )


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {
    "texts of mt-metrics-eval": _texts,
    "scores of mt-metrics-eval": _scores,
}
