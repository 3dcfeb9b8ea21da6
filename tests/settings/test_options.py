"""Options described once: what classes, functions, commands and experiment files make of them."""

import inspect
import pkgutil
import re
from importlib import import_module
from typing import Annotated, Any, Literal

import click
import pytest

import truegain as tg
from tests.refusals import refused
from truegain import settings
from truegain.errors import Setting
from truegain.readers.experiment_keys import EXPERIMENT
from truegain.settings.function import takes
from truegain.settings.option import Option, Options, described, given_in
from truegain.settings.pool import PoolOptions
from truegain.settings.words import as_option


class Fruit(Options, kw_only=False, first=True):
    fruit: Annotated[str, Option("Which fruit.")]


class Basket(Options):
    size: Annotated[Literal["small", "large"], Option("How large it is.", more="Small ones tear.")] = "small"
    handles: Annotated[int | None, Option("How many there are.")] = None


class Picking(Fruit, Basket):
    """Own options stand before those of groups."""

    ladder: Annotated[bool, Option("Climb.", flags=())] = False
    size: Annotated[Literal["large"], Option("Only large ones.")] = "large"


@takes(Picking)
def pick(options: Picking) -> str:
    """Pick fruit.

    Raises
    ------
    InputError
        If there is none.
    """
    return f"{options.fruit} {options.size} {options.handles} {options.ladder}"


def test_the_order_and_what_a_study_describes_again() -> None:
    assert [one.name for one in described(Picking)] == ["fruit", "ladder", "size", "handles"]
    assert [one.default for one in described(Picking)] == [None, False, "large", None]
    assert [one.required for one in described(Picking)] == [True, False, False, False]
    assert described(Picking)[2].choices == ("large",)
    assert described(Basket)[0].choices == ("small", "large")


def test_values() -> None:
    options = Picking("apple", handles=2)
    assert (options.fruit, options.handles, options.size) == ("apple", 2, "large")
    assert repr(options.changed(handles=3)) == "Picking(fruit='apple', handles=3)"
    assert options.handles == 2
    with pytest.raises(AttributeError, match="do not change"):
        options.handles = 3  # type: ignore[misc]
    with refused(naming=["'lage'", "'large'"]):
        Basket(size="lage")  # type: ignore[arg-type]
    assert given_in(Basket, {"size": "large", "fruit": "apple"}) == {"size": "large"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"alpha": "small"}, "alpha must be a number; got 'small'"),
        ({"resamples": True}, "resamples must be a whole number; got True"),
        ({"resamples": 100.0}, "resamples must be a whole number; got 100.0"),
        ({"changed_segments": 1.5}, "changed_segments must be a whole number; got 1.5"),
        ({"unit": "block", "block_length": "3"}, "block_length must be a number; got '3'"),
        ({"baseline": 1}, "baseline must be a text; got 1"),
    ],
)
def test_types(given: dict[str, Any], words: str) -> None:
    with refused(naming=[words]):
        tg.compare(["a b"], {"x": ["a"], "y": ["b"]}, **given)
    with refused(naming=["'no'"]):
        tg.score(["a b"], {"x": ["a"]}, segments="no")  # type: ignore[arg-type]


def test_a_function_that_takes_them() -> None:
    assert pick("pear", ladder=True) == "pear large None True"
    assert re.sub("['\"]", "", str(inspect.signature(pick))) == (
        "(fruit: str, *, ladder: bool = False, size: Literal[large] = large, handles: int | None = None) -> str"
    )
    assert inspect.getdoc(pick) == (
        "Pick fruit.\n\nParameters\n----------\nfruit : str\n    Which fruit.\nladder : bool\n    Climb.\n"
        'size : "large"\n    Only large ones.\nhandles : int, optional\n    How many there are.\n\n'
        "Raises\n------\nInputError\n    If there is none."
    )
    assert list(inspect.signature(tg.read_corpus).parameters)[:3] == ["systems", "references", "documents"]
    wrong: Any = {"size_": 1}
    with pytest.raises(TypeError, match=r"^pick\(\) got an unexpected keyword argument 'size_'"):
        pick("pear", **wrong)
    with pytest.raises(TypeError, match=r"^pick\(\) missing a required argument: 'fruit'"):
        pick()  # type: ignore[call-arg]


