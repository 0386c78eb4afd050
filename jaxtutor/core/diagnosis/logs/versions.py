"""Writes what older JAX and Flax raised as today's would, so that one page serves all of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.engine.index import INDEX
from jaxtutor.core.diagnosis.reading.names import last_part


class _Rewrite(Struct, frozen=True):
    """An old message, and the class and the sentence in its place; a class of "" stays."""

    old: re.Pattern[str]
    error_class: str
    new: str | Callable[[re.Match[str]], str]


def as_today(failure: Failure) -> Failure:
    """Return a failure with the class and the message that today's versions have.

    Texts show many classes without their module: `ScopeParamShapeError` is that of `flax.errors`.
    """
    made = failure
    for rewrite in _REWRITES:
        found = rewrite.old.search(made.message)
        if found is not None:
            made = _in_words_of_today(made, rewrite, found)
    home = _HOMES.get(made.error_class, "")
    if home and made.module in ("builtins", *_FORMER_HOMES):
        made = replace(made, module=home)
    if made.linked is not None:
        made = replace(made, linked=as_today(made.linked))
    return made


def _in_words_of_today(failure: Failure, rewrite: _Rewrite, found: re.Match[str]) -> Failure:
    new = rewrite.new if isinstance(rewrite.new, str) else rewrite.new(found)
    message = failure.message[: found.start()] + new + failure.message[found.end() :]
    if not rewrite.error_class or rewrite.error_class == failure.error_class:
        return replace(failure, message=message)
    bases = (rewrite.error_class, *failure.bases)
    return replace(
        failure, error_class=rewrite.error_class, message=message, bases=bases, module="jax.errors"
    )


_FORMER_HOMES = ("flax", "flax.core.scope", "haiku", "jax.core")
_HOMES = {
    last_part(path): path.rpartition(".")[0]
    for entry in INDEX
    for path in entry.classes
    if "." in path
}
"""The modules of classes that the pages name with their dotted path."""

# ---------------------------------------------------------------- the old messages

_SHAPED = r"ShapedArray\((\w+\[[^\]]*\])(?:, weak_type=True)?\)"
_ARRAY = re.compile(rf"(?:{_SHAPED})")
_DIFFERENT = re.compile(rf"(?:\b(?P<leaf>\w+)['\"]?[=:] ?['\"])?DIFFERENT {_SHAPED} vs\. {_SHAPED}")


def _carry_types(found: re.Match[str]) -> str:
    """Say which type of the carry differs, of a message that lists all of them.

    The old messages name the output first.
    """
    pairs = [(it["leaf"], it[2], it[3]) for it in _DIFFERENT.finditer(found[0])]
    if not pairs:
        output, _, given = found["types"].partition("and\n")
        pairs = [
            ("", a, b)
            for a, b in zip(_ARRAY.findall(output), _ARRAY.findall(given), strict=False)
            if a != b
        ]
    differ = "".join(
        f"\n\nThe input carry {_component(leaf)} has type {before} but the corresponding output"
        f" carry component has type {after}, so the {_named_part(before, after)} do not match."
        for leaf, after, before in pairs
    )
    return f"scan body function carry input and carry output must have equal types{differ}"


def _component(leaf: str | None) -> str:
    return f"component carry.{leaf}" if leaf else "carry"


def _named_part(before: str, after: str) -> str:
    same_dtype = before.partition("[")[0] == after.partition("[")[0]
    return "shapes" if same_dtype else "dtypes"


_REWRITES: tuple[_Rewrite, ...] = (
    _Rewrite(
        re.compile(
            r"Abstract tracer value encountered.*problem arose with the `bool` function", re.S
        ),
        "TracerBoolConversionError",
        "Attempted boolean conversion of traced array",
    ),
    _Rewrite(
        re.compile(r"Array boolean indices must be concrete"),
        "NonConcreteBooleanIndexError",
        lambda found: found[0],
    ),
    _Rewrite(
        re.compile(
            r"Tracer can.t be used with raw numpy functions|The numpy.ndarray conversion method"
            r" __array__\(\) was called on the\s+JAX Tracer object"
        ),
        "TracerArrayConversionError",
        "The numpy.ndarray conversion method __array__() was called on traced array",
    ),
    _Rewrite(
        re.compile(r"The __index__(?:\(\))? method was called on the\s+JAX Tracer object"),
        "TracerIntegerConversionError",
        "The __index__() method was called on traced array",
    ),
    _Rewrite(
        re.compile(
            r"(?:scan carry|body_fun|scanned function) output and input must have identical types,"
            r" got\s+(?P<types>.*)",
            re.S,
        ),
        "",
        _carry_types,
    ),
    _Rewrite(
        re.compile(r"(?:scan carry|body_fun) output and input must have same type structure"),
        "",
        "scan body function carry input and carry output must have the same pytree structure",
    ),
    _Rewrite(
        re.compile(r"true_fun and false_fun output must have same type structure"),
        "",
        "cond branch outputs must have the same pytree structure",
    ),
    _Rewrite(
        re.compile(r"true_fun and false_fun output must have identical types"),
        "",
        "cond branches must have equal output types but they differ",
    ),
    _Rewrite(
        re.compile(
            r'Inconsistent shapes between value and initializer for parameter "([^"]*)" in'
            r' "([^"]*)":\s*(\([^)]*\)),\s*(\([^)]*\))'
        ),
        "",
        lambda found: _flax_shapes(found[1], found[2], found[4], found[3]),
    ),
    _Rewrite(
        re.compile(
            r"Initializer expected to generate shape (\([^)]*\)) but got shape (\([^)]*\)) instead"
            r' for parameter "([^"]*)" in "([^"]*)"'
        ),
        "",
        lambda found: _flax_shapes(found[3], found[4], found[1], found[2]),
    ),
)


def _flax_shapes(name: str, scope: str, needed: str, made: str) -> str:
    return (
        f'For parameter "{name}" in "{scope}", the given initializer is expected to generate shape'
        f" {needed}, but the existing parameter it received has shape {made}"
    )
