"""Logs of Inspect: an archive of samples (``.eval``), or one document in JSON."""

from __future__ import annotations

import io
import json
import math
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truegain.errors import InputError, Setting, excerpt
from truegain.file_roles import reads
from truegain.notes import Note
from truegain.readers.compression import decompressed
from truegain.readers.formats import File, Format, Layout
from truegain.readers.plain import SIZE_LIMIT, Lines, ending
from truegain.readers.repeats import averaged, say_samples
from truegain.readers.scores import ScoreTable
from truegain.readers.strict_json import parse_json
from truegain.readers.tabular import label_columns

__all__ = ["FORMAT"]

_ENDING = ".eval"
_ZSTD = 93  # a method of zip archives that Python knows from 3.14 on
_PIECE = 1 << 20
#: What Inspect's own mean takes these values for.
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_SHOWN = 3  # samples named in a note


def _text(file: File, layout: Layout) -> None:
    """Refuse a log that is given as a text."""
    if ending(file.path) == _ENDING:
        raise InputError(
            "this is a log of Inspect: it holds scores",
            path=file.path,
            hint=("compare the scores, without ", Setting("references"), ": ", Setting("metrics", ("scores",))),
        )


def _scores(file: File, id_column: str | None) -> list[ScoreTable] | None:
    """Read the scores of every scorer; epochs of a sample are averaged."""
    if ending(file.path) == _ENDING:
        head, samples = _from_archive(file.path)
        source = Lines(file.path, [])
    else:
        log = file.json
        if not isinstance(log, dict) or not {"eval", "samples"} <= log.keys():
            return None
        head, samples, source = log, log["samples"], file.lines
    if id_column not in (None, "id"):
        raise InputError(
            f"samples of a log are matched by 'id', not by {id_column!r}",
            path=source.name,
            hint="leave the column of ids out",
        )
    if not isinstance(samples, list) or not all(map(_is_sample, samples)):
        raise InputError("its samples are not as Inspect writes them: each has an id and scores", path=source.name)
    if not samples:
        raise InputError("there are no samples in it", path=source.name, hint="did the evaluation fail?")
    twice = [place for place, count in Counter(map(_place, samples)).items() if count > 1]
    if twice:
        raise InputError(
            f"{twice[0]} stands in it twice",
            path=source.name,
            hint="were logs joined? Give each as a run: NAME=LOG1,LOG2",
        )
    notes = (*source.notes, *_state(head, samples))
    columns, ids, counts, told = _columns(samples, source.name)
    table = ScoreTable(
        source.name, None, columns, (*notes, *told), ids, _questions(samples), "id", len(samples), counts
    )
    if counts != (1, 1):
        note = Note(
            "samples", f"{say_samples(len(ids), counts)} by the column 'id': averaged per item", file=source.name
        )
        table = replace(table, notes=(*table.notes, note))
    return [replace(table, labels=_labels(samples))]


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
                raise InputError("this archive is no log of Inspect, or has no finished sample", path=path)
            head = _member(stream, archive, members[headers[0]], path)
            samples = [_member(stream, archive, members[one], path) for one in summaries]
    except zipfile.BadZipFile as error:
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


def _member(stream: Any, archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: str) -> Any:
    """Return a document of the archive, whichever way it is compressed."""
    if info.file_size > SIZE_LIMIT:
        raise InputError(f"{info.filename} in it holds more than {SIZE_LIMIT:,} bytes", path=path)
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
        except (NotImplementedError, RuntimeError, zlib.error, EOFError) as error:
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


