"""METEOR's own files: function words, synsets, paraphrases. They are found, never shipped and never fetched."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.text.synonyms import Synsets

__all__ = ["ENVIRONMENT", "Resources", "find_resources"]

#: The environment variable that names METEOR's jar, or a folder with its files.
ENVIRONMENT = "TRUEGAIN_METEOR"


@dataclass(frozen=True)
class Resources:
    """A folder with METEOR's files, and the jar, if they are in one.

    Attributes
    ----------
    folder : path or None
        None if nothing was found.
    jar : path or None
    """

    folder: Path | None
    jar: Path | None

    def read(self, name: str) -> bytes | None:
        """Read a file by its name within the jar; None if it is not there."""
        if self.folder is not None and (path := self.folder / name).is_file():
            reads(path)
            try:
                return path.read_bytes()
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from error
        if self.jar is None:
            return None
        from zipfile import BadZipFile, ZipFile

        try:
            with ZipFile(self.jar) as archive:
                return archive.read(name)
        except KeyError:
            return None
        except (OSError, BadZipFile) as error:
            raise InputError(f"cannot be read as METEOR's jar: {error}", path=str(self.jar)) from error

    def text(self, name: str) -> str | None:
        """Read a file as text."""
        data = self.read(name)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError as error:
            where = self.jar if self.jar is not None else self.folder
            raise InputError(
                f"{name} is not UTF-8", path=str(where), hint="is this the folder, or the jar, of METEOR 1.5?"
            ) from error

    def function_words(self, language: str) -> frozenset[str] | None:
        """Return function words; None if there is no list.

        METEOR 1.5 takes the English list whatever the language, unless the files are of a new language.
        """
        name = "function.words" if language == "universal" else "function/english.words"
        words = self.text(name)
        return None if words is None else frozenset(words.split())

    def synsets(self, language: str) -> Synsets | None:
        """Return synsets and irregular forms; None if there are none."""
        return _synsets(self, language)

    def paraphrases(self, code: str) -> Path | None:
        """Return the table of paraphrases of a language; None if there is none."""
        if self.folder is None:
            return None
        names = (f"data/paraphrase-{code}.gz", f"paraphrase-{code}.gz", "paraphrase.gz")
        return next((path for name in names if (path := self.folder / name).is_file()), None)

    def digest(self, language: str, code: str, matchers: tuple[str, ...]) -> str:
        """Return a short hash of the files that are used; "none" if there are none."""
        whole = hashlib.sha256()
        kinds = ("synsets", "exceptions") if "synonym" in matchers else ()
        some = False
        if (words := self.function_words(language)) is not None:
            whole.update("\n".join(sorted(words)).encode())
            some = True
        for kind in kinds:
            if (data := self.read(f"synonym/{language}.{kind}")) is not None:
                whole.update(data)
                some = True
        if "paraphrase" in matchers and (table := self.paraphrases(code)) is not None:
            state = table.stat()
            whole.update(_file_digest(table, state.st_size, state.st_mtime_ns))
            some = True
        return whole.hexdigest()[:8] if some else "none"


@cache
def _synsets(resources: Resources, language: str) -> Synsets | None:
    synsets = resources.text(f"synonym/{language}.synsets")
    if synsets is None:
        return None
    exceptions = resources.text(f"synonym/{language}.exceptions") or ""
    return Synsets(synsets.split("\n"), exceptions.split("\n"))


@cache
def _file_digest(path: Path, size: int, changed: int) -> bytes:
    """Return the hash of a file; its size and time are arguments so that a changed file is hashed again."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()


def find_resources(path: str | None) -> Resources:
    """Find METEOR's files: as a setting or the environment says, else in an installed package that carries them."""
    named = path or os.environ.get(ENVIRONMENT)
    if named:
        place = Path(named).expanduser()
        reads(place)
        if not place.exists():
            source = "meteor:resources" if path else ENVIRONMENT
            raise InputError(
                f"{source} names a place that does not exist: {named}",
                hint="name meteor-1.5.jar, or the folder it is in",
            )
        if place.is_file():
            return Resources(place.parent, place)
        return Resources(place, next(iter(sorted(place.glob("meteor-*.jar"))), None))
    from importlib.util import find_spec

    spec = find_spec("pycocoevalcap")
    for home in (spec.submodule_search_locations if spec is not None else None) or ():
        folder = Path(home) / "meteor"
        if jars := sorted(folder.glob("meteor-*.jar")):
            return Resources(folder, jars[0])
    return Resources(None, None)
