"""Matches and fixes draws without a key, with the key in another place, or with many keys."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of, swap_nodes
from jaxtutor.core.diagnosis.editing.parameters import pass_through
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import last_part

_NNX_STREAM = re.compile(r"rnglib\.(?:RngStream|Rngs)\b")
_KEY_NAMES = ("key", "rng", "rng_key", "prng_key")
_KEY_MAKERS = ("key", "PRNGKey", "fold_in")


def not_a_key(context: FailureContext) -> AtCall | None:
    """A function of jax.random is given something else where the key belongs."""
    call = at_call(context)
    if call is None or not call.path.startswith("jax.random.") or not call.node.args:
        return None
    facts = {"name": call.module.text(call.node.args[0]), "function": call.path}
    form = "stream" if _NNX_STREAM.search(context.message) else ""
    return replace(call, facts=facts, form=form)


def key_first(found: AtCall) -> Drafts:
    """Pass the key first, or create one from the seed."""
    call, module, frame = found.node, found.module, found.frame
    if found.form == "stream":
        yield Draft(module).certain().after(call.args[0], "()")
        return
    others = [a for a in call.args[1:] if _is_key(found, a)]
    if len(others) == 1:
        yield swap_nodes(module, call.args[0], others[0]).certain()
        return
    first = call.args[0]
    is_seed = isinstance(first, ast.Constant) and type(first.value) is int
    if is_seed or frame.kind(first) == "number":
        draft = Draft(module)
        yield draft.wrap(first, f"{draft.name('jax.random.key')}(", ")").certain()
        return
    yield from _add_key(module, call)


def _add_key(module: Module, call: ast.Call) -> Drafts:
    """Pass a key to a draw that has none: a new one for each draw, split from the key in sight."""
    statement, function = module.statement(call), module.function(call)
    scopes = [function, module.tree] if function is not None else [module.tree]
    names = ((scope, name) for scope in scopes for name in _keys_of(module, scope))
    scope, name = next(names, (None, ""))
    if statement is None or scope is None or isinstance(function, ast.Lambda):
        draft = Draft(module)
        yield draft.before(call.args[0], f"{draft.name('jax.random.key')}(0), ")
        return
    draft = Draft(module)
    new = fresh_name(module, "subkey", "fresh_key")
    indent, split = indent_of(module, statement), draft.name("jax.random.split")
    draft.add_lines(statement.lineno, f"{indent}{name}, {new} = {split}({name})")
    draft.before(call.args[0], f"{new}, ")
    if scope is module.tree and isinstance(function, ast.FunctionDef):
        yield pass_through(draft, function, name, name)
    else:
        yield draft


def _keys_of(module: Module, scope: ast.AST) -> list[str]:
    """List the names of a scope that are bound to keys, and parameters that are called like one."""
    given = parameters(scope) if isinstance(scope, FunctionNode) else []
    found = [a.arg for a in given if a.arg in _KEY_NAMES]
    for node in own_nodes(scope):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            path = module.dotted(node.value.func) or ""
            is_key = path.startswith("jax.random.") and last_part(path) in _KEY_MAKERS
            found += [t.id for t in node.targets if is_key and isinstance(t, ast.Name)]
    return found


def _is_key(found: AtCall, node: ast.expr) -> bool:
    fact = found.frame.fact(node)
    if fact is not None and (fact.kind == "typed_key" or fact.detail.startswith("key<")):
        return True
    path = found.frame.callee(node) or ""
    return path in ("jax.random.key", "jax.random.PRNGKey", "jax.random.fold_in")


class KeysForStream(AtCall, frozen=True, kw_only=True):
    """Streams of a Flax model, one of which gets the array `keys`."""

    keys: ast.expr


def key_array(context: FailureContext) -> AtCall | None:
    """A whole array of keys is passed where one key belongs."""
    call = at_call(context)
    if call is None:
        return None
    if "``rngs``" in context.message:
        return _keys_for_stream(call)
    if not call.path.startswith("jax.random.") or not call.node.args:
        return None
    return replace(call, facts={"name": call.module.text(call.node.args[0])})


def _keys_for_stream(call: AtCall) -> KeysForStream | None:
    """Match a stream of random numbers that gets several keys, or one in an array."""
    for given in [*call.node.args, *(k.value for k in call.node.keywords)]:
        streams = given.values if isinstance(given, ast.Dict) else [given]
        for keys in streams:
            fact = call.frame.fact(keys)
            if fact is not None and _KEYS.fullmatch(fact.detail):
                facts = {"name": call.module.text(keys), "detail": fact.detail}
                return KeysForStream(
                    None, facts, "stream", context=call.context, node=call.node, keys=keys
                )
    return None


_KEYS = re.compile(r"key<\w+>\[\d[\d,]*\]|uint32\[\d[\d,]*,2\]")


def take_first(found: KeysForStream) -> Drafts:
    """Pass the first key of an array."""
    yield Draft(found.module).after(found.keys, "[0]")


RULES = (
    Rule(
        "key-array-for-key",
        raised(key_array),
        by_match(take_first),
        before=("typed-key-as-raw-array",),
    ),
)
