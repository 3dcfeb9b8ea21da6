"""The recipes of docs/batch.md run as they stand there, with batch systems that do everything at once."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "batch.md").read_text(encoding="utf-8")
BLOCKS: dict[str, str] = dict(re.findall(r"\*\*`?([^*`]+)`?\*\*\n\n```bash\n(.*?)```", PAGE, re.DOTALL))
PARTS = 3  # where the page has seven: each is a process
SEVEN = {"study.sh": "PARTS=7", "parts.sbatch": "--array=1-7", "parts.sge": "-t 1-7"}

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the recipes are for bash")

TRUEGAIN = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m truegain "$@"\n'

# Each runs what it is given, an array in an order of its own, and prints the number of the job.
SBATCH = f"""#!{sys.executable}
import os, re, subprocess, sys
*options, script = sys.argv[1:]
text = open(script).read()
for one in options:
    if one.startswith("--dependency"):
        assert one == "--dependency=afterok:1234", one
        assert os.path.exists("array is done")
array = re.search("#SBATCH --array=1-([0-9]+)", text)
for i in reversed(range(1, int(array[1]) + 1)) if array else [0]:
    more = {{"SLURM_ARRAY_TASK_ID": str(i), "SLURM_CPUS_PER_TASK": "1"}} if array else {{}}
    subprocess.run(["bash", script], env={{**os.environ, **more}}, check=True, stdout=sys.stderr)
if array:
    open("array is done", "w").close()
print("1234" if "--parsable" in options else "Submitted batch job 1234")
"""

QSUB = f"""#!{sys.executable}
import os, re, subprocess, sys
*options, script = sys.argv[1:]
text = open(script).read()
array = re.search("#\\\\$ -t 1-([0-9]+)", text)
if not array:
    assert options[options.index("-hold_jid") + 1] == "77", options
for i in range(1, int(array[1]) + 1) if array else [0]:
    more = {{"SGE_TASK_ID": str(i)}} if array else {{}}
    subprocess.run(["bash", script], env={{**os.environ, **more}}, check=True, stdout=sys.stderr)
print("77.1-7:1" if "-terse" in options else "Your job 77 has been submitted")
"""

PARALLEL = f"""#!{sys.executable}
import subprocess, sys
assert sys.argv[1] == "-q"
place = sys.argv.index(":::")
for value in sys.argv[place + 1:]:
    subprocess.run([one.replace("{{}}", value) for one in sys.argv[2:place]], check=True)
"""


def fewer(name: str) -> str:
    if name not in SEVEN:
        assert "7" not in BLOCKS[name]
        return BLOCKS[name]
    assert BLOCKS[name].count(SEVEN[name]) == 1
    return BLOCKS[name].replace(SEVEN[name], SEVEN[name].replace("7", str(PARTS)))


@pytest.mark.whole
@pytest.mark.parametrize("recipe", ["Submit both", "Submit to Grid Engine", "A loop", "GNU parallel"])
def test_recipes(folder: Path, recipe: str) -> None:
    tools = folder / "bin"
    tools.mkdir()
    for name, text in {"truegain": TRUEGAIN, "sbatch": SBATCH, "qsub": QSUB, "parallel": PARALLEL}.items():
        (tools / name).write_text(text)
        (tools / name).chmod(stat.S_IRWXU)
    for name in ("study.sh", "parts.sbatch", "merge.sbatch", "parts.sge"):
        (folder / name).write_text(fewer(name))
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}

    def bash(script: str) -> None:
        done = subprocess.run(["bash", "-euc", script], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    bash(BLOCKS[recipe])
    assert sorted(path.name for path in (folder / "parts").iterdir()) == [f"{i}.part" for i in range(1, PARTS + 1)]
    bash('. ./study.sh; truegain "${STUDY[@]}" -j 1 -o alone.json')
    assert (folder / "result.json").read_bytes() == (folder / "alone.json").read_bytes()
