"""What SECURITY.md promises."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.every_command import COMMANDS
from truegain import cache_folder, results, scratch
from truegain.errors import InputError
from truegain.readers import compression, experiment_file, markup, plain
from truegain.readers.corpora import read_corpus
from truegain.report import data

Command = Callable[..., tuple[int, str, str]]
RunEach = Callable[..., list[tuple[int, str, str]]]

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


# ---- Nothing in a file is run


def calls(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    return [(ast.unparse(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call)]


def imported(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return names


FORBIDDEN_CALLS = {
    *("eval", "exec", "compile", "__import__", "os.system", "os.popen", "pickle.load", "pickle.loads"),
    *("pickle.Unpickler", "marshal.loads", "shelve.open", "yaml.load", "tempfile.mktemp"),
}
FORBIDDEN_MODULES = {
    *("socket", "ssl", "urllib.request", "http.client", "http.server", "ftplib", "smtplib", "requests", "httpx"),
    *("marshal", "shelve", "dill", "cloudpickle", "joblib", "subprocess"),
    *("xml.dom", "xml.sax", "xml.etree.ElementTree"),
}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_the_sources_run_no_data(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    # Our own drawings are read there, no files; and there a cluster that was asked for is looked for.
    own = {"inline.py": {"xml.etree.ElementTree"}, "pools.py": {"socket"}}.get(path.name, set())
    if path.relative_to(ROOT / "src").parent == Path("truegain/scorers"):  # comet-score
        own = own | {"subprocess"}
    assert not (imported(tree) & FORBIDDEN_MODULES) - own
    # A command hands its work to its own processes; no file of a user's is read so.
    sent = {"pickle.loads"} if path.relative_to(ROOT / "src") == Path("truegain/executors/over.py") else set()
    for name, call in calls(tree):
        assert name not in FORBIDDEN_CALLS - sent, f"line {call.lineno}"
        keywords = {one.arg: ast.unparse(one.value) for one in call.keywords}
        assert keywords.get("shell") != "True"
        if name in ("np.load", "numpy.load"):
            assert keywords.get("allow_pickle") == "False", f"line {call.lineno}"
    # To see whether something can go to another process of ours; nothing of a user's is ever read back.
    assert "pickle" not in imported(tree) or sent


def test_modules_are_named_by_the_package_alone() -> None:
    """What is imported by name: the package's own, and entry points of installed packages."""
    found = {
        f"{path.relative_to(ROOT / 'src' / 'truegain')}: {ast.unparse(call.args[0])}"
        for path in SOURCES
        for name, call in calls(ast.parse(path.read_text(encoding="utf-8")))
        if name in ("import_module", "importlib.import_module")
    }
    assert all(
        "truegain" in one or "sacrebleu.tokenizers." in one or one.endswith((": module", ": home")) for one in found
    ), found


# ---- No network


NO_NETWORK = """
import socket
def refuse(*_, **__):
    raise AssertionError("a connection was opened")
socket.socket.connect = socket.socket.bind = socket.socket.sendto = refuse
socket.create_connection = socket.getaddrinfo = socket.gethostbyname = refuse
"""


def test_no_command_opens_a_connection(run_each: RunEach, everything: Path) -> None:
    apart = {name: [f"{name}-{one}" if one == "made" else one for one in line] for name, line in COMMANDS.items()}
    lines = [*apart.values(), ("render", "-f", "html", "result.json")]
    answers = run_each(*lines, first=NO_NETWORK, MPLCONFIGDIR=str(everything))
    for line, (code, _, said) in zip(lines, answers, strict=True):
        assert code == 0, (line, said)


# ---- Limits are those of the page


def test_the_limits_are_those_that_are_promised() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = [line.strip("|").rsplit("|", 1) for line in page.splitlines() if line.startswith("| ")][1:]
    told = {what.strip(): int(number.replace(",", "")) for what, number in rows if number.strip()[0].isdigit()}
    known = [
        plain.LINE_LIMIT,
        plain.LINES_LIMIT,
        plain.SIZE_LIMIT,
        compression.XZ_MEMORY,
        experiment_file.LIMIT,
        results.LIMIT,
        scratch.most_held(),
        cache_folder.DEFAULT_LIMIT,
    ]
    assert list(told.values()) == known
    assert vars(markup)["LINE_LIMIT"] == plain.LINE_LIMIT
    assert vars(markup)["SIZE_LIMIT"] == plain.SIZE_LIMIT


