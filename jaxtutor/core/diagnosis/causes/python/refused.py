"""Matches and fixes calls of library functions that refuse a keyword, or one argument too many."""

from __future__ import annotations

import ast
import difflib
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom, tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.library_calls import PACKAGES
from jaxtutor.core.diagnosis.reading.names import last_name, last_part

_KEYWORD = re.compile(r"(?:([\w.]+)\(\) )?got an unexpected keyword argument '(\w+)'")
_TOO_MANY = re.compile(r"([\w.]+)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)")
_TWICE = re.compile(r"([\w.]+)\(\) got multiple values for argument '(\w+)'")

# Keywords that JAX itself had and renamed.
_RENAMED = {"jax.numpy.clip": {"a_min": "min", "a_max": "max"}}

# What other libraries call the same argument. Only a name of the function's signature is suggested.
_SYNONYMS = {
    "dim": ("axis", "features"),
    "dims": ("axis", "axes"),
    "axes": ("axis",),
    "keepdim": ("keepdims",),
    "size": ("shape",),
    "low": ("minval", "lower"),
    "high": ("maxval", "upper"),
    "minval": ("lower",),
    "maxval": ("upper",),
    "n": ("num",),
    "p": ("rate",),
    "prob": ("rate", "p"),
    "dropout": ("rate",),
    "dropout_rate": ("rate",),
    "replacement": ("replace",),
    "lr": ("learning_rate",),
    "tau": ("step_size",),
    "item": ("target",),
    "units": ("features", "out_features"),
    "in_channels": ("in_features",),
    "out_channels": ("features", "out_features"),
    "in_dim": ("in_features", "in_size"),
    "out_dim": ("features", "out_features", "out_size"),
    "input_dim": ("in_features", "in_size"),
    "output_dim": ("features", "out_features", "out_size"),
    "in_features": ("in_size",),
    "out_features": ("features", "out_size"),
    "hidden_size": ("width_size", "hidden_features", "features"),
    "hidden_dim": ("width_size", "hidden_features", "features"),
    "num_layers": ("depth",),
    "stride": ("strides",),
    "bias": ("use_bias",),
    "training": ("deterministic", "inference"),
    "train": ("deterministic", "inference"),
    "beta1": ("b1",),
    "beta2": ("b2",),
    "betas": ("b1",),
    "epsilon": ("eps",),
    "function": ("fun", "f"),
    "func": ("fun", "f"),
    "in_axis": ("in_axes",),
    "out_axis": ("out_axes",),
    "static_argnum": ("static_argnums",),
    "static_argname": ("static_argnames",),
    "argnum": ("argnums",),
    "rng": ("rngs", "key"),
    "seed": ("key",),
    "random_state": ("key",),
}
_OPPOSITE = frozenset({"deterministic", "inference"})
"""Parameters that mean the opposite of the keyword that they take the place of."""

_SAMPLERS = ("normal", "truncated_normal", "uniform", "laplace", "gumbel", "logistic", "cauchy")
_SCALES = frozenset({"loc", "scale", "mean", "std", "stddev", "sigma", "mu", "stdev"})


class RefusedKeyword(AtCall, frozen=True, kw_only=True):
    """A keyword that a library's function does not have; `meant` is the one that it has instead."""

    keyword: ast.keyword
    meant: str
    value: str = ""  # what to pass for it, if not the same


class ScaledSample(AtCall, frozen=True, kw_only=True):
    """A location and scale passed to a function of `jax.random`, as NumPy's generators take."""


class PassedByPosition(AtCall, frozen=True, kw_only=True):
    """Arguments that a call passes by position, and their `names`: they are taken by keyword."""

    passed: tuple[ast.expr, ...]
    names: tuple[str, ...]


class GivenTwice(AtCall, frozen=True, kw_only=True):
    """An argument that a call passes by `keyword` and by position, at `position`."""

    keyword: ast.keyword
    position: int


def renamed_keyword(context: FailureContext) -> RefusedKeyword | None:
    """A keyword that JAX has renamed is passed by its old name."""
    call = at_call(context)
    said = _KEYWORD.search(context.message)
    new = _RENAMED.get(call.path, {}).get(said[2]) if call is not None and said else None
    if call is None or said is None or new is None:
        return None
    facts = {
        "name": f"{said[2]}=",
        "argument": f"{new}=",
        "function": call.module.text(call.node.func),
    }
    return _keyword(call, said[2], new, facts, "keyword")


def refused(context: FailureContext) -> AtCall | None:
    """A function of a library does not have the keyword, or takes fewer arguments."""
    call, signature = at_call(context), context.failure.signature
    if call is None or not signature or call.frame.is_own(call.node.func):
        return None
    home = call.path.partition(".")[0] or "jax"  # a method of an array has no path
    if home not in PACKAGES | {"jax", "numpy"}:
        return None
    facts = {
        "name": call.module.text(call.node.func),
        "detail": f"({', '.join(signature)})",
        "function": call.module.text(call.node.func),
    }
    takes_any = signature[-1].startswith("**")
    if not takes_any and (said := _KEYWORD.search(context.message)):
        return _unknown_keyword(call, said, signature, facts)
    if said := _TOO_MANY.search(context.message):
        return _too_many(call, said, signature, facts)
    if said := _TWICE.search(context.message):
        return _given_twice(call, said, signature, facts)
    return None


