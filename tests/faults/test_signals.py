"""SIGTERM and SIGHUP, for every command and engine: a code of their own, nothing said but that, and nothing left."""

from __future__ import annotations

import itertools
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.faults.every_command import COMMANDS, FEW, all_commands, has_option, with_engine
from tests.faults.watched import Ended, watch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")

Untouched = Callable[..., Ended]

# A command that gets a signal at a moment: at so many of the events that Python tells of, or when workers have given
# the first of their results.
AT_A_MOMENT = """
import atexit, os, signal, sys
import truegain.executors.over as order
from truegain.cli import streams as signals

moment, number, group = os.environ["MOMENT"], int(os.environ["SIGNAL"]), os.environ["TO"] == "group"
count, process, hear, in_order = 0, os.getpid(), signals.hear, order._in_order

def send():
    os.killpg(0, number) if group else os.kill(process, number)

def event(*_):
    global count
    count += 1
    if str(count) == moment:
        send()

def heard():
    hear()
    sys.addaudithook(event)
    if moment == "begin":
        send()

def at_work(*arguments):
    for place, future in enumerate(in_order(*arguments)):
        if place == 0 and moment == "work":
            future.result()
            send()
        yield future

def tell():
    if os.getpid() == process:
        with open(os.environ["COUNT"], "w") as stream:
            stream.write(str(count))

signals.hear, order._in_order = heard, at_work
if moment == "count":
    atexit.register(tell)
from truegain.cli.start import main
main()
"""

NAMES = {signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}
SHARES = (0.3, 0.6, 0.9)
SPREAD = [name for name, command in all_commands().items() if has_option(command, "engine")]
LIBRARIES = {"threads": None, "torch:cpu": "torch", "dask": "distributed"}
#: A command that begins processes, and gives them work.
IN_PROCESSES = ("calibrate", "-q", "-j", "2", "-R", "99", "-n", "200", "--ref", "ref.txt", "base.txt", "new.txt")


def befallen(folder: Path, line: tuple[str, ...], moment: str, number: int = signal.SIGTERM, to: str = "one") -> Ended:
    shutil.rmtree(folder / "cache", ignore_errors=True)  # with it the next one would have a shorter life
    environment = {"MOMENT": moment, "SIGNAL": str(int(number)), "TO": to, "COUNT": str(folder / "cache.count")}
    return watch(line, folder, script=AT_A_MOMENT, environment=environment)


def moments(folder: Path, line: tuple[str, ...]) -> int:
    """How many events there are in the life of a command."""
    assert befallen(folder, line, "count").code == 0
    count = int((folder / "cache.count").read_text())
    (folder / "cache.count").unlink()
    return count


def check(ended: Ended, number: int) -> None:
    assert ended.code == 128 + number, ended.said
    assert ended.said.splitlines()[-1] == f"truegain: ended by {NAMES[signal.Signals(number)]}"
    ended.leaves_nothing()


def slowly(cases: list[tuple[Any, ...]], few: Callable[..., bool]) -> list[Any]:
    return [case if few(*case) else pytest.param(*case, marks=pytest.mark.slow) for case in cases]


@pytest.mark.parametrize(
    ("name", "number"), slowly(list(itertools.product(COMMANDS, NAMES)), lambda name, _: name in FEW[:2])
)
def test_every_command(everything: Path, untouched: Untouched, name: str, number: int) -> None:
    right = untouched(name)
    line = COMMANDS[name]
    check(befallen(everything, line, "begin", number), number)
    made = set(everything.iterdir())
    total = moments(everything, line)
    again = [path for path in everything.iterdir() if path not in made and path.name != "cache"]
    assert {path.name for path in again} == set(right.made)
    ends = 0
    for share in SHARES:
        for path in again:
            if path.is_dir():
                shutil.rmtree(path)  # tune keeps runs that are there, and says so
            else:
                path.unlink(missing_ok=True)
        ended = befallen(everything, line, str(int(share * total)), number, "group" if share == 0.6 else "one")
        if ended.code == 0:  # at the very end, when all was done
            ended.leaves_nothing()
            assert ended.out == right.out
        else:
            ends += 1
            check(ended, number)
    assert ends >= 2


