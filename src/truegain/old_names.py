"""Names that 0.2 had and that are gone, each with what to do instead: kept for one release."""

from __future__ import annotations

_SUMS = "give the texts of all shards, one after the other, to truegain compare"
_SAMPLE = "truegain demo writes files to try truegain compare with, of systems whose quality is known"
_PARTS = "give truegain compare all of it: threads, a GPU or Dask do what parts did"

#: What to do, by the name of a command or of something in Python.
OLD_NAMES = {
    "stats": _SUMS,
    "Sums": _SUMS,
    "merge": f"for sums, {_SUMS}; for parts, {_PARTS}",
    "resample": _PARTS,
    "PartEngine": _PARTS,
    "StoredEngine": _PARTS,
    "write_part": _PARTS,
    "simulate": _SAMPLE,
    "SystemSpec": _SAMPLE,
    "cache": "truegain --version shows the cache's folder and size, and rm -r FOLDER empties it",
}