def _is_called(call: AtCall, said: str | None) -> bool:
    """Return whether the function that a message names is the one that the call calls.

    The check of a signature, which wrappers make, names none.
    """
    name = last_part(said)
    if name in ("", "__init__", "__new__"):
        return True
    path = call.path or call.module.text(call.node.func)
    return last_part(path) == name.lstrip("_")


def _unknown_keyword(
    call: AtCall, said: re.Match[str], signature: tuple[str, ...], facts: dict[str, str]
) -> AtCall | None:
    keyword = said[2]
    if not _is_called(call, said[1]) or keyword_of(call.node, keyword) is None:
        return None
    if _is_sampler(call) and keyword in _SCALES:
        return _scaled(call, facts)
    if keyword == "wrt" and call.path.startswith("flax.nnx.") and "argnums" in signature:
        return _selected(call, facts)
    taken = {k.arg for k in call.node.keywords}
    meant = _meant(keyword, [name for name in signature if name not in taken])
    facts = {**facts, "argument": f"{keyword}=", "condition": f"{meant}="}
    form = "keyword_other" if meant else "keyword_unknown"
    return _keyword(call, keyword, meant, facts, "keyword_opposite" if meant in _OPPOSITE else form)


def _selected(call: AtCall, facts: dict[str, str]) -> RefusedKeyword | None:
    """Match the variables to differentiate by, which `argnums` takes in a `DiffState`."""
    found = keyword_of(call.node, "wrt")
    value = Draft(call.module).name("flax.nnx.DiffState")
    text = call.module.text(found.value) if found is not None else ""
    facts = {**facts, "argument": "wrt=", "condition": f"argnums={value}(0, {text})"}
    refused = _keyword(call, "wrt", "argnums", facts, "nnx_wrt")
    return replace(refused, value=f"{value}(0, {text})") if refused is not None else None


def _meant(keyword: str, signature: list[str]) -> str:
    """Return the parameter that a keyword stands for: one of the same meaning, or spelling.

    Or the one that it begins: `fill` is short for `fill_value`.
    """
    for name in _SYNONYMS.get(keyword, ()):
        if name in signature:
            return name
    longer = [name for name in signature if name.startswith(f"{keyword}_")]
    close = difflib.get_close_matches(keyword, signature, 1, 0.75) or longer
    return close[0] if len(close) == 1 else ""


def _keyword(
    call: AtCall, keyword: str, meant: str, facts: dict[str, str], form: str
) -> RefusedKeyword | None:
    found = keyword_of(call.node, keyword)
    if found is None:
        return None
    return RefusedKeyword(
        None, facts, form, context=call.context, node=call.node, keyword=found, meant=meant
    )


def _too_many(
    call: AtCall, said: re.Match[str], signature: tuple[str, ...], facts: dict[str, str]
) -> AtCall | None:
    if not _is_called(call, said[1]) or len(call.node.args) <= int(said[2]) - 1:
        return None
    if _is_sampler(call):
        return _scaled(call, facts)
    if signature[0] == "layers" and not call.node.keywords:
        given = ", ".join(map(call.module.text, call.node.args))
        written = f"{facts['name']}([{' '.join(given.split())}])"
        return _unlisted_match(call, {**facts, "argument": written})
    return _by_position(call, signature, facts) or AtCall(
        None,
        {**facts, "argument": call.module.text(call.node.args[-1])},
        "too_many",
        context=call.context,
        node=call.node,
    )


class Unlisted(AtCall, frozen=True, kw_only=True):
    """Arguments that a call passes one by one, and that the function takes in one list."""


def _unlisted_match(call: AtCall, facts: dict[str, str]) -> Unlisted:
    return Unlisted(None, facts, "unlisted", context=call.context, node=call.node)


def _by_position(
    call: AtCall, signature: tuple[str, ...], facts: dict[str, str]
) -> PassedByPosition | None:
    """Match arguments by position that are as many as those which only a keyword passes."""
    if "*" not in signature:
        return None
    star = signature.index("*")
    count = len([n for n in signature[:star] if n not in ("self", "cls", "/")])
    given = {k.arg for k in call.node.keywords}
    free = tuple(n for n in signature[star + 1 :] if n[0] != "*" and n not in given)
    passed = tuple(call.node.args[count:])
    names = _names_for(call, free, passed)
    if not passed or len(passed) != len(names) or isinstance(passed[0], ast.Starred):
        return None
    written = ", ".join(
        f"{n}={call.module.text(value)}" for n, value in zip(names, passed, strict=True)
    )
    return PassedByPosition(
        None,
        {**facts, "argument": listed(names), "condition": written},
        "by_keyword",
        context=call.context,
        node=call.node,
        passed=passed,
        names=names,
    )