# ---- Markup


BOMB = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
SECRET = '<!DOCTYPE d [<!ENTITY x SYSTEM "{}">]>'


@pytest.mark.parametrize("ending", ["xml", "sgm", "sgml", "xml.gz"])
@pytest.mark.parametrize("opening", [BOMB, SECRET], ids=["bomb", "other file"])
def test_entities_are_refused_by_every_reader_of_markup(tmp_path: Path, ending: str, opening: str) -> None:
    import gzip

    secret = tmp_path / "secret"
    secret.write_text("do not tell")
    text = f'{opening.format(secret.as_uri())}<refset><doc docid="d"><seg id="1">&x; &b;</seg></doc></refset>'
    path = tmp_path / f"a.{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    with pytest.raises(InputError, match="entit"):
        read_corpus([str(path)], [str(path)])


# ---- Spreadsheets and terminals


@pytest.mark.parametrize("text", ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_a_name_is_no_formula_and_a_number_stays_one(text: str) -> None:
    records = [{"system": text, "delta": -1.5, "p": 0.05, "runs": [text]}]
    header, line = list(csv.reader(io.StringIO(data.csv_text(records), newline="")))
    assert header == ["system", "delta", "p", "runs"]
    assert line == [f"'{text}", "-1.5", "0.05", f"'{text}"]
    assert data.tsv_text(records).split("\n")[1].split("\t")[1] == "-1.5"


STRANGE = "x\x1b[31m\x1b]0;title\x07\x08\r\u202ey"


@pytest.mark.skipif(os.name != "posix", reason="such names are POSIX's")
@pytest.mark.parametrize("study", ["compare", "score", "inspect", "gate"])
@pytest.mark.parametrize("format", ["terminal", "md"])
def test_names_give_no_commands_to_the_terminal(command: Command, folder: Path, study: str, format: str) -> None:
    (folder / STRANGE).write_bytes((folder / "new.txt").read_bytes())
    few = () if study == "inspect" else ("-R", "50", "-j", "1")
    code, out, err = command(study, *few, "--ref", "ref.txt", "base.txt", f"{STRANGE}={STRANGE}", "-f", format)
    assert code in (0, 1), err
    assert "title" in out
    for character in "\x1b\x07\x08\r\u202e":
        assert character not in out + err
    code, out, err = command(study, "--ref", "ref.txt", "base.txt", f"{STRANGE}/none")
    assert (code, out) == (2, "")
    assert "title" in err
    assert "\x1b" not in err


def test_outputs_give_no_commands_to_the_terminal(command: Command, folder: Path) -> None:
    (folder / "odd.txt").write_text("".join(f"the small cat {STRANGE} {i}\n" for i in range(24)), newline="")
    code, out, err = command("inspect", "--ref", "ref.txt", "base.txt", "odd.txt")
    assert (code, err, "title" in out, "\x1b" in out) == (0, "", True, False)


# ---- Plug-ins


def test_a_file_cannot_bring_a_metric(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "evil.py").write_text("raise SystemExit('run!')\n")
    monkeypatch.syspath_prepend(folder)
    for name in ("evil", "evil:run=1", "./evil.py", "truegain.evil", "os:system=1"):
        code, _, err = command("score", "-m", name, "--ref", "ref.txt", "base.txt")
        assert code == 2
        assert "run!" not in err
        assert "a metric must be one of" in err


def test_a_stored_result_is_data(command: Command, folder: Path) -> None:
    for text in ('{"study": "os.system"}', "[" * 100_000, json.dumps({"study": "compare", "__class__": "x"}), "c" * 10):
        (folder / "odd.json").write_text(text)
        code, _, err = command("render", "odd.json")
        assert code == 2, err
        assert err.startswith("truegain: odd.json:")
        assert "Traceback" not in err
