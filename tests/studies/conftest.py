"""What tests of studies share: real test sets whose segments are of several domains."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import truegain as tg
from tests.conftest import only_with_all
from truegain.corpus import Corpus


@pytest.fixture(params=["wmt23", *only_with_all("conll18")])
def divided(request: pytest.FixtureRequest, shared_data: Path, tmp_path: Path) -> tuple[Corpus, str]:
    """Two systems on a real test set with domains, and a metric for them."""
    if request.param == "wmt23":  # the file of documents has domains in its first column
        folder = shared_data / "wmt23_mtme"
        systems = [str(folder / "system-outputs/en-de" / f"{name}.txt.gz") for name in ("AIRC", "Lan-BridgeMT")]
        documents = str(folder / "documents/en-de.docs.gz")
        return tg.read_corpus(systems, [str(folder / "references/en-de.refA.txt.gz")], documents=documents), "chrf"
    folder = shared_data / "conll18_en_ewt"  # the genre is the first part of a sentence's id
    with gzip.open(folder / "gold.conllu.gz", "rt") as stream:
        ids = [line.partition("= ")[2] for line in stream if line.startswith("# sent_id")]
    genres = tmp_path / "genres.txt"
    genres.write_text("".join(f"{one.partition('-')[0]}\n" for one in ids))
    systems = [str(one) for one in sorted((folder / "systems").iterdir())[:2]]
    return tg.read_corpus(systems, [str(folder / "gold.conllu.gz")], domains=str(genres)), "las"
