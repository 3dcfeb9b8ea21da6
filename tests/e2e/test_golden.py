"""Every study on the bundled sample: its numbers and figures, and of the ten main ones also its words.

Numbers and words stand in tests/golden. Where a change is meant, renew the files with

    python -m pytest tests/e2e/test_golden*.py --renew-golden

and look at the difference in git before it is committed. The version stands as VERSION in them. Numbers that are given
up on purpose are named in tests/golden/dropped.txt.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import truegain
from benchmarks.numbers import kinds_of, rows_of
from tests.e2e import test_golden_errors, test_golden_help, test_golden_init
from tests.e2e.golden import GOLDEN, hold, run, without_version
from tests.e2e.outline import outline
from tests.schema import VALIDATOR
from truegain.report.figures.style import rendered
from truegain.results import load

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
    "compare-people": ["agree --human people.seg.score --measures accuracy -R 200 bleu=close.seg.score -o people.json"],
    "significance": [
        f"threshold {REFERENCES} -R 100 --group '([.])' baseline.1.txt baseline.2.txt better.1.txt better.2.txt "
        "similar.1.txt similar.2.txt -o profile.json"
    ],
    "tune": [
        "tune --ref ref.1.txt --nbest lists.txt -m bleu --runs 3 --restarts 1 --apply other=lists.txt -o tuned -q"
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
#: Further ones, of which the numbers are held alone: other units, tests, metrics and kinds of data.
SETTINGS = {
    "score-metrics": f"score {REFERENCES} -R 100 -m nist -m chrf:word_order=2 -m ter -m wer -m per -m cer -m length "
    "-m rouge1 -m rouge2 -m rougel -m unigram -m exact -m squad_f1 baseline.1.txt better.1.txt",
    "score-two-values": "score -m scores:range=0..1 right.csv",
    "compare-ar-runs": f"compare {REFERENCES} -m bleu --test ar --test bootstrap --interval bca -R 200 {TWO}",
    "compare-blocks": f"compare {REFERENCES} -m bleu --unit block -R 200 baseline.1.txt better.1.txt similar.1.txt",
    "compare-classical": f"compare {REFERENCES} -m ter -m chrf --test t --test wilcoxon --test sign "
    "baseline.1.txt better.1.txt",
    "compare-domains": f"compare {REFERENCES} --docs docs.txt --domains domains.txt -R 200 baseline.1.txt better.1.txt",
    "compare-exact": "compare -m scores right.csv --test exact --test ar -R 200",
    "compare-prompts": "compare -m scores ratings.csv --rater-column prompt -R 200",
    "compare-published": f"compare {REFERENCES} -m bleu --test koehn2004 --test riezler2005-ar "
    "--test riezler2005-bootstrap --test bergkirkpatrick2012 --test sacrebleu-bs --test sacrebleu-ar --test moses-bs "
    "-R 200 baseline.1.txt better.1.txt",
    "compare-range": "compare -m scores:range=0..12 ratings.csv --rater-column prompt --test bootstrap -R 200",
    "compare-runs-tests": f"compare {REFERENCES} -m bleu --test crossed --test welch --test run-permutation "
    f"--test clark2011 --test fu-bootstrap --test fu-ar --test multeval-ar -R 200 {TWO}",
    "compare-samples": "compare -m scores answers.csv",
    "compare-sequential": f"compare {REFERENCES} -m bleu --family all --test ar -R auto baseline.1.txt better.1.txt "
    "similar.1.txt",
    "compare-two-values": "compare -m scores right.csv --test auto --test ar --test mcnemar -R 200",
    "gate-margin": f"gate {REFERENCES} -m chrf --require not-worse --margin 0.5 baseline.1.txt similar.1.txt",
    "gate-runs": f"gate {REFERENCES} -m ter --require not-worse --margin 1 {TWO}",
    "gate-two-values": "gate -m scores two.csv --baseline base --require not-worse --margin 0.1",
    "rank-maxt": f"rank {REFERENCES} -m ter --test bootstrap --adjust maxt -R 200 baseline.1.txt better.1.txt "
    "similar.1.txt similar.2.txt",
    "rank-two-values": "rank -m scores right.csv",
}
#: Of which the words are held too: one screen, one Markdown, one LaTeX, one table, one page, by its structure.
IN_WORDS = ("compare", "score", "rank", "gate", "inspect", "threshold", "plan", "calibrate", "replicate", "agree")
ENDINGS = ("txt", "md", "tex", "csv", "html")
#: Besides, of one study: what only some studies have.
OTHERS = {"compare.paper.tex": "--layout paper -f latex", "compare.multeval.tex": "--layout multeval -f latex"}
WORDS = [*(f"{name}.{'page' if ending == 'html' else ending}" for name in IN_WORDS for ending in ENDINGS), *OTHERS]
#: Segments are not listed unless they are asked for.
NUMBERS = {
    name: line.replace("compare ", "compare --changed-segments 10 ", 1) for name, line in (STUDIES | SETTINGS).items()
}
FURTHER = ("spa", "system-pearson", "acc23", "kendall", "pearson")
#: Figures, by the name of a study; others have none.
FIGURES = {
    "compare": ["forest"],
    "compare-by": ["forest", "groups"],
    "score": ["scores"],
    "rank": ["heatmap", "heatmap-chrf"],
    "rank-by": ["heatmap"],
    "run": ["forest"],
    "threshold": ["confidence", "sizes"],
    "domains": ["agreement", "confidence"],
    "plan": ["power"],
    "plan-assumed": ["power"],
    "calibrate": ["quantiles"],
    "replicate": ["runs"],
    "intervals": ["intervals"],
    "agree": ["agreement", *(f"agreement-{one}" for one in FURTHER), "scatter"],
    "agree-sets": ["agreement", *(f"agreement-{one}" for one in FURTHER), "scatter"],
    "agree-documents": ["agreement", "agreement-acc23", "scatter"],
} | {name: ["forest"] for name in ("compare-one-run", "compare-all-pairs", "compare-null-gain", "compare-people")}
DROPPED = (GOLDEN / "dropped.txt").read_text(encoding="utf-8").split()


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
    (folder / "right.csv").write_text("".join(_answers(samples=1)))
    (folder / "two.csv").write_text("".join(row for row in _answers(samples=1) if not row.startswith("other")))
    (folder / "answers.csv").write_text("".join(_answers(samples=3)))
    (folder / "ratings.csv").write_text("".join(_prompts()))
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


def _answers(samples: int) -> Iterator[str]:
    """Right and wrong answers of three systems to 80 questions, as a long table, each question asked so many times."""
    yield "system,item,sample,score\n" if samples > 1 else "system,item,score\n"
    for number, system in enumerate(("base", "new", "other")):
        for item in range(80):
            for sample in range(samples):
                right = (item * (3 + 5 * item) + 11 * number * (item % 3) + 7 * sample) % 23 > 11 - 3 * number
                yield ",".join([system, f"q{item}", *([f"{sample}"] if samples > 1 else []), f"{int(right)}"]) + "\n"


def _prompts() -> Iterator[str]:
    """Scores of two systems on 40 questions under five wordings of a prompt."""
    yield "system,prompt,question_id,score\n"
    for number, system in enumerate(("base", "new")):
        for prompt in range(5):
            for item in range(40):
                score = 4 + item * (7 + prompt) % 5 + number * (prompt * item % 4 - 0.5) / 2 + prompt % 2
                yield f"{system},wording {prompt},q{item},{score}\n"


def _hypotheses(folder: Path) -> Iterator[str]:
    """The outputs of all systems as hypotheses, with features that are worth something, and one that is not."""
    for system in ("baseline", "better", "similar"):
        for number in (1, 2):
            lines = (folder / f"{system}.{number}.txt").read_text(encoding="utf-8").splitlines()
            for place, line in enumerate(lines):
                features = f"tm= {len(system) + number} {(7 * place + number) % 5} words= {len(line.split())}"
                yield f"{place} ||| {line} ||| {features} ||| {number}\n"


@pytest.fixture(scope="session")
def results(sample: Path) -> dict[str, tuple[str, str]]:
    """What studies answered so far: the commands as they were typed with what they said, and the name of the result."""
    return {}


@pytest.fixture(autouse=True)
def screen(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample in the working directory, and one width."""
    monkeypatch.chdir(sample)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def typed(line: str, codes: tuple[int, ...] = (0,)) -> str:
    """A command as it is typed, and what it answers."""
    code, answer = run(shlex.split(line))
    assert code in codes, answer
    return f"$ truegain {line}\n{answer}" + (f"exit code {code}\n" if code else "")


