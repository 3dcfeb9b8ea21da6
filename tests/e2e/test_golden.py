"""What every study shows of the bundled sample, against the files in tests/golden: any change must be meant.

Where one is meant, renew the files with

    python -m pytest tests/e2e/test_golden*.py --renew-golden

and look at the difference in git before it is committed. The version stands as VERSION in them.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import truegain
from tests.e2e import test_golden_errors, test_golden_help, test_golden_init
from tests.e2e.golden import GOLDEN, hold, run, without_version
from tests.e2e.outline import outline

SAMPLE = Path(truegain.__file__).resolve().parent / "sample"
REFERENCES = "--ref ref.1.txt --ref ref.2.txt"
BOTH = "-m bleu -m chrf"
TWO = "baseline=baseline.*.txt better=better.*.txt"
RUNS = f"{TWO} similar=similar.*.txt"
STUDIES = {
    "compare": f"compare {REFERENCES} --docs docs.txt {BOTH} {RUNS} -R 1000",
    "compare-one-run": f"compare {REFERENCES} -m bleu baseline.1.txt better.1.txt -R 1000",
    "compare-all-pairs": f"compare {REFERENCES} --domains domains.txt -m ter --family all --adjust maxt --test ar "
    "--test t --interval bca -R 200 baseline.1.txt better.1.txt similar.1.txt",
    "compare-null-gain": f"compare {REFERENCES} --docs docs.txt --null-gain 0.5 --alternative greater -R auto "
    "baseline.1.txt better.1.txt",
    "compare-by": f"compare {REFERENCES} --domains domains.txt --by domain -R 200 baseline.1.txt better.1.txt",
    "score": f"score {REFERENCES} --docs docs.txt {BOTH} {RUNS} -R 1000",
    "rank": f"rank {REFERENCES} --docs docs.txt {BOTH} -R 200 baseline.1.txt better.1.txt similar.1.txt similar.2.txt",
    "rank-by": f"rank {REFERENCES} --domains domains.txt --by domain -R 200 baseline.1.txt better.1.txt similar.1.txt",
    "run": "run experiment.toml",
    "gate": f"gate {REFERENCES} --docs docs.txt {BOTH} -R 200 --require not-worse --margin 0.5 {TWO}",
    "gate-not-passed": f"gate {REFERENCES} -R 200 baseline.1.txt similar.1.txt",
    "inspect": f"inspect {REFERENCES} --docs docs.txt {BOTH} -n 2 --ngrams 3 baseline.1.txt better.1.txt",
    "threshold": f"threshold {REFERENCES} -R 100 --sizes 50,100 --group '^(base|be|si)' "
    "baseline.1.txt baseline.2.txt better.1.txt better.2.txt similar.1.txt similar.2.txt",
    "significance": "threshold --profile profile.json --gain 1,1.5 --segments 400 --similar",
    "domains": f"domains {REFERENCES} --domains domains.txt -R 100 --draws 20 --draw 40 --draw-resamples 50 "
    "baseline.1.txt better.1.txt similar.1.txt",
    "plan": f"plan {REFERENCES} --docs docs.txt --gain 0.5,1 --runs 2,5 {TWO}",
    "plan-assumed": "plan --sd 12 --correlation 0.8 --gain 0.5,1 --segments 1000,2000",
    "calibrate": f"calibrate {REFERENCES} --docs docs.txt --test ar --test bootstrap --gain 1 -n 20 -R 50 "
    "baseline.1.txt better.1.txt",
    "replicate": f"replicate {REFERENCES} --counts 1,2 -n 10 -R 50 {TWO}",
    "intervals": f"intervals {REFERENCES} -R 200 {RUNS}",
    "merge": "merge one.sums two.sums",
    "tune": "render tuned/tune.json",
    "agree": "agree --human people.seg.score --docs docs.txt -R 200 close.seg.score far.seg.score noise.seg.score",
    "compare-people": f"compare {REFERENCES} --docs docs.txt {BOTH} -R 200 --human-agreement people.json "
    "baseline.1.txt better.1.txt similar.1.txt",
    "agree-documents": "agree --human people.seg.score --docs docs.txt --test documents --measures spa,acc23 "
    "close.seg.score far.seg.score",
    "agree-sets": "agree --human people.seg.score --human others.seg.score -R 200 metrics metrics",
}
#: Commands that go before.
BEFORE = {
    "compare-people": [
        "agree --human people.seg.score --measures accuracy -R 200 bleu=close.seg.score -o people.json",
    ],
    "significance": [
        f"threshold {REFERENCES} -R 100 --group '([.])' baseline.1.txt baseline.2.txt better.1.txt better.2.txt "
        "similar.1.txt similar.2.txt -o profile.json"
    ],
    "tune": [
        "tune --ref ref.1.txt --nbest lists.txt -m bleu --runs 3 --restarts 1 --apply other=lists.txt -o tuned -q",
    ],
    "merge": [
        "stats --ref one/ref.1.txt one/baseline.1.txt one/better.1.txt -R 200 -o one.sums",
        "stats --ref two/ref.1.txt two/baseline.1.txt two/better.1.txt -R 200 --first 201 -o two.sums",
    ],
}
EXPERIMENT = """\
metrics = ["bleu", "chrf"]
resamples = 200

