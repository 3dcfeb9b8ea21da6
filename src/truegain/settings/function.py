"""Functions that take a study's options as keyword arguments, with their signature and parameter docs."""

import functools
import inspect
import textwrap
import typing
from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypeVar, cast

from truegain.errors import OF_FILES
from truegain.settings.option import Described, described, signature_of, type_text

_Parameters = ParamSpec("_Parameters")
_Options = TypeVar("_Options")
_Answer = TypeVar("_Answer")

_WIDTH = 116


def takes(
    options: Callable[_Parameters, _Options],
) -> Callable[[Callable[[_Options], _Answer]], Callable[_Parameters, _Answer]]:
    """Let a function of options take them as arguments, one by one.

    Its signature is that of the options' class, for editors and type checkers too; its docstring gets the section
    Parameters, before other sections.

    Parameters
    ----------
    options : dataclass
        Whose fields are options. Those that are not keyword-only can be given by place.
    """

    def decorate(function: Callable[[_Options], _Answer]) -> Callable[_Parameters, _Answer]:
        from truegain.settings.groups import Inputs

        made = cast("type[Any]", options)
        signature = signature_of(made)

        @functools.wraps(function)
        def call(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _Answer:
            __tracebackhide__ = True  # pytest shows whose call failed, not this one
            _check_call(function.__name__, signature, arguments, named, takes_corpus=issubclass(made, Inputs))
            return function(options(*arguments, **named))

        shown: Any = call
        shown.__signature__ = signature.replace(return_annotation=function.__annotations__["return"])
        shown.__annotations__ = {"return": inspect.get_annotations(function, eval_str=True)["return"]}
        shown.__doc__ = _with_parameters(inspect.getdoc(function) or "", made)
        del shown.__wrapped__
        return call

    return decorate


def names_parameters(function: Callable[_Parameters, _Answer]) -> Callable[_Parameters, _Answer]:
    """Let a function that takes no options name the parameter that an unknown keyword argument is like."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _Answer:
        __tracebackhide__ = True
        _check_call(function.__name__, signature, arguments, named)
        return function(*arguments, **named)

    return call


def _check_call(
    name: str,
    signature: inspect.Signature,
    arguments: tuple[Any, ...],
    named: dict[str, Any],
    *,
    takes_corpus: bool = False,
) -> None:
    """Raise a TypeError that names the nearest parameter if a function cannot be called so."""
    __tracebackhide__ = True
    try:
        signature.bind(*arguments, **named)
    except TypeError as error:
        raise TypeError(f"{name}() {error}{_nearest(error, signature, takes_corpus)}") from None


def _nearest(error: TypeError, signature: inspect.Signature, takes_corpus: bool) -> str:
    """Name the parameter that a keyword argument is like, of this function or of the one that reads files for it.

    Systems that are given by place, one after the other, are named by their form.
    """
    _, found, name = str(error).partition("unexpected keyword argument ")
    if takes_corpus and "too many positional" in str(error):
        return ". Give systems as {name: outputs}"
    if not found:
        return ""
    from difflib import get_close_matches

    own = signature.parameters
    near = get_close_matches(name.strip("'"), [*own, *(OF_FILES if takes_corpus else ())], n=1)
    if near and near[0] not in own:
        return f". Give files read by truegain.read_corpus(…, {near[0]}=…)"
    return f". Did you mean {near[0]!r}?" if near else ""


def _with_parameters(doc: str, options: type) -> str:
    """Return a docstring with the section of parameters before the other sections."""
    section = "Parameters\n----------\n" + "\n".join(map(_parameter, described(options)))
    head, line, rest = doc.partition("\n\nRaises\n------")
    if not line:
        head, line, rest = doc.partition("\n\nExamples\n--------")
    return f"{head}\n\n{section}{line}{rest}\n"


def _parameter(one: Described) -> str:
    text = " ".join(filter(None, (one.option.help, one.option.more)))
    return f"{one.name} : {_kind_text(one)}\n" + textwrap.indent(textwrap.fill(text, _WIDTH), "    ")


def _kind_text(one: Described) -> str:
    """Return the type in words, as numpydoc has it."""
    if one.option.text:
        return one.option.text
    optional = ", optional" if type(None) in one.kinds else ""
    if typing.get_origin(one.annotation) is Literal:
        *most, last = [f'"{choice}"' for choice in one.choices]
        return " or ".join(filter(None, (", ".join(most), last)))
    names = [type_text(kind) for kind in one.kinds if kind is not type(None)]
    return " or ".join(names) + optional
