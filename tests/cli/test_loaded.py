"""Modules that commands load: their start-up time depends on them, on any machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

#: Libraries and parts that a comparison of text files does not need, in any format that is plain text.
NOT_NEEDED = (
    *("importlib.resources", "secrets", "tempfile", "tomllib", "zipfile", "statistics"),
    *("truegain.readers.training_samples", "truegain.scorers.definition", "truegain.engines.pairs"),
    *("truegain.readers.documents", "truegain.readers.two_columns", "truegain.procedures.replicas"),
    *("truegain.inference.replicas", "truegain.inference.training_samples"),
    *("numpy.ma", "scipy", "sacrebleu", "matplotlib", "jinja2", "pandas", "polars", "torch", "multiprocessing"),
    *("truegain.report.html", "truegain.report.figures", "truegain.report.latex", "truegain.report.progress"),
    *("truegain.tuning", "truegain.agreement", "truegain.kernels.edits"),
    *("truegain.readers.xml", "truegain.readers.treebank", "truegain.scorers.program", "truegain.metrics.meteor"),
)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("line", "besides"),
    [
        ("--help", ("numpy", "rich", "truegain.studies", "truegain.corpus")),
        ("--version", ("numpy", "rich", "truegain.studies", "truegain.corpus")),
        (
            "compare --ref ref.txt base.txt new.txt",
            (
                *("rich.console", "rich.text", "concurrent.futures", "logging", "shutil", "threadpoolctl"),
                *("truegain.readers.tabular", "truegain.readers.scores", "truegain.inference.classical"),
            ),
        ),
        ("compare --ref ref.txt base.txt new.txt -f json", ("rich",)),
        (
            "compare --ref ref.txt base.txt new.txt --test bootstrap",
            (
                *("threadpoolctl", "truegain.procedures.randomization", "truegain.experiment.pooled"),
                "truegain.report.page",
            ),
        ),
        ("compare -m scores base.scores new.scores -f json", ("rich", "truegain.kernels.ngrams")),
        ("gate --ref ref.txt base.txt new.txt -f json", ("rich", "truegain.studies.compare")),
        ("score --ref ref.txt base.txt -f json", ("rich", "truegain.studies.compare")),
    ],
)
def test_a_command_loads_what_it_needs(folder: Path, line: str, besides: tuple[str, ...]) -> None:
    script = (
        "import sys, json\n"
        "from truegain.cli.start import main\n"
        "try:\n    main()\n"
        "finally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *line.split(), *(["-j", "1", "-R", "50"] if "--ref" in line else [])],
        cwd=folder,
        env={**os.environ, "TRUEGAIN_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
    )
    loaded = json.loads(done.stderr.splitlines()[-1])
    assert done.stdout
    wrong = [one for one in loaded for name in (*NOT_NEEDED, *besides) if one == name or one.startswith(f"{name}.")]
    assert wrong == []
