"""Phrase-structure trees in the brackets of the Penn Treebank."""

from __future__ import annotations

import re
from dataclasses import dataclass

from truegain.errors import InputError
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import Lines

_TOKEN = re.compile(r"[()]|[^\s()]+")


@dataclass(frozen=True)
class Tree:
    """The words of a tree with their tags, and its brackets: label, first word, and the word after the last."""

    words: list[str]
    tags: list[str]
    brackets: list[tuple[str, int, int]]


def _read(file: File, layout: Layout) -> Lines:
    """Read trees, each over any number of lines, and write each on one line."""
    source = file.lines
    trees: list[str] = []
    tokens: list[str] = []
    depth = began = 0
    for number, line in enumerate(source.lines, 1):
        for token in _TOKEN.findall(line):
            if depth == 0 and token != "(":
                found = (
                    "a bracket is closed that was not opened" if token == ")" else f"{token!r} stands outside of a tree"
                )
                raise InputError(
                    found, path=source.name, line=number, hint="trees are written (S (NP (NNS trees)) (VP (VBP grow)))"
                )
            if depth == 0:
                began = number
            depth += (token == "(") - (token == ")")
            tokens.append(token)
            if depth == 0:
                trees.append(" ".join(tokens).replace("( ", "(").replace(" )", ")"))
                parse_tree(trees[-1], path=source.name, line=began)
                tokens.clear()
    if tokens:
        raise InputError(
            f"the tree that begins here is not closed: {depth} ) missing",
            path=source.name,
            line=began,
            hint="is the file whole? Brackets that are words are written -LRB- and -RRB-",
        )
    if not trees:
        raise InputError("there are no trees in it", path=source.name, hint="is this the right file?")
    return Lines(source.name, trees, source.notes, structure="brackets")


def parse_tree(text: str, *, path: str | None = None, line: int | None = None) -> Tree:
    """Parse one tree; nothing at all, and brackets without words, are a tree without words: a parse that failed.

    Raises
    ------
    InputError
        If it is not a tree, with the path and the line.
    """
    words: list[str] = []
    tags: list[str] = []
    brackets: list[tuple[str, int, int]] = []
    opened: list[int] = []  # brackets that are not closed yet, by their place
    tokens = _TOKEN.findall(text)
    closed = False
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if closed or not (token == "(" or opened):
            raise InputError(
                f"{token!r} stands outside of the tree",
                path=path,
                line=line,
                hint="one tree per line: (S (NP (NNS trees)) (VP (VBP grow)))",
            )
        if token == ")":
            label, start, _ = brackets[opened[-1]]
            brackets[opened.pop()] = (label, start, len(words))
            closed = not opened
            place += 1
            continue
        if token != "(":
            label = brackets[opened[-1]][0]
            raise InputError(
                f"the word {token!r} stands beside other things in a bracket {label}",
                path=path,
                line=line,
                hint="each word stands alone with its tag: (NN word)",
            )
        following = tokens[place + 1 : place + 4]
        named = following[:1] not in ([], ["("], [")"])
        if named and len(following) == 3 and following[1] not in "()" and following[2] == ")":
            tags.append(following[0])
            words.append(following[1])
            closed = not opened
            place += 4
            continue
        opened.append(len(brackets))
        brackets.append((following[0] if named else "", len(words), -1))
        place += 1 + named
    if opened:
        raise InputError(
            f"the tree is not closed: {len(opened)} ) missing",
            path=path,
            line=line,
            hint="one tree per line; trees over several lines are read from FILE.mrg",
        )
    return Tree(words, tags, brackets)


FORMAT = Format("phrase-structure trees in the brackets of the Penn Treebank", text=_read, metrics=("parseval",))