def _columns(
    samples: Sequence[Mapping[str, Any]], name: str
) -> tuple[dict[str, NDArray[np.float64]], tuple[str, ...], tuple[int, int], list[Note]]:
    """Return the mean of each scorer over the epochs of each item, the items, and the fewest and the most epochs.

    A score counts if its scorer gave one, as in Inspect's own means, even if the sample failed later.
    """
    values: dict[str, list[tuple[str, Any]]] = {}
    for sample in samples:
        for scorer, value in _values(sample).items():
            if not _is_missing(value):
                values.setdefault(scorer, []).append((str(sample["id"]), value))
    items = tuple(dict.fromkeys(str(sample["id"]) for sample in samples))
    columns: dict[str, NDArray[np.float64]] = {}
    notes, lacking = [], ""
    for scorer, given in values.items():
        numbers = [_number(value) for _, value in given]
        if any(number is None for number in numbers):
            notes.append(Note("no-numbers", f"{scorer} is not a number for each sample, and was passed over"))
            continue
        ids, means, _ = averaged([item for item, _ in given], {scorer: np.array(numbers, dtype=np.float64)})
        if missing := [item for item in items if item not in set(ids)]:
            lacking = f"{scorer} did not score {len(missing):,} of {len(items):,} items, such as {excerpt(missing[0])}"
            notes.append(Note("lacking-scores", f"{lacking}, and was passed over"))
            continue
        places = {item: place for place, item in enumerate(ids)}
        columns[scorer] = means[scorer][[places[item] for item in items]]
        if any(isinstance(value, str) for _, value in given):
            notes.append(Note("grades", f"{scorer}: C, yes and true count 1, P 0.5, I, N, no and false 0"))
    if not columns:
        raise InputError(
            lacking or "no scorer of this log gave every sample a number",
            path=name,
            hint="complete the log: inspect eval-retry FILE" if lacking else None,
        )
    epochs = Counter(str(sample["id"]) for sample in samples).values()
    return columns, items, (min(epochs), max(epochs)), notes


def _values(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Return what scorers gave a sample; a scorer with several values has a column for each, ``scorer.key``."""
    values: dict[str, Any] = {}
    for scorer, score in (sample.get("scores") or {}).items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            values |= {f"{scorer}.{key}": one for key, one in value.items()}
        else:
            values[scorer] = value
    return values


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _number(value: Any) -> float | None:
    """Return the number that Inspect's own mean takes a value for; None if it is none."""
    if isinstance(value, str):
        return _LETTERS.get(value, _WORDS.get(value.lower()))
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _labels(samples: Sequence[Mapping[str, Any]]) -> Mapping[str, tuple[str | None, ...]]:
    """Return what the metadata say of each item, ``metadata.key``, if all its epochs say the same."""
    own = [found if isinstance(found := one.get("metadata"), dict) else {} for one in samples]
    texts = {
        f"metadata.{key}": [_label(metadata.get(key)) for metadata in own]
        for key in dict.fromkeys(key for metadata in own for key in metadata)
    }
    return label_columns(texts, [str(one["id"]) for one in samples])


def _label(value: Any) -> str | None:
    return str(value) if isinstance(value, str | int | float) else None


def _place(sample: Mapping[str, Any]) -> str:
    return f"sample {sample['id']}, epoch {sample.get('epoch', 1)}"


def _questions(samples: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    return {
        str(one["id"]): {
            key: json.dumps(one[key], ensure_ascii=False, sort_keys=True)
            for key in ("input", "target")
            if one.get(key) is not None
        }
        for one in samples
    }


def _state(head: Mapping[str, Any], samples: Sequence[Any]) -> Iterator[Note]:
    """Say what the log says of itself: an end before its time, samples that failed, epochs that it does not average."""
    if head.get("status") not in (None, "success"):
        yield Note("log-status", f"the status of the log is {head['status']!r}: not all samples may be in it")
    failed = [_place(one) for one in samples if one.get("error")]
    if failed:
        more = f" and {len(failed) - _SHOWN:,} more" if len(failed) > _SHOWN else ""
        yield Note(
            "failed-samples",
            f"{len(failed):,} of {len(samples):,} samples failed, and count only where a scorer gave them a score: "
            f"{'; '.join(failed[:_SHOWN])}{more}",
        )
    made = head.get("eval")
    config = made.get("config") if isinstance(made, dict) else None
    reducers = config.get("epochs_reducer") if isinstance(config, dict) else None
    if reducers and reducers != ["mean"]:
        yield Note(
            "log-reducers",
            f"epochs of a sample are averaged here; the log reduces them by {', '.join(map(str, reducers))}",
        )


FORMAT = Format("a log of Inspect (.eval, or .json), with scores", text=_text, scores=_scores)