def answer(study: str, results: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Run a study once: what was said, and the file with its result."""
    if study not in results:
        said = [typed(line) for line in BEFORE.get(study, ())]
        file = f"{study}.json"
        said.append(typed(f"{NUMBERS[study]} -o {file}", (0, 1)))
        results[study] = "".join(said), file
    return results[study]


@pytest.mark.parametrize("study", NUMBERS)
def test_numbers(study: str, results: dict[str, tuple[str, str]], request: pytest.FixtureRequest) -> None:
    _, file = answer(study, results)
    result = json.loads(Path(file).read_text(encoding="utf-8"))
    VALIDATOR.validate(result)
    rows = [*rows_of(result, DROPPED), *kinds_of(result)]
    hold(f"numbers/{study}.tsv", "".join(f"{row}\n" for row in rows), request.config.getoption("--renew-golden"))


@pytest.mark.parametrize("study", STUDIES)
def test_figures(study: str, results: dict[str, tuple[str, str]]) -> None:
    _, file = answer(study, results)
    result = load(file)
    assert [one.name for one in result.pictures()] == FIGURES.get(study, [])
    for picture in result.pictures():
        drawing = picture.draw()
        assert len(drawing.alt) > 40 < len(picture.caption)
        svg = rendered(drawing.figure, "svg")
        assert svg == rendered(picture.draw().figure, "svg")
        assert len(svg) < 150_000
        assert rendered(drawing.figure, "pdf").startswith(b"%PDF")
    if result.study in ("compare", "pool"):
        assert "<figure" not in result.render("html")


@pytest.mark.whole
@pytest.mark.parametrize("study", NUMBERS)
def test_numbers_with_all_on_disk(
    study: str, results: dict[str, tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, held_file = answer(study, results)
    monkeypatch.setenv("TRUEGAIN_MEMORY", "0")
    file = f"{study}-on-disk.json"
    typed(f"{NUMBERS[study]} -o {file}", (0, 1))
    held, on_disk = (json.loads(Path(one).read_text(encoding="utf-8")) for one in (held_file, file))
    assert rows_of(on_disk, DROPPED) == rows_of(held, DROPPED)


@pytest.mark.parametrize("file", WORDS)
def test_words(file: str, results: dict[str, tuple[str, str]], request: pytest.FixtureRequest) -> None:
    study, _, ending = file.partition(".")
    said, result = answer(study, results)
    if file in OTHERS:
        _, shown = run(["render", result, *OTHERS[file].split()])
    else:
        written = f"shown.{'html' if ending == 'page' else ending}"
        typed(f"render {result} -o {written}")
        shown = Path(written).read_bytes().decode()
    if ending == "page":
        shown = outline(without_version(shown))
    elif ending == "txt":
        shown = f"{said}\n{shown}"
    hold(f"studies/{file}", shown, request.config.getoption("--renew-golden"))


def test_no_file_is_left_from_before() -> None:
    expected = [*(f"numbers/{study}.tsv" for study in NUMBERS), *(f"studies/{file}" for file in WORDS)]
    for module in (test_golden_errors, test_golden_help, test_golden_init):
        expected += module.FILES
    expected += ["api.txt", "dropped.txt"]  # of tests/test_frozen.py, and of this
    found = [path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()]
    assert sorted(found) == sorted(expected)
