"""``truegain``: the group of commands, each imported when it is called."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

import click

from truegain.cli import streams
from truegain.cli.command_line import remember, with_our_form
from truegain.cli.streams import ReaderLeft, echo, say, to_output
from truegain.errors import InputError, printable
from truegain.file_roles import separate_files
from truegain.version import __version__, missing

# Before numpy is imported: the threads are ours, and BLAS inside each has one. OMP_NUM_THREADS is the user's: it says
# how many there may be in all.
for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

# Figures are written to files and never shown, and a backend that is not there would end the import of matplotlib.
os.environ["MPLBACKEND"] = "agg"

_COMMANDS = {
    "compare": "Is a system better than the baseline?",
    "score": "How good is each system?",
    "rank": "Which systems are better than which? Clusters and rank intervals.",
    "run": "Does the gain hold over test sets? A whole experiment in one file.",
    "init": "Write an experiment file from a folder of references and outputs.",
    "inspect": "Which segments made the difference?",
    "gate": "May a system pass? Exit codes for continuous integration.",
    "threshold": "What gain is usually significant on this test set?",
    "domains": "Does it hold on other test sets, or in other domains?",
    "plan": "How many segments, documents or runs does a gain take?",
    "calibrate": "Can I trust this test on my data?",
    "replicate": "How much do runs vary, and how many are needed?",
    "intervals": "Do the systems' intervals overlap, over segments and over runs?",
    "agree": "Which metrics agree with people?",
    "tune": "Tune the weights of n-best lists several times: runs that an optimizer varies.",
    "split": "Draw training sets, to ask whether a gain holds for new training data.",
    "render": "Show a saved result again, in any format.",
    "plot": "Draw a figure of a saved result.",
    "metrics": "List the metrics.",
    "tests": "List the significance tests.",
    "demo": "Compare the systems of a bundled sample; leave it, and a report.",
}


class _Commands(click.Group):
    """Commands by name; a command's module is imported only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"truegain.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from truegain.old_names import OLD_NAMES

            if args[0] in OLD_NAMES:
                raise click.UsageError(f"There is no command {args[0]!r} any more: {OLD_NAMES[args[0]]}.", ctx)
            from difflib import get_close_matches

            near = get_close_matches(args[0], _COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"There is no command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    plain = missing()
    state = "compiled kernels" if not plain else f"NO compiled kernels ({', '.join(plain)}): same numbers, far slower"
    echo(f"truegain {__version__} ({state})")
    echo(printable(_of_the_cache()))
    ctx.exit()


def _of_the_cache() -> str:
    """Return the cache's folder and size, or why they cannot be told: a version is told in any case."""
    from truegain.cache_folder import default_directory, default_limit, info_of

    directory = default_directory()
    try:
        found = info_of(directory, default_limit())
    except InputError as error:
        return f"cache in {directory}: {error.message}"
    return f"cache in {directory}: {found.entries:,} entries, {found.size:,} of {found.limit:,} bytes"


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version, and where the cache is.",
)
def group() -> None:
    """Is the gain real? Significance testing for machine translation and NLP.

    \b
    truegain compare --ref ref.txt base.txt new.txt
    truegain compare --ref ref.txt --docs docs.txt -m bleu -m chrf base.txt new.txt
    truegain compare --ref ref.txt base='runs/base.*.txt' new='runs/new.*.txt'
    truegain score   --ref ref.txt system.txt
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit.

    The code is 0, 1 for a failed gate, 2 for bad input, 3 for a fault of ours, 128 and its number for a signal.
    """
    if "_TRUEGAIN_COMPLETE" in os.environ:  # a shell asks what could come next
        group.main(arguments, prog_name="truegain")
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Not group.main(), which has words of its own for a reader that left.
        with group.make_context("truegain", list(given)) as context:
            remember(context, given)
            if not _LIGHT.intersection(given):
                _see_that_numpy_can_be_loaded()
            with separate_files():
                group.invoke(context)
        with to_output():
            sys.stdout.flush()
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _stop("interrupted", streams.exit_code())
    except click.ClickException as error:
        with suppress(OSError):
            with_our_form(error).show(sys.stderr)
        sys.exit(error.exit_code)
    except InputError as error:
        from truegain.settings.words import as_option

        _stop(str(error.worded(as_option)), 2)
    except MemoryError:
        _stop("there is not enough memory for this\n  fewer systems, runs, metrics, --resamples or --jobs need less", 2)
    except ImportError as error:
        if not any(sign in str(error) for sign in _NO_ROOM):
            _fault()
        _stop(_NOT_EVEN_STARTED, 2)
    except ReaderLeft:
        sys.exit(0)
    except OSError as error:  # files have their own words, where they are opened; this is whatever else there may be
        if error.errno in _TOO_MANY_FILES:
            _stop(_NO_FILE_MORE, 2)
        _stop_for_output(error if _LIGHT.intersection(given) else None)
        _stop(_system_refused(error), 2)
    except RuntimeError as error:
        if "start new thread" not in str(error):
            _fault()
        _stop("no thread can be started\n  use --jobs 1, or raise the limits of memory and processes (ulimit -a)", 2)
    except Exception:
        _fault()
    sys.exit(0)