def few_of_engines(name: str, engine: str, number: int) -> bool:
    return name == "compare" and (number == signal.SIGTERM or engine == "threads")


@pytest.mark.parametrize(
    ("name", "engine", "number"), slowly(list(itertools.product(SPREAD, LIBRARIES, NAMES)), few_of_engines)
)
def test_every_engine(everything: Path, name: str, engine: str, number: int) -> None:
    """With workers at work or, every other time, while they are being started; to the command or to its group."""
    if (library := LIBRARIES[engine]) is not None and find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    line = with_engine(name, engine)
    turn = SPREAD.index(name) + list(NAMES).index(signal.Signals(number))
    to = ("one", "group")[turn // 2 % 2]
    if engine == "torch:cpu" or turn % 2:
        total = moments(everything, line)
        check(befallen(everything, line, str(int((0.5, 0.7, 0.8)[turn % 3] * total)), number, to), number)
    else:
        check(befallen(everything, line, "work", number, to), number)


@pytest.mark.parametrize("number", NAMES)
def test_a_group_with_its_workers(everything: Path, number: int) -> None:
    """As a terminal that is closed, or a batch system, ends it; the process that removes semaphores is in the group."""
    check(befallen(everything, IN_PROCESSES, "work", number, "group"), number)


def test_workers_end_while_the_command_does(everything: Path) -> None:
    """As on a loaded machine: the pool finds its workers gone and closes its pipe as Python is about to write there."""
    slow = """
import time
from concurrent.futures import process

def wakeup(self):
    if not self._closed:
        time.sleep(0.3)
        self._writer.send_bytes(b"")

process._ThreadWakeup.wakeup = wakeup
"""
    environment = {"MOMENT": "work", "SIGNAL": str(int(signal.SIGHUP)), "TO": "group"}
    check(watch(IN_PROCESSES, everything, script=slow + AT_A_MOMENT, environment=environment), signal.SIGHUP)


def test_what_is_ignored_stays_ignored(everything: Path, untouched: Untouched) -> None:
    """As after nohup."""
    environment = {"MOMENT": "1000", "SIGNAL": str(int(signal.SIGHUP)), "TO": "group"}
    deaf = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    ended = watch(COMMANDS["compare"], everything, script=AT_A_MOMENT, environment=environment, befall=deaf)
    assert (ended.code, ended.said) == (0, "")
    assert ended.out == untouched("compare").out
    ended.leaves_nothing()


def test_signals_in_a_row_are_one(everything: Path) -> None:
    """As whoever ends a group of processes may send them, while the command is at its end."""
    script = AT_A_MOMENT.replace("os.killpg(0, number)", "[os.killpg(0, number) for _ in range(20)]")
    script = f"import shutil, time\nrmtree = shutil.rmtree\n{script}".replace(
        "def heard():", "def slow(*a, **k): send(); rmtree(*a, **k)\nshutil.rmtree = slow\n\ndef heard():"
    )
    environment = {"MOMENT": "work", "SIGNAL": str(int(signal.SIGTERM)), "TO": "one"}
    check(watch(IN_PROCESSES, everything, script=script, environment=environment), 15)


OF_A_PROGRAM = """
import signal, sys
import truegain as tg
if __name__ == "__main__":
    texts = [f"the cat number {i}" for i in range(30)]
    systems = {"a": texts[:15] + texts[:15], "b": texts[::-1]}
    tg.compare(texts, systems, resamples=100, engine=sys.argv[1], jobs=2)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""


@pytest.mark.parametrize("engine", ["threads", "dask"])
def test_the_library_leaves_signals_to_the_program(everything: Path, engine: str) -> None:
    if engine == "dask" and find_spec("distributed") is None:
        pytest.skip("distributed is not installed")
    (everything / "program.py").write_text(OF_A_PROGRAM)
    script = "import runpy; runpy.run_path('program.py', run_name='__main__')"
    ended = watch((engine,), everything, script=script)
    assert ended.code == 0, ended.said
    ended.leaves_nothing()
