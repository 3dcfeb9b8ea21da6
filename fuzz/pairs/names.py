"""Pairs about names of systems and files, runs, and references."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence

from fuzz.choices import Choices
from fuzz.held import file, folder
from fuzz.pairs.asked import Asked, Outcome, Pair, command
from fuzz.pairs.beside import draw_form, figures, file_of, home_of, put, silently

__all__ = ["WAYS"]

#: Files that are given as systems, their names, and whether they look like runs of one.
_FILES: list[tuple[tuple[str, ...], tuple[str, ...], bool]] = [
    (("GPT-3.5.txt", "GPT-4.0.txt"), ("GPT-3.5", "GPT-4.0"), False),
    (("GPT-3.5.txt", "GPT-3.txt"), ("GPT-3.5", "GPT-3"), False),
    (("Llama-3.1.txt", "Llama-3.2.txt"), ("Llama-3.1", "Llama-3.2"), False),
    (("Qwen2.5-7B.txt", "Qwen2.5-72B.txt"), ("Qwen2.5-7B", "Qwen2.5-72B"), False),
    (("DeepSeek-R1.txt", "DeepSeek-V3.txt"), ("DeepSeek-R1", "DeepSeek-V3"), False),
    (("x.seed1.txt", "x.seed2.txt"), ("seed1", "seed2"), True),
    (("x_r03.txt", "x_r04.txt"), ("x_r03", "x_r04"), True),
    (("x.00.txt", "x.01.txt"), ("00", "01"), True),
    (("x.run2.txt", "x.run1.txt"), ("run2", "run1"), True),
    (("x.1.txt", "x.2.txt"), ("1", "2"), True),
    (("bk29.09.txt", "bk29.10.txt"), ("09", "10"), True),
    (("base/out.txt", "new/out.txt"), ("base", "new"), False),
    (("seed1/x.txt", "seed2/x.txt"), ("seed1", "seed2"), True),
    (("wmt.base.de", "wmt.new.de"), ("base", "new"), False),
    (("a.txt", "A.b.txt"), ("a", "A.b"), False),
    (("base.txt.gz", "new.txt"), ("base", "new"), False),
    (("é.txt", "e.txt"), ("é", "e"), False),
]


def _named_files(choices: Choices) -> Pair:
    """Give files as they are, and by name: the same systems, and a warning where names are those of runs."""
    drawn = draw_form(choices, "lines of scores")
    files, names, runs = choices.one_of(_FILES)
    values = [[value for _, value in runs[0]] for runs in list(drawn.rows.values())[:2]]
    home = home_of("names")

    def written() -> list[str]:
        import gzip

        for name, own in zip(files, values, strict=True):
            (home / name).parent.mkdir(exist_ok=True)
            text = "".join(f"{one}\n" for one in own).encode()
            (home / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        return [str(home / name) for name in files]

    def plain() -> Outcome:
        given = [f"{name}={path}" for name, path in zip(names, written(), strict=True)]
        return command("compare", "-m", "scores", *given)

    def second() -> Outcome:
        return command("compare", "-m", "scores", *written())

    said = frozenset({"runs-as-systems"} if runs else ())
    return Pair(
        "names of files", plain, second, same=not runs, meant=plain if runs else None, said=said, about=f"{files}"
    )


#: Files in a folder, beside a reference, and the runs that they are of each system.
_FOLDERS: list[dict[str, tuple[str, ...]]] = [
    {"x": ("x.seed1.txt", "x.seed2.txt"), "y": ("y.seed1.txt", "y.seed2.txt")},
    {"x": ("x.00.txt", "x.01.txt"), "y": ("y.00.txt", "y.01.txt")},
    {"x": ("x_r01.txt", "x_r02.txt"), "y": ("y_r01.txt", "y_r02.txt")},
    {"GPT-3.5": ("GPT-3.5.txt",), "GPT-4.0": ("GPT-4.0.txt",)},
    {"Llama-3.1": ("Llama-3.1.txt",), "Llama-3.2": ("Llama-3.2.txt",)},
    {"a": ("a.txt",), "b": ("b.txt",)},
    {"x": ("x.1.txt", "x.2.txt"), "y": ("y.1.txt", "y.2.txt")},
]


def _found_runs(choices: Choices) -> Pair:
    """Let ``init`` find the systems of a folder, and run what it wrote; and name their runs."""
    runs_of = choices.one_of(_FOLDERS)
    drawn = draw_form(choices, "lines of text")
    texts = [[said for _, said in own] for runs in list(drawn.rows.values())[1:] for own in runs]
    home = home_of("found")
    paths = [name for files in runs_of.values() for name in files]
    # No two runs are the same text, which would be left out.
    texts = [[f"{said} w{number}" for said in texts[number % len(texts)]] for number in range(len(paths))]

    def written() -> None:
        for name, own in [("ref.txt", [said for _, said in drawn.rows["ref"][0]]), *zip(paths, texts, strict=True)]:
            (home / name).write_text("".join(f"{one}\n" for one in own), encoding="utf-8")

    def named() -> Outcome:
        written()
        given = [f"{system}={','.join(str(home / name) for name in files)}" for system, files in runs_of.items()]
        metrics = [one for metric in ("bleu", "chrf") for one in ("-m", metric)]
        return figures(command("compare", *metrics, "--ref", str(home / "ref.txt"), *given))

    def found() -> Outcome:
        written()
        silently("init", str(home), "-o", str(home / "e.toml"), "--force")
        text = (home / "e.toml").read_text(encoding="utf-8")
        (home / "e.toml").write_text(f"resamples = 19\n{text}", encoding="utf-8")
        return figures(command("run", str(home / "e.toml")))

    return Pair("systems of a folder", named, found, same=True, about=f"{runs_of}")


def _runs_beside_scores(choices: Choices) -> Pair:
    """Give runs and their scores by patterns: numbers padded with zeros, or not, sort otherwise."""
    drawn = draw_form(choices, "lines of text")
    home = home_of("runs")
    count = choices.one_of((2, 3, 11))
    padded = choices.one_of(("neither", "scores", "texts"))
    (reference, *_), (base, *_) = drawn.rows["ref"], drawn.rows[drawn.systems()[0]]

    def written() -> None:
        put(home / "ref.txt", [said for _, said in reference])
        put(home / "base.txt", [said for _, said in base])
        put(home / "base.sc", [float(i) for i in range(len(base))])
        for run in range(1, count + 1):
            text, scores = (f"{run:02d}" if padded == what else str(run) for what in ("texts", "scores"))
            put(home / f"new.{text}.txt", [f"{said} w{run} {'the cat ' * (run % 4)}" for _, said in base])
            put(home / f"new.{scores}.sc", [float(run * 100 + i) for i in range(len(base))])

    def ask(texts: str, scores: str) -> Outcome:
        written()
        return command(
            "score", "--ref", str(home / "ref.txt"), f"base={home / 'base.txt'}", f"new={texts}", "-m", "bleu", "-m",
            "scores", "--scores", f"base={home / 'base.sc'}", "--scores", f"new={scores}",
        )  # fmt: skip

    def listed(what: str, ending: str) -> str:
        order = sorted(range(1, count + 1), key=str) if padded != "texts" else range(1, count + 1)
        numbers = (f"{run:02d}" if padded == what else str(run) for run in order)
        return ",".join(str(home / f"new.{number}.{ending}") for number in numbers)

    return Pair(
        "runs and their scores",
        lambda: ask(listed("texts", "txt"), listed("scores", "sc")),
        lambda: ask(str(home / "new.*.txt"), str(home / "new.*.sc")),
        same=True,
        may_refuse=padded != "neither",
        about=f"{count} runs, padded: {padded}",
    )


def _runs_mixed_up(choices: Choices) -> Pair:
    """Give the scores, or the development outputs, of runs in another order than the runs."""
    drawn = draw_form(choices, "lines of text")
    base = drawn.rows[drawn.systems()[0]][0]
    home = home_of("mixed")
    way = choices.one_of(("scores", "development"))
    order = choices.one_of(((2, 1, 3), (3, 1, 2), (1, 3, 2)))

    def ask(order: Sequence[int]) -> Outcome:
        put(home / "ref.txt", [said for _, said in drawn.rows["ref"][0]])
        for name, run in itertools.product(("base", "new"), (1, 2, 3)):
            put(home / f"{name}.{run}.txt", [f"{said} w{run} {name}" for _, said in base])
            put(home / f"{name}.{run}.sc", [run * 10 + i + len(name) for i in range(len(base))])
        texts = [f"{name}={','.join(str(home / f'{name}.{run}.txt') for run in (1, 2, 3))}" for name in ("base", "new")]
        ending = "sc" if way == "scores" else "txt"
        others = [
            f"{name}={','.join(str(home / f'{name}.{run}.{ending}') for run in runs)}"
            for name, runs in (("base", (1, 2, 3)), ("new", order))
        ]
        given = ["--ref", str(home / "ref.txt"), *texts]
        if way == "scores":
            scores = [one for own in others for one in ("--scores", own)]
            return command("compare", *given, "-m", "bleu", "-m", "scores", *scores)
        development = [one for own in others for one in ("--dev", own)]
        return command("compare", *given, "--dev-ref", str(home / "ref.txt"), *development)

    return Pair(
        "runs in another order than what is theirs",
        lambda: ask((1, 2, 3)),
        lambda: ask(order),
        same=False,
        about=f"{way}, {order}",
    )


def _scores_by_system(choices: Choices) -> Pair:
    """Attach the scores of a file of all systems to their texts; systems in another order, named by file or name."""
    drawn = draw_form(choices, "lines of text")
    texts = {system: runs[0] for system, runs in drawn.rows.items() if system != "ref"}
    scores = {system: [choices.below(64) for _ in drawn.ids] for system in texts}
    way = choices.one_of(("names", "files", "another order", "exchanged"))
    order = list(texts) if way in ("names", "files") else choices.order(list(texts))
    owners = dict(zip(texts, [*list(texts)[1:], next(iter(texts))], strict=True)) if way == "exchanged" else {}

    def given() -> list[str]:
        reference = file_of("ref.txt", [said for _, said in drawn.rows["ref"][0]])
        files = [f"{name}={file_of(f'{name}.txt', [said for _, said in own])}" for name, own in texts.items()]
        return ["--ref", reference, *files, "-m", "scores"]

    def plain(of: Callable[[str], str]) -> Asked:
        def ask() -> Outcome:
            files = [f"{name}={file_of(f'{name}.sc', scores[of(name)])}" for name in texts]
            return command("compare", *given(), *(one for own in files for one in ("--scores", own)))

        return ask

    def second() -> Outcome:
        path = folder() if way == "files" else None
        held = {
            str(path / f"{name}.txt") if path else name: [{"score": one} for one in scores[owners.get(name, name)]]
            for name in order
        }
        return command("compare", *given(), "--scores", file("comet.json", json.dumps(held)))

    return Pair(
        "scores of systems beside texts",
        plain(lambda name: name),
        second,
        same=way != "exchanged",
        meant=plain(lambda name: owners[name]) if way == "exchanged" else None,
        about=f"{way}, {order}",
    )


def _references(choices: Choices) -> Pair:
    """Give references in another order; or one twice, or as a system."""
    drawn = draw_form(choices, "lines of text")
    way = choices.one_of(
        ("another order", "per line", "the same file twice", "a copy", "a system", "a copy as a system")
    )
    others = [[f"{said} {word}" for _, said in drawn.rows["ref"][0]] for word in ("x", "the", "cat sat")]

    def files() -> list[str]:
        return [file_of(f"reference-{number}.txt", own) for number, own in enumerate(others)]

    def systems() -> list[str]:
        return [
            f"{name}={file_of(f'{name}.txt', [said for _, said in drawn.rows[name][0]])}" for name in drawn.systems()
        ]

    def ask(references: Sequence[str], more: Sequence[str] = ()) -> Outcome:
        given = [one for path in references for one in ("--ref", path)]
        return command("compare", "-m", "bleu", "-m", "chrf", *given, *systems(), *more)

    def second() -> Outcome:
        paths = files()
        if way == "another order":
            return ask([*paths[1:], paths[0]])
        if way == "per line":
            return ask([file_of("r.tsv", ["\t".join(own) for own in zip(*others, strict=True)])], ("--num-refs", "3"))
        if way == "the same file twice":
            return ask([*paths, paths[0]])
        if way == "a copy":
            return ask([*paths, file_of("copy.txt", others[0])])
        return ask(paths, [f"zzz={paths[1]}" if way == "a system" else f"zzz={file_of('copy.txt', others[1])}"])

    return Pair(
        "references",
        lambda: ask(files()),
        second,
        same=way in ("another order", "per line"),
        said=frozenset({"reference-twice", "reference-as-system"}),
        passed_over=frozenset({"references", "fingerprint", "files", "baseline_statistics", "system_statistics"}),
        about=way,
    )


#: By kind: from choices to a pair.
WAYS: dict[str, Callable[[Choices], Pair]] = {
    "names of files": _named_files,
    "systems of a folder": _found_runs,
    "runs and their scores": _runs_beside_scores,
    "runs in another order than what is theirs": _runs_mixed_up,
    "scores of systems beside texts": _scores_by_system,
    "references": _references,
}
