"""Logs of Inspect: an archive of samples (``.eval``), or one document in JSON."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from lzma import LZMAError
from pathlib import Path
from typing import Any

from truegain.errors import InputError
from truegain.file_roles import reads
from truegain.notes import Note
from truegain.readers.compression import decompressed
from truegain.readers.formats import File
from truegain.readers.logs import Sample, log_format, log_table, plain_number
from truegain.readers.plain import SIZE_LIMIT, ending
from truegain.readers.score_values import LETTERS
from truegain.readers.scores import ScoreTable
from truegain.readers.strict_json import parse_json

_ENDING = ".eval"
_ZSTD = 93  # a method of zip archives that Python knows from 3.14 on
_PIECE = 1 << 20
#: What Inspect's own mean takes these values for, beside its letters.
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def _recognise(file: File) -> bool:
    return ending(file.path) == _ENDING or (isinstance(file.json, dict) and {"eval", "samples"} <= file.json.keys())


def _read(file: File) -> list[ScoreTable]:
    """Read the scores of every scorer."""
    if ending(file.path) == _ENDING:
        head, samples = _from_archive(file.path)
    else:
        head, samples = file.json, file.json["samples"]
    if not isinstance(samples, list) or not all(map(_is_sample, samples)):
        raise InputError("its samples are not as Inspect writes them: each has an id and scores", path=file.name)
    table = log_table(
        list(map(_sample, samples)),
        file,
        "id",
        model=_model(head),
        number=_number,
        retry="complete the log: inspect eval-retry FILE",
        notes=_state(head),
    )
    graded = {
        key for one in samples for key, value in _values(one).items() if isinstance(value, str) and key in table.columns
    }
    told = [
        Note("grades", f"{scorer}: C, yes and true count 1, P 0.5, I, N, no and false 0") for scorer in sorted(graded)
    ]
    return [replace(table, notes=(*table.notes, *told))]


def _is_sample(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("id"), str | int) and isinstance(one.get("scores") or {}, dict)


def _from_archive(path: str) -> tuple[Mapping[str, Any], list[Any]]:
    """Return the header and the summaries of the samples; the samples themselves, with all messages, are not read."""
    reads(path)
    try:
        with Path(path).open("rb") as stream, zipfile.ZipFile(stream) as archive:
            members = {one.filename: one for one in archive.infolist()}
            parts = sorted((one for one in members if one.startswith("_journal/summaries/")), key=lambda n: (len(n), n))
            summaries = ["summaries.json"] if "summaries.json" in members else parts
            headers = [one for one in ("header.json", "_journal/start.json") if one in members]
            if not summaries or not headers:
                raise InputError("this archive is not a log of Inspect, or has no finished sample", path=path)
            _check_size([members[one] for one in (headers[0], *summaries)], path)
            head = _member(stream, archive, members[headers[0]], path)
            samples = [_member(stream, archive, members[one], path) for one in summaries]
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
        raise InputError(
            f"not a whole archive ({error})", path=path, hint="is the evaluation still running? Wait for its end"
        ) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    if not isinstance(head, dict) or not all(isinstance(one, list) for one in samples):
        raise InputError("its header or its summaries are not as Inspect writes them", path=path)
    return head, [sample for part in samples for sample in part]


def _check_size(members: Sequence[zipfile.ZipInfo], path: str) -> None:
    """Refuse more than one file may hold; what the archive says of sizes is held to when documents are read."""
    if sum(one.file_size for one in members) > SIZE_LIMIT:
        raise InputError(
            f"it holds more than {SIZE_LIMIT:,} bytes when it is decompressed",
            path=path,
            hint="is this the right file?",
        )


def _member(stream: Any, archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Any:
    """Return a document of the archive, whichever way it is compressed."""
    if info.compress_type == _ZSTD:
        stream.seek(info.header_offset + 26)
        sizes = stream.read(4)  # of the name and of what is extra, before the data
        stream.seek(int.from_bytes(sizes[:2], "little") + int.from_bytes(sizes[2:], "little"), io.SEEK_CUR)
        packed = io.BytesIO(stream.read(info.compress_size))
        data = _bounded(decompressed(packed, ".zst", path, _PIECE), info, path)
    else:
        try:
            with archive.open(info) as member:
                data = _bounded(iter(lambda: member.read(_PIECE), b""), info, path)
        except (NotImplementedError, RuntimeError, ValueError, zlib.error, LZMAError, EOFError) as error:
            raise InputError(f"{info.filename} in it cannot be read: {error}", path=path) from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{info.filename} in it is not UTF-8", path=path) from error
    return parse_json(text, path)


def _bounded(pieces: Iterator[bytes], info: zipfile.ZipInfo, path: str) -> bytes:
    """Return the bytes of a document, which must be as many as the archive says and fit its checksum."""
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > info.file_size:
            break
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise InputError(f"{info.filename} in it is damaged", path=path, hint="copy the log again")
    return bytes(data)


def _sample(one: Mapping[str, Any]) -> Sample:
    metadata = one.get("metadata")
    return Sample(
        str(one["id"]),
        f"sample {one['id']}, epoch {one.get('epoch', 1)}",
        _values(one),
        {f"metadata.{key}": value for key, value in (metadata if isinstance(metadata, dict) else {}).items()},
        {key: one[key] for key in ("input", "target") if one.get(key) is not None},
        bool(one.get("error")),
    )


def _values(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return what scorers gave a sample; a scorer with several values has a column for each, ``scorer.key``."""
    values: dict[str, Any] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        several = {f"{scorer}.{key}": one for key, one in value.items()} if isinstance(value, dict) else {scorer: value}
        values |= {key: None if one != one else one for key, one in several.items()}  # NaN if it did not score
    return values


def _number(value: Any) -> float | None:
    """Return the number that Inspect's own mean takes a value for; None if it is none."""
    return LETTERS.get(value, _WORDS.get(value.lower())) if isinstance(value, str) else plain_number(value)


def _model(head: Mapping[str, Any]) -> str | None:
    made = head.get("eval")
    model = made.get("model") if isinstance(made, dict) else None
    return model if isinstance(model, str) and model else None


def _state(head: Mapping[str, Any]) -> Iterator[Note]:
    """Say what the log says of itself: an end before its time, epochs that it does not average."""
    if head.get("status") not in (None, "success"):
        yield Note("log-status", f"the status of the log is {head['status']!r}: not all samples may be in it")
    made = head.get("eval")
    config = made.get("config") if isinstance(made, dict) else None
    reducers = config.get("epochs_reducer") if isinstance(config, dict) else None
    if reducers and reducers != ["mean"]:
        yield Note(
            "log-reducers",
            f"epochs of a sample are averaged here; the log reduces them by {', '.join(map(str, reducers))}",
        )


FORMAT = log_format("a log of Inspect", _recognise, _read, "id")
