"""The arguments that name systems: FILE, NAME=GLOB, NAME=a,b, FILE.xml:NAME; one a line."""

from __future__ import annotations

from contextlib import chdir, suppress

from fuzz.held import file, folder
from truegain.errors import InputError
from truegain.readers.corpora import read_corpus
from truegain.readers.sources import parse_sources

WORDS = [b"=", b",", b"*", b"?", b"[a-z]", b"a.txt", b"b.txt", b"*.txt", b"x=", b"m.xml:s", b"-", b"\n", b"/", b".."]
LONGEST = 200
_TEXT = b"a b c\n"
_MARKUP = b'<dataset><doc id="d"><hyp system="s"><seg>a</seg></hyp><hyp system="t"><seg>b</seg></hyp></doc></dataset>'


def check(data: bytes) -> None:
    """Systems with files that are there; the working directory holds three texts and an XML file."""
    for name in ("a.txt", "b.txt", "a.1.txt"):
        file(name, _TEXT)
    file("m.xml", _MARKUP)
    arguments = data.decode("utf-8", "surrogateescape").split("\n")
    if any(argument.startswith("/") or "-" in argument or ".." in argument for argument in arguments):
        return  # other people's files, and standard input, which would wait
    with chdir(folder()), suppress(InputError):
        for source in parse_sources(arguments):
            if not source.name or not source.paths:
                raise AssertionError(f"{source} has no name or no file")
    with chdir(folder()), suppress(InputError):
        read_corpus(arguments, ["a.txt"])
