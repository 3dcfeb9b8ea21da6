"""Settings written as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.refusals import refused
from truegain.errors import InputError
from truegain.options import parse_settings, split_specification


@dataclass(frozen=True)
class Settings:
    flag: bool = False
    count: int = 1
    share: float = 0.5
    either: int | float = 1
    text: str = "x"
    maybe_text: str | None = None
    maybe_count: int | None = None
    maybe_share: float | None = None
    hidden: int = field(default=0, init=False)


@dataclass(frozen=True)
class Nothing:
    pass


@pytest.mark.parametrize(
    ("specification", "name", "settings"),
    [
        ("bleu", "bleu", {}),
        ("bleu:", "bleu", {}),
        ("bleu:tokenize=intl", "bleu", {"tokenize": "intl"}),
        (" bleu : tokenize = intl , lowercase = yes ", "bleu", {"tokenize": "intl", "lowercase": "yes"}),
        ("bleu:smooth-method=add-k", "bleu", {"smooth_method": "add-k"}),
        ("scores:title=a:b=c", "scores", {"title": "a:b=c"}),
        ("bleu:model=,", "bleu", {"model": ""}),
    ],
)
def test_a_specification_is_split(specification: str, name: str, settings: dict[str, str]) -> None:
    assert split_specification(specification) == (name, settings)


def test_a_setting_without_a_value_is_refused() -> None:
    with refused(naming=["'bleu:lowercase'", "'lowercase'"]):
        split_specification("bleu:lowercase")


_word = st.text("abcxyz_", min_size=1, max_size=6)
_value = st.text(st.characters(codec="utf-8", exclude_characters=",")).map(str.strip)


@settings(deadline=None)
@given(_word, st.dictionaries(_word, _value))
def test_what_is_put_together_comes_apart(name: str, settings: dict[str, str]) -> None:
    text = f"{name}:" + ",".join(f"{key}={value}" for key, value in settings.items())
    assert split_specification(text) == (name, settings)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        *(("flag", word, True) for word in ("true", "True", "YES", "1", "on")),
        *(("flag", word, False) for word in ("false", "No", "0", "off")),
        ("count", "7", 7),
        ("count", "-7", -7),
        ("share", "0.25", 0.25),
        ("share", "1", 1.0),
        ("either", "3", 3),
        ("either", "3.5", 3.5),
        ("text", "7", "7"),
        ("maybe_text", "7", "7"),
        ("maybe_count", "7", 7),
        ("maybe_share", "1e-3", 0.001),
    ],
)
def test_values_get_the_type_of_their_field(key: str, text: str, value: object) -> None:
    parsed = parse_settings(Settings, "metric", {key: text})
    assert parsed == {key: value}
    assert type(parsed[key]) is type(value)


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("flag", "maybe", "metric:flag must be true or false; got 'maybe'"),
        ("count", "1.5", "metric:count must be a whole number; got '1.5'"),
        ("maybe_count", "x", "metric:maybe_count must be a whole number; got 'x'"),
        ("share", "half", "metric:share must be a number; got 'half'"),
        ("either", "x", "metric:either must be a number; got 'x'"),
    ],
)
def test_values_of_another_type_are_refused(key: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_settings(Settings, "metric", {key: text})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("kind", "key", "naming"),
    [(Settings, "counts", ["'counts'", "'count'"]), (Settings, "hidden", ["'hidden'"]), (Nothing, "x", ["'x'"])],
)
def test_an_unknown_setting_is_refused_with_the_nearest_there_is(kind: Any, key: str, naming: list[str]) -> None:
    with refused(naming=naming):
        parse_settings(kind, "metric", {key: "1"})
