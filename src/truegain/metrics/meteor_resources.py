"""METEOR's own files: function words, synsets, paraphrases. They are found, never shipped and never fetched."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from truegain.cache import Cache, key_of
from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.text.packed_texts import PackedTexts
from truegain.text.paraphrases import PhraseTable
from truegain.text.synonyms import Synsets
from truegain.version import __version__

if TYPE_CHECKING:
    from zipfile import ZipFile

#: The environment variable that names METEOR's jar, or a folder with its files.
ENVIRONMENT = "TRUEGAIN_METEOR"
_SETTLED = 2e9  # nanoseconds after which another change of a file has another time


@dataclass(frozen=True)
class Resources:
    """A folder with METEOR's files, and the jar, if they are in one.

    Attributes
    ----------
    folder : path or None
        None if nothing was found.
    jar : path or None
    kept : Cache or None
        Where tables are kept as they were read.
    """

    folder: Path | None
    jar: Path | None
    kept: Cache | None = field(default=None, compare=False)

    def read(self, name: str) -> bytes | None:
        """Read a file by its name within the jar; None if it is not there."""
        path = self._place(name)
        if path is not None and path != self.jar:
            reads(path)
            try:
                return path.read_bytes()
            except OSError as error:
                raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from error
        with self._opened_jar() as archive:
            return None if archive is None or path is None else archive.read(name)

    def has(self, name: str) -> bool:
        """Return whether a file is there, by its name within the jar."""
        return self._place(name) is not None

    def _place(self, name: str) -> Path | None:
        """Return the file that holds one, by its name within the jar: itself, or the jar; None if it is not there."""
        if self.folder is not None and (path := self.folder / name).is_file():
            return path
        with self._opened_jar() as archive:
            return None if archive is None or name not in archive.namelist() else self.jar

    @contextmanager
    def _opened_jar(self) -> Iterator[ZipFile | None]:
        if self.jar is None:
            yield None
            return
        from zipfile import BadZipFile, ZipFile

        try:
            with ZipFile(self.jar) as archive:
                yield archive
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
        words = self.text(_function_file(language))
        return None if words is None else frozenset(words.split())

    def synsets(self, language: str) -> Synsets | None:
        """Return synsets and irregular forms; None if there are none."""
        return _synsets(self, language)

    def paraphrases(self, code: str) -> PhraseTable | None:
        """Return the table of paraphrases of a language; None if there is none."""
        path = self.paraphrase_file(code)
        return None if path is None else _phrase_table(path, _state(path), self.kept)

    def paraphrase_file(self, code: str) -> Path | None:
        """Find the table of paraphrases of a language; None if there is none."""
        if self.folder is None:
            return None
        names = (f"data/paraphrase-{code}.gz", f"paraphrase-{code}.gz", "paraphrase.gz")
        return next((path for name in names if (path := self.folder / name).is_file()), None)

    def digest(self, language: str, code: str, matchers: tuple[str, ...]) -> str:
        """Return a short hash of the files that are used; "none" if there are none."""
        kinds = ("synsets", "exceptions") if "synonym" in matchers else ()
        names = [_function_file(language), *(f"synonym/{language}.{kind}" for kind in kinds)]
        table = self.paraphrase_file(code) if "paraphrase" in matchers else None
        if table is None and not any(map(self.has, names)):
            return "none"
        of_table = b"" if table is None else _file_digest(table, _state(table), self.kept)
        if self.kept is None:
            return self._hash(language, names, of_table).hex()[:8]
        contents = self.contents(names)
        key = key_of("hash of METEOR's files", __version__, contents, of_table)
        found = _kept_hash(self.kept, key)
        if found is None:
            found = self._hash(language, names, of_table)
            if self.contents(names) == contents:
                self.kept.put(key, np.frombuffer(found, np.int64))
        return found.hex()[:8]

    def _hash(self, language: str, names: Sequence[str], of_table: bytes) -> bytes:
        words = self.function_words(language)
        whole = hashlib.sha256(b"" if words is None else "\n".join(sorted(words)).encode())
        for name in names[1:]:
            whole.update(self.read(name) or b"")
        whole.update(of_table)
        return whole.digest()

    def contents(self, names: Sequence[str]) -> str:
        """Return what changes with the contents of files, by their names within the jar."""
        places = [self._place(name) for name in names]
        hashes = [b"" if path is None else _file_digest(path, _state(path), self.kept) for path in places]
        return key_of(*(part for both in zip(names, hashes, strict=True) for part in both))


def _function_file(language: str) -> str:
    return "function.words" if language == "universal" else "function/english.words"


@cache
def _synsets(resources: Resources, language: str) -> Synsets | None:
    """Return the synsets of a language, from the cache or read."""
    names, kept = [f"synonym/{language}.{kind}" for kind in ("synsets", "exceptions")], resources.kept
    if not resources.has(names[0]):
        return None
    contents = "" if kept is None else resources.contents(names)
    keys = [key_of("synsets of METEOR", __version__, contents, part) for part in ("numbers", "bases")]
    if kept is not None:
        numbers, bases = (_kept_texts(kept, key) for key in keys)
        if numbers is not None and bases is not None:
            return Synsets(numbers, bases)
    synsets, exceptions = (resources.text(name) or "" for name in names)
    found = Synsets.read(synsets.split("\n"), exceptions.split("\n"))
    if kept is not None and resources.contents(names) == contents:
        for key, part in zip(keys, (found.numbers, found.bases), strict=True):
            kept.put(key, part.array)
    return found


def _kept_texts(kept: Cache, key: str) -> PackedTexts | None:
    found = kept.get(key)
    return None if found is None or found.dtype != np.int64 or found.ndim != 1 else PackedTexts.from_array(found)


def _kept_hash(kept: Cache, key: str) -> bytes | None:
    found = kept.get(key)
    return None if found is None or found.dtype != np.int64 or found.shape != (4,) else found.tobytes()


def _state(path: Path) -> tuple[int, ...]:
    """Return what changes with a file: its size and place, and the times of its last changes."""
    reads(path)
    found = path.stat()
    return found.st_size, found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns


@lru_cache
def _file_digest(path: Path, state: tuple[int, ...], kept: Cache | None) -> bytes:
    """Return the hash of a file; its state is an argument so that a changed file is hashed again."""
    key = key_of("hash of a file", str(path.absolute()), *map(str, state))
    if kept is not None and (known := _kept_hash(kept, key)) is not None:
        return known
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").digest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from error
    if kept is not None and max(state[-2:]) + _SETTLED < time.time_ns():
        kept.put(key, np.frombuffer(found, np.int64))
    return found


@lru_cache(maxsize=1)
def _phrase_table(path: Path, state: tuple[int, ...], kept: Cache | None) -> PhraseTable:
    """Return the table of a file in this state, from the cache or read."""
    of_this = "table of paraphrases", __version__, _file_digest(path, state, kept)  # other versions may hash otherwise
    keys = [key_of(*of_this, part) for part in ("firsts", "ends", "seconds")]
    if kept is not None and (known := _kept_table(kept, keys)) is not None:
        return known
    table = PhraseTable.read(path)
    if kept is not None and _state(path) == state:
        parts = table.firsts.view(np.int64), np.append(table.ends, table.longest), table.seconds.view(np.int64)
        for key, part in zip(keys, parts, strict=True):
            kept.put(key, part)
    return table


def _kept_table(kept: Cache, keys: list[str]) -> PhraseTable | None:
    """Return a table that is kept whole; None if it is not, or cannot be one."""
    parts = []
    for key in keys:
        part = kept.get(key)
        if part is None or part.dtype != np.int64 or part.ndim != 1:
            return None
        parts.append(part)
    firsts, ends_and_longest, seconds = parts
    if ends_and_longest.size != firsts.size + 1:
        return None
    ends, longest = ends_and_longest[:-1], int(ends_and_longest[-1])
    bounds = ends[:1] < 0, ends[1:] < ends[:-1], ends[-1:] > seconds.size
    if longest < 0 or any(wrong.any() for wrong in bounds):
        return None
    return PhraseTable(firsts.view(np.uint64), ends, seconds.view(np.uint64), longest)


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