_REQUIRED = {"numpyro.infer.MCMC": 2, "numpyro.infer.mcmc.MCMC": 2}
"""How many parameters without a default come first among those passed by keyword only."""


def _names_for(
    call: AtCall, free: tuple[str, ...], passed: tuple[ast.expr, ...]
) -> tuple[str, ...]:
    """Return the keywords that values by position stand for; empty if it is not clear."""
    if len(passed) == len(free) or len(passed) == _REQUIRED.get(call.path):
        return free[: len(passed)]
    meant = []
    for value in passed:
        words = set(last_name(value).lower().split("_")) - {"", "num", "n"}
        alike = [n for n in free if words & set(n.lower().split("_"))]
        meant += alike[:1] if len(alike) == 1 else []
    return tuple(meant) if len(set(meant)) == len(passed) else ()


def _given_twice(
    call: AtCall, said: re.Match[str], signature: tuple[str, ...], facts: dict[str, str]
) -> AtCall | None:
    """Match an argument by position that takes the parameter which a keyword names."""
    place = signature.index(said[2]) if said[2] in signature else len(call.node.args)
    if not _is_called(call, said[1]) or place >= len(call.node.args):
        return None
    keyword, taken = keyword_of(call.node, said[2]), call.node.args[place]
    if keyword is None or isinstance(taken, ast.Starred):
        return None
    return GivenTwice(
        None,
        {**facts, "argument": said[2], "condition": call.module.text(taken)},
        "twice",
        context=call.context,
        node=call.node,
        keyword=keyword,
        position=place,
    )


def _is_sampler(call: AtCall) -> bool:
    home, _, name = call.path.rpartition(".")
    return home == "jax.random" and name in _SAMPLERS


def _scaled(call: AtCall, facts: dict[str, str]) -> ScaledSample:
    return ScaledSample(None, facts, "scaled_sample", context=call.context, node=call.node)


# ---------------------------------------------------------------- fixes


def rename_keyword(found: RefusedKeyword) -> Drafts:
    """Pass the argument by the name that the function has."""
    if not found.meant or found.meant in _OPPOSITE:
        return
    draft, renames = Draft(found.module), _RENAMED.get(found.path, {})
    for keyword in found.node.keywords:
        new = found.meant if keyword is found.keyword else renames.get(keyword.arg or "")
        if new:
            draft.replace(keyword, f"{new}={found.value or found.module.text(keyword.value)}")
    yield draft.certain()


def name_arguments(found: PassedByPosition) -> Drafts:
    """Pass by keyword what a function takes only so."""
    draft = Draft(found.module).certain()
    for name, value in zip(found.names, found.passed, strict=True):
        draft.before(value, f"{name}=")
    yield draft


def list_arguments(found: Unlisted) -> Drafts:
    """Pass the layers in one list."""
    draft = Draft(found.module).certain().before(found.node.args[0], "[")
    yield draft.after(found.node.args[-1], "]")


def insert_value(found: GivenTwice) -> Drafts:
    """Pass the keyword's value by position; sizes behind it become the tuple of a shape."""
    call, module = found.node, found.module
    given = [module.text(a) for a in call.args]
    behind = call.args[found.position :]
    if _is_sampler(found) and all(isinstance(a, ast.Constant) for a in behind):
        given[found.position :] = [tuple_text(given[found.position :])]
    given.insert(found.position, module.text(found.keyword.value))
    given += [module.text(k) for k in call.keywords if k is not found.keyword]
    yield Draft(module).replace(call, f"{module.text(call.func)}({', '.join(given)})")


def scale_outside(found: ScaledSample) -> Drafts:
    """Write `normal(key, loc, scale, shape)` as `loc + scale * normal(key, shape)`."""
    call, module = found.node, found.module
    if not found.path.endswith(".normal"):
        return
    parts = {k.arg: k.value for k in call.keywords}
    loc = next((parts[n] for n in ("loc", "mean", "mu") if n in parts), None)
    scale = next(
        (parts[n] for n in ("scale", "std", "stddev", "sigma", "stdev") if n in parts), None
    )
    kept = list(call.args)
    if len(kept) == 4 and loc is None and scale is None:
        loc, scale = kept[1:3]
        del kept[1:3]
    if scale is None:
        return
    options = [k for k in call.keywords if k.value is not loc and k.value is not scale]
    given = ", ".join(module.text(part) for part in (*kept, *options))
    sample = f"{atom(module, scale)} * {module.text(call.func)}({given})"
    shifted = f"{atom(module, loc)} + {sample}" if loc is not None else sample
    is_operand = isinstance(module.parents.get(call), ast.BinOp | ast.UnaryOp | ast.Attribute)
    yield Draft(module).replace(call, f"({shifted})" if is_operand else shifted).certain()