def _interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C is behind it: a library that was being loaded may have made another error of it."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


_LIGHT = {"-h", "--help"}

#: What the loader of libraries says where there is no room for one.
_NO_ROOM = ("failed to map", "annot allocate memory", "annot create shared object descriptor")
_TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)
_NO_FILE_MORE = "no more files can be opened\n  raise the limit of open files (ulimit -n) to 1024 or more"
_NO_ROOM_ON_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NOT_ALLOWED = (errno.EACCES, errno.EPERM, errno.EROFS)
_NOT_EVEN_STARTED = (
    "there is not enough memory to begin\n  raise the limit of the address space (ulimit -v) to 500 MB or more"
)


def _stop_for_output(of_help: OSError | None) -> None:
    """Stop here if it is standard output that failed: a library wrote to it; it shows help, or what is left fails."""
    try:
        with to_output():
            if of_help is not None:
                raise of_help
            sys.stdout.flush()
    except ReaderLeft:
        sys.exit(0)
    except InputError as failed:
        _stop(str(failed), 2)


def _system_refused(error: OSError) -> str:
    """Return what the system refused, of which file, and what to do."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        said = f"the system refused what this command needs: {reason}"
    else:
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        said = f"{name}: cannot be read or written: {reason}"
    if error.errno in _NO_ROOM_ON_DISK:
        return f"{said}\n  see that there is room, in the folder of temporary files (TMPDIR) too"
    if error.errno in _NOT_ALLOWED:
        return f"{said}\n  see that you may read and write there"
    return (
        f"{said}\n  try again; if it stays so, see the limits of this shell (ulimit -a), and that files are still there"
    )


def _see_that_numpy_can_be_loaded() -> None:
    """Check for memory before numpy's BLAS looks for it, finds none, and ends the process in its own way."""
    from truegain.executors.processors import NUMPY, need

    if "numpy" not in sys.modules:
        try:
            need(NUMPY)
        except MemoryError:
            _stop(_NOT_EVEN_STARTED, 2)


def _fault() -> NoReturn:
    """Say that it is ours, never to be mistaken for a failed gate; unless Ctrl-C is behind it."""
    if _interrupted(sys.exc_info()[1]):
        _stop("interrupted", streams.exit_code())
    import traceback

    traceback.print_exc()
    _stop("this is a fault of truegain, not of your input; please report it with what is above", 3)


def _stop(message: str, code: int) -> NoReturn:
    if (asked := streams.received()) is not None:  # whatever a library has made of it
        message, code = asked, streams.exit_code()
    # Names of files may hold anything, escape sequences of terminals among it.
    say(f"truegain: {printable(message)}")
    sys.exit(code)


if __name__ == "__main__":
    main()