def test_postponed_annotations_are_refused() -> None:
    with pytest.raises(TypeError, match="Late: options need annotations as they are"):
        type("Late", (Options,), {"__annotations__": {"size": "Annotated[int, Option('How large.')]"}})


STUDIES = (
    *("compare", "score", "rank", "gate", "threshold", "domains", "plan", "calibrate", "replicate", "intervals"),
    "inspect",
)


@pytest.mark.parametrize("study", STUDIES)
def test_a_command_and_a_function_have_the_same_options(study: str) -> None:
    options = getattr(import_module(f"truegain.settings.{study}"), f"{study.title()}Options")
    command: click.Command = import_module(f"truegain.cli.{study}").command
    shown = {one.name: one for one in command.params}
    assert list(inspect.signature(getattr(tg, study)).parameters) == [one.name for one in described(options)]
    for one in described(options):
        if one.flags:
            found = shown[one.name]
            assert isinstance(found, click.Option)
            assert tuple(found.opts) == one.flags
            assert found.help is not None
            assert found.help.startswith(one.option.help)
            if (study, one.name) != ("domains", "sizes"):  # --draw there, and named by no error
                assert as_option(Setting(one.name)) == one.flags[0]
        assert one.option.help.endswith("."), one.name
        assert f"\n{one.name} : " in (getattr(tg, study).__doc__ or "")


def test_experiment_files_have_the_options_of_pool() -> None:
    for one in described(PoolOptions):
        assert (one.key in EXPERIMENT.keys) == bool(one.key), one.name


def test_what_every_study_shares_is_described_once() -> None:
    for module in pkgutil.iter_modules(settings.__path__):
        import_module(f"truegain.settings.{module.name}")
    for name in ("seed", "jobs", "engine", "cache", "progress"):
        own = [one for one in subclasses(Options) if name in inspect.get_annotations(one)]
        assert len({inspect.get_annotations(one)[name].__metadata__[0].help for one in own}) == len(own) == 1, name


def subclasses(of: type[Options]) -> set[type[Options]]:
    own: set[type[Options]] = set(of.__subclasses__())
    return own.union(*map(subclasses, own))


@pytest.mark.parametrize(
    ("function", "places", "keyword", "said"),
    [
        # A keyword of files is named with the function that takes it.
        ("compare", (["a"], {}), "id_column", r"Give files read by truegain\.read_corpus\(…\W+id_column=…\)"),
        ("rank", (["a"], {}), "idcolumn", r"Give files read by truegain\.read_corpus\(…\W+id_column=…\)"),
        ("score", (["a"], {}), "document_column", r"Give files read by truegain\.read_corpus\(…\W+document_column=…\)"),
        ("compare", (["a"], {}), "document", r"Did you mean 'documents'\?"),
        ("read_corpus", (["a"], {}), "idcolumn", r"Did you mean 'id_column'\?"),
        ("read_corpus", (["a"], {}), "text_columns", r"Did you mean 'text_column'\?"),
        # Systems by place are told their form.
        *(
            (name, (["a"], ["b"], ["c"]), None, r"too many positional arguments\. Give systems as \{name: outputs\}")
            for name in ("compare", "gate", "rank")
        ),
        ("read_corpus", (), None, r"^read_corpus\(\) missing a required argument: 'systems'"),
    ],
)
def test_what_python_programs_misspell(function: str, places: tuple[Any, ...], keyword: str | None, said: str) -> None:
    given: dict[str, Any] = {} if keyword is None else {keyword: "id"}
    with pytest.raises(TypeError, match=f"{said}$"):
        getattr(tg, function)(*places, **given)