[systems]
baseline = "{testset}/baseline.*.txt"
better = "{testset}/better.*.txt"

[[testset]]
name = "one"
reference = ["one/ref.1.txt", "one/ref.2.txt"]
documents = "one/docs.txt"

[[testset]]
name = "two"
reference = "two/ref.1.txt"
"""
ENDINGS = ("txt", "md", "tex", "csv", "json", "html")
#: Besides, of one study: what differs from another format in little, or only some studies have.
OTHERS = {
    "compare.tsv": "-f tsv",
    "compare.paper.txt": "--layout paper",
    "compare.paper.tex": "--layout paper -f latex",
    "compare.multeval.txt": "--layout multeval",
    "compare.multeval.tex": "--layout multeval -f latex",
}
#: Of the page the structure.
FILES = [f"{name}.{'outline' if ending == 'html' else ending}" for name in STUDIES for ending in ENDINGS]


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, and the same in two shards; names of files are part of what is shown."""
    folder = tmp_path_factory.mktemp("golden") / "sample"
    shutil.copytree(SAMPLE, folder)
    for path in list(folder.glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for name, part in (("one", lines[:200]), ("two", lines[200:])):
            (folder / name).mkdir(exist_ok=True)
            (folder / name / path.name).write_text("".join(part), encoding="utf-8", newline="")
    domains = [line.partition("-")[0] for line in (folder / "docs.txt").read_text(encoding="utf-8").splitlines()]
    common = {"politics", "culture", "transport"}
    (folder / "domains.txt").write_text("".join(f"{one if one in common else 'other'}\n" for one in domains))
    (folder / "experiment.toml").write_text(EXPERIMENT)
    (folder / "lists.txt").write_text("".join(_hypotheses(folder)), encoding="utf-8")
    for name, noise in (("people", 0), ("close", 2), ("far", 7), ("noise", 40)):
        (folder / f"{name}.seg.score").write_text("".join(_ratings(len(domains), noise)))
    (folder / "others.seg.score").write_text("".join(_ratings(len(domains), 1)))
    (folder / "metrics").mkdir()
    for name in ("close", "far"):
        shutil.copy(folder / f"{name}.seg.score", folder / "metrics")
    return folder


def _ratings(segments: int, noise: int) -> Iterator[str]:
    """Scores of six systems and a reference, some segments without, and of a metric that is off by some noise."""
    for number, system in enumerate(("s1", "s2", "s3", "s4", "s5", "s6", "refA")):
        for place in range(segments):
            rating = number + (place * (7 + number) + number * number) % 9
            off = (place * place * (3 + number) + number * 5 + noise) % (noise + 1)
            yield f"{system}\t{None if noise == 0 and place % 10 == 3 else rating + off}\n"


def _hypotheses(folder: Path) -> Iterator[str]:
    """The outputs of all systems as hypotheses, with features that are worth something, and one that is not."""
    for system in ("baseline", "better", "similar"):
        for number in (1, 2):
            lines = (folder / f"{system}.{number}.txt").read_text(encoding="utf-8").splitlines()
            for place, line in enumerate(lines):
                features = f"tm= {len(system) + number} {(7 * place + number) % 5} words= {len(line.split())}"
                yield f"{place} ||| {line} ||| {features} ||| {number}\n"


@pytest.fixture(scope="session")
def shown() -> dict[str, str]:
    """What was shown so far, by the name of the file."""
    return {}


def typed(line: str, codes: tuple[int, ...] = (0,)) -> str:
    """A command as it is typed, and what it answers."""
    code, answer = run(shlex.split(line))
    assert code in codes, answer
    return f"$ truegain {line}\n{answer}" + (f"exit code {code}\n" if code else "")


def show(study: str) -> dict[str, str]:
    """Run a study once and show its result in every format."""
    said = [typed(line) for line in BEFORE.get(study, ())]
    said.append(typed(f"{STUDIES[study]} -o result.json", (0, 1)))
    found = {}
    for ending in ENDINGS:
        written = f"shown.{ending}"
        typed(f"render result.json -o {written}")
        found[ending] = Path(written).read_bytes().decode()
    found["txt"] = "".join(said) + "\n" + found["txt"]
    found["outline"] = outline(without_version(found.pop("html")))
    for file, options in OTHERS.items():
        if file.startswith(f"{study}."):
            found[file.removeprefix(f"{study}.")] = run(["render", "result.json", *options.split()])[1]
    return {f"{study}.{ending}": text for ending, text in found.items()}


@pytest.mark.parametrize("file", [*FILES, *OTHERS])
def test_studies(
    file: str, sample: Path, shown: dict[str, str], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if file not in shown:
        monkeypatch.chdir(sample)
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        shown.update(show(file.partition(".")[0]))
    hold(f"studies/{file}", shown[file], request.config.getoption("--renew-golden"))


def test_no_file_is_left_from_before() -> None:
    expected = [f"studies/{file}" for file in (*FILES, *OTHERS)]
    for module in (test_golden_errors, test_golden_help, test_golden_init):
        expected += module.FILES
    expected.append("api.txt")  # of tests/test_frozen.py
    found = [path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()]
    assert sorted(found) == sorted(expected)
