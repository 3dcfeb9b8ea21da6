"""Contents of a folder: test sets with references, sources and documents, and the outputs of systems on them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from truegain.errors import InputError
from truegain.readers.any_format import Files, read_text
from truegain.readers.documents import read_documents
from truegain.readers.file_names import FileName, file_name, is_reference, names_of, speaks_of_reference
from truegain.readers.formats import holds_several, named
from truegain.readers.found_sets import FoundSet, with_common_systems
from truegain.readers.name_pieces import natural
from truegain.readers.plain import Lines, read_lines
from truegain.readers.sources import is_file

__all__ = ["FoundFolder", "FoundSet", "look_through", "unusable"]

_DEPTH, _MOST = 5, 20_000


@dataclass(frozen=True)
class FoundFolder:
    """Files of a folder by their roles, and those left out.

    Attributes
    ----------
    testsets : tuple of FoundSet
        All with the same systems and runs.
    development : FoundSet, optional
    left_out : tuple of (str, str)
        Paths, and why.
    doubts : tuple of tuple of str
        Systems whose names differ by a last number: they may be runs of one.
    """

    folder: str
    testsets: tuple[FoundSet, ...]
    development: FoundSet | None
    left_out: tuple[tuple[str, str], ...]
    doubts: tuple[tuple[str, ...], ...] = ()


@dataclass
class _Set:
    """A test set that is being put together."""

    name: str
    root: PurePath
    words: tuple[str, ...]
    references: list[PurePath]
    segments: int
    source: PurePath | None = None
    documents: PurePath | None = None
    outputs: list[PurePath] = field(default_factory=list)
    inside: Mapping[str, str] = field(default_factory=dict)


def look_through(folder: str) -> FoundFolder:
    """Recognise references, sources, documents and outputs by the names that people give them, and by their lengths.

    Raises
    ------
    InputError
        If there is no reference or no system, or if names can be taken in two ways: with what to do about it.
    """
    return _Search(folder).found()


class _Search:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.left_out: dict[PurePath, str] = {}
        self.doubts: list[tuple[str, ...]] = []
        self.several = Files()
        self.files = self._listed()
        self._known = set(self.files)
        self._counts: dict[PurePath, int | str] = {}

    def found(self) -> FoundFolder:
        roles = {path: self._role(path) for path in self.files}
        self.left_out |= {path: role.said_by for path, role in roles.items() if role.kind == "other"}
        sets = self._sets(roles)
        self._references_among_outputs(roles)
        for kind in ("source", "documents", "outputs"):
            for path in [path for path, role in roles.items() if role.kind == kind and path not in self.left_out]:
                self._assign(path, kind, sets)
        made = [self._made(one) for one in sets]
        with_outputs = [one for one in made if one.systems]
        for one in made:
            if not one.systems:
                other = next((two.name for two in with_outputs if one.name.startswith(f"{two.name}.")), None)
                same = f"another reference of {other}; add it to reference there to score against both"
                self._drop(one.references, "there are no outputs beside it" if other is None else same)
        if not with_outputs:
            raise InputError(
                f"there are references ({', '.join(one.name for one in made)}), and no outputs of systems with as many "
                "segments",
                path=self.folder,
                hint="put them beside the reference, or into a folder systems/ there: NAME.txt, or NAME.RUN.txt",
            )
        testsets, development, dropped = with_common_systems(with_outputs, self.folder)
        for file, why in dropped:
            self._drop([file], why)
        left = tuple((str(path), why) for path, why in sorted(self.left_out.items()))
        alone = {name for name, runs in testsets[0].systems.items() if len(runs) == 1}
        doubts = tuple(names for names in self.doubts if alone.issuperset(names))
        return FoundFolder(self.folder, tuple(testsets), development, left, doubts)

    def _listed(self) -> list[PurePath]:
        root = Path(self.folder)
        if not is_file(self.folder) or not root.is_dir():
            raise InputError("there is no such folder", path=self.folder, hint="truegain init FOLDER")
        found: list[PurePath] = []
        for place, folders, files in os.walk(root, onerror=_unreadable, followlinks=True):
            own = PurePath(os.path.relpath(place, root))
            for one in (*folders, *files):
                why = unusable(one)
                if why is not None and not one.startswith("."):
                    self.left_out[own / one] = why
            folders[:] = sorted(one for one in folders if _seen(one) and len(own.parts) < _DEPTH)
            found += [own / one for one in files if _seen(one) and (root / own / one).is_file()]
            if len(found) > _MOST:
                raise InputError(
                    f"there are more than {_MOST:,} files", path=self.folder, hint="name a folder with one experiment"
                )
        return sorted(found)

    def _role(self, path: PurePath) -> FileName:
        """Tell by the name, or by what a file of several texts says itself."""
        named = file_name(path)
        if not holds_several(path.name):
            twins = (path.with_name(f"{path.name}{ending}") for ending in (".sgm", ".sgml"))
            twin = next((one for one in twins if one in self._known), None)
            return named if twin is None else FileName("other", f"the same as {twin.name}, which has documents")
        try:
            texts = self._texts(path)
        except InputError as error:
            return FileName("other", error.message)
        if "reference" in texts:
            prefix = named.prefix if named.kind == "reference" else path.stem
            return FileName("reference", "what it says itself", prefix, named.rest)
        kind = "outputs" if "system" in texts else "source"
        return named._replace(kind=kind, said_by="what it says itself")  # type: ignore[arg-type]

    def _sets(self, roles: Mapping[PurePath, FileName]) -> list[_Set]:
        groups: dict[tuple[PurePath, str], list[PurePath]] = {}
        for path, one in roles.items():
            if one.kind == "reference":
                parent = path.parent
                root = parent.parent if parent.name.lower() in ("references", "reference", "refs", "ref") else parent
                groups.setdefault((root, one.prefix), []).append(path)
        if not groups:
            raise InputError(
                "there is no reference: no file with ref, reference or gold in its name, and no folder references/",
                path=self.folder,
                hint="rename it, for example to ref.txt; or write the file by hand: docs/experiments.md",
            )
        sets: list[_Set] = []
        for (root, prefix), paths in groups.items():
            rests = {re.sub(r"(^|[.\-_])[0-9a-d]?(?=$|[.\-_])", "", roles[path].rest) for path in paths}
            if len(rests) > 1:
                raise InputError(
                    f"these may be references of one test set or of several: {', '.join(map(str, paths))}",
                    path=self.folder,
                    hint="name references of one set alike but for a number, ref.0.de and ref.1.de, or remove some",
                )
            name = _printable(prefix or (Path(self.folder).resolve() / root).resolve().name)
            counts = {path: self._count(path) for path in paths}
            lengths = {count for count in counts.values() if isinstance(count, int)}
            wrong = [f"{path}: {count}" for path, count in counts.items() if isinstance(count, str)]
            if wrong:
                raise InputError(f"a reference cannot be read: {wrong[0]}", path=self.folder)
            if len(lengths) > 1:
                told = ", ".join(f"{path} {count}" for path, count in counts.items())
                raise InputError(f"references of {name!r} have different lengths: {told}", path=self.folder)
            words = tuple(re.findall(r"[a-z0-9]+", prefix.lower()))
            sets.append(_Set(name, root, words, sorted(paths), lengths.pop(), inside=self._inside(paths)))
        self._check_names(sets)
        return sets

    def _check_names(self, sets: Sequence[_Set]) -> None:
        names = [one.name for one in sets]
        for name in names:
            if names.count(name) > 1:
                both = [str(path) for one in sets if one.name == name for path in one.references]
                raise InputError(
                    f"{name!r} has references in two places: {', '.join(both)}",
                    path=self.folder,
                    hint="name the folder that holds one of them: truegain init FOLDER/SUBFOLDER",
                )

    def _references_among_outputs(self, roles: Mapping[PurePath, FileName]) -> None:
        """Leave out references that lie among the outputs: mt-metrics-eval has them there, too."""
        references = [path for path, role in roles.items() if role.kind == "reference"]
        for path in [path for path, role in roles.items() if role.kind == "outputs"]:
            if holds_several(path.name) or not speaks_of_reference(path.name):
                continue
            twin = next((one for one in references if not holds_several(one.name) and self._same(one, path)), None)
            if twin is not None:
                self.left_out[path] = f"a reference, not a system: the same lines as {twin}"
            elif is_reference(path.name):
                self.left_out[path] = "a reference by its name; to score it as a system, write it among the systems"

    def _same(self, one: PurePath, other: PurePath) -> bool:
        if self._count(one) != self._count(other) or isinstance(self._count(one), str):
            return False
        texts = [read_text(self._path(path)).lines for path in (one, other)]
        return texts[0] == texts[1]

    def _inside(self, paths: Sequence[PurePath]) -> dict[str, str]:
        """Return the systems that a file of several texts holds with its references."""
        texts = self._texts(paths[0]) if len(paths) == 1 else {}
        return {name: f"{self._path(paths[0])}:{name}" for name in texts.get("system", {})}

    def _texts(self, path: PurePath) -> Mapping[str, Mapping[str, Lines]]:
        """Return the texts of a file by role and name; none if it does not name them."""
        several = self.several(self._path(path))
        return {} if several is None else several.texts

    def _assign(self, path: PurePath, kind: str, sets: Sequence[_Set]) -> None:
        """Give a file to the test set that its place, its name and its length speak for."""
        near = [one for one in sets if one.root in (path.parent, *path.parents)]
        if kind == "documents" and not near:
            near = [one for one in sets if path.parent in one.root.parents]
        if not near:
            self.left_out[path] = "there is no reference beside it"
            return
        count = self._count(path)
        if isinstance(count, str):
            self.left_out[path] = count
            return
        plain = re.sub(r"[^a-z0-9]", "", str(path).lower())
        by_name = [one for one in near if one.words and all(word in plain for word in one.words)]
        if by_name:
            # zh-en/DeepL.txt holds the words of en-de, too.
            by_name = [one for one in by_name if one.name in str(path)] or by_name
            most = max(len("".join(one.words)) for one in by_name)
            near = [one for one in by_name if len("".join(one.words)) == most]
        deepest = max(len(one.root.parts) for one in near)
        near = [one for one in near if len(one.root.parts) == deepest]
        allowed = (0, 1) if kind == "documents" else (0,)  # a table may have a header
        # A parser may have cut the text into other sentences: reading brings it onto those of the reference.
        free = any(form.other_segments for form in named(path.name))
        fitting = [one for one in near if free or count - one.segments in allowed]
        if not fitting:
            told = " or ".join(f"{one.name} has {one.segments:,}" for one in near[:3])
            self.left_out[path] = f"{count:,} segments where {told}"
        elif len(fitting) > 1:
            names = ", ".join(one.name for one in fitting)
            raise InputError(
                f"{path} may belong to any of {names}",
                path=self.folder,
                hint="give every test set a folder of its own, or its name to the file",
            )
        elif kind == "outputs":
            fitting[0].outputs.append(path)
        elif kind == "documents" and (wrong := self._unreadable(path, fitting[0].segments)) is not None:
            self.left_out[path] = wrong
        elif getattr(fitting[0], kind) is not None:
            raise InputError(
                f"{fitting[0].name!r} has two files of {kind}: {getattr(fitting[0], kind)} and {path}",
                path=self.folder,
                hint="leave one of them out of the folder",
            )
        else:
            setattr(fitting[0], kind, path)

    def _unreadable(self, path: PurePath, segments: int) -> str | None:
        """Return why documents cannot be read from a file, or None."""
        try:
            read_documents(self._path(path), segments)
        except InputError as error:
            return error.message
        return None

    def _count(self, path: PurePath) -> int | str:
        """Return the number of segments in a file, or why it has none."""
        if path not in self._counts:
            try:
                self._counts[path] = self._segments(path)
            except InputError as error:
                self._counts[path] = error.message
        return self._counts[path]

    def _segments(self, path: PurePath) -> int:
        given = self._path(path)
        if file_name(path).kind == "documents":
            return len(read_lines(given).lines)
        if texts := self._texts(path):
            return len(next(iter(next(iter(texts.values())).values())).lines)
        return len(read_text(self.several.take(given)).lines)

    def _made(self, one: _Set) -> FoundSet:
        beside = [path for path in one.outputs if file_name(path).said_by.startswith("the folder")]
        if beside and len(beside) < len(one.outputs):
            for path in one.outputs:
                if path not in beside:
                    self.left_out[path] = f"outputs of {one.name} are in {beside[0].parent}"
            one.outputs = beside
        systems: dict[str, dict[str, str]] = {name: {"": path} for name, path in one.inside.items()}
        if one.outputs:
            names, doubts = names_of(one.outputs)
            self.doubts += [names for names in doubts if names not in self.doubts]
            for path in one.outputs:
                name, run = names[path]
                name = re.sub(r"[=,\s]+", "-", name)
                if run in systems.setdefault(name, {}):
                    raise InputError(
                        f"{name!r} has two files on {one.name}: {systems[name][run]} and {self._path(path)}",
                        path=self.folder,
                        hint="give them different names, NAME.RUN.txt, or leave one out of the folder",
                    )
                systems[name][run] = self._path(path)
        return FoundSet(
            name=one.name,
            segments=one.segments,
            references=tuple(self._path(path) for path in one.references),
            source=None if one.source is None else self._path(one.source),
            documents=None if one.documents is None else self._path(one.documents),
            systems={
                name: dict(sorted(systems[name].items(), key=lambda one: natural(one[0])))
                for name in sorted(systems, key=natural)
            },
        )

    def _drop(self, paths: Iterable[str], why: str) -> None:
        for path in paths:
            self.left_out[PurePath(os.path.relpath(path, self.folder))] = why

    def _path(self, path: PurePath) -> str:
        return str(PurePath(self.folder) / path)


def unusable(path: str) -> str | None:
    """Return why an experiment file cannot name a file, or None if it can."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    if not path.isprintable():
        return "there are control characters in its name"
    # There stands the name of each test set in an experiment file.
    return "{testset} is part of its name" if "{testset}" in path else None


def _seen(name: str) -> bool:
    return not name.startswith(".") and unusable(name) is None


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in text)


def _unreadable(error: OSError) -> None:
    raise InputError(f"cannot be read: {error.strerror}", path=str(error.filename)) from error
