"""Matches and fixes objects that stand where a tree of arrays belongs.

A train state stands in the place of its parameters, a module of NNX in the place of its state, or a
flat dict in the place of a nested one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_of, keyword_of, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.library_calls import given_values, is_module_of
from jaxtutor.core.diagnosis.reading.names import last_name, last_part

_KINDS = re.compile(r"subtree of(?: different)? type\s+<class '([\w.<>]+)'>")
_STATE = "flax.training.train_state.TrainState"
_NNX_STATE = "flax.nnx.statelib.State"


class Counterpart(AtFrame, frozen=True, kw_only=True):
    """An argument that is an object around the tree which belongs there.

    `before` and `after` have to stand around it, and a function for that is imported `beside` one.
    """

    given: ast.expr
    module_of: Module
    before: str = ""
    after: str = ""
    beside: ast.alias | None = None


# ---------------------------------------------------------------- a train state for its parameters


def state_for_parameters(context: FailureContext) -> Counterpart | None:
    """A train state of Flax meets parameters or gradients in one operation on trees."""
    frame, call = context.frame, context.call
    kinds = _KINDS.findall(context.message)
    if frame is None or call is None or len(kinds) != 2:
        return None
    for given in passed_arguments(call):
        fact = frame.fact(given)
        if fact is None or not _is_train_state(frame, given) or kinds.count(fact.detail) != 1:
            continue
        module, written = _source_state(context, frame, given)
        text = module.text(written)
        facts = {
            "name": frame.module.text(given),
            "argument": f"{text}.params",
            "container": last_part(fact.detail),
            "condition": last_part(kinds[1 - kinds.index(fact.detail)]),
        }
        return Counterpart(
            module.location(written),
            facts,
            context=context,
            given=written,
            module_of=module,
            after=".params",
        )
    return None


def _is_train_state(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    return fact is not None and _STATE in (fact.detail, *fact.bases)


def _source_state(
    context: FailureContext, frame: FrameContext, given: ast.expr
) -> tuple[Module, ast.expr]:
    """Return the train state that an argument was made from: itself, or one in an assignment."""
    mapped = _mapped_state(frame, given_values(context, frame, given))
    if mapped is not None:
        return frame.module, mapped
    failing = context.node
    others = [
        (module, node.value)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Assign) and path_of(node.targets[0]) == path_of(given)
        if isinstance(given, ast.Attribute) and not any(n is failing for n in ast.walk(node))
    ]
    if len(others) != 1:
        return frame.module, given
    module, value = others[0]
    is_mapped = isinstance(value, ast.Call) and (module.dotted(value.func) or "") in _MAPS
    source = value.args[1] if isinstance(value, ast.Call) and len(value.args) == 2 else None
    source = source if is_mapped else value
    is_path = source is not None and path_of(source) is not None
    return (module, source) if source is not None and is_path else (frame.module, given)


_MAPS = ("jax.tree.map", "jax.tree_util.tree_map")


def _mapped_state(frame: FrameContext, values: list[ast.expr]) -> ast.expr | None:
    """Return the train state over which the tree was mapped that became the argument."""
    for value in values:
        if isinstance(value, ast.Call) and (frame.callee(value) or "").startswith("jax.tree"):
            found = [a for a in value.args if _is_train_state(frame, a)]
            return found[0] if len(found) == 1 else None
    return None


# ---------------------------------------------------------------- a module for its state


def module_for_state(context: FailureContext) -> Counterpart | None:
    """A module of NNX is passed where the state of its parameters belongs."""
    frame, call = context.frame, context.call
    if frame is None or call is None or _NNX_STATE not in _KINDS.findall(context.message):
        return None
    given = [a for a in passed_arguments(call) if is_module_of("nnx", frame, a)]
    if len(given) != 1:
        return None
    text = frame.module.text(given[0])
    taken, choice = _selection(context)
    before = f"{taken}("
    after = f", {choice})" if choice else ")"
    facts = {"name": text, "argument": f"{before}{text}{after}", "container": taken}
    return Counterpart(
        frame.place(given[0]),
        facts,
        context=context,
        given=given[0],
        module_of=frame.module,
        before=before,
        after=after,
    )


def _selection(context: FailureContext) -> tuple[str, str]:
    """Return how the program writes `nnx.state`, and the filter that it passes with a module."""
    module = context.frame.module if context.frame is not None else None
    calls = [
        (other, node)
        for other in context.modules.values()
        for node in calls_of(other, "flax.nnx.state")
    ]
    filters = {other.text(node.args[1]) for other, node in calls if len(node.args) == 2}
    nnx = "nnx"
    if module is not None:
        nnx = next((a for a, p in module.imports.items() if p == "flax.nnx"), nnx)
    is_whole = bool(calls) and not filters
    return f"{nnx}.state", "" if is_whole else filters.pop() if len(filters) == 1 else "nnx.Param"


def around(found: Counterpart) -> Drafts:
    """Take the tree that belongs there out of the object."""
    draft = Draft(found.module_of).certain()
    if found.beside is not None:
        draft.after(found.beside, ", unflatten_dict")
    yield draft.wrap(found.given, found.before, found.after)


# ---------------------------------------------------------------- a flat dict for a nested one

_LISTED = re.compile(r"with (?:\d+ child\s+keys?|metadata)\n((?:[ ]+[^\n]*\n?)+)")
_PATH = re.compile(r"\(('[^()]*)\)")
_IS_TUPLE = re.compile(r"^\s*\((?:\(|'[^']*', '[^']*'\)\s*$)")
_KEY = re.compile(r"'([^']*)'|(?<![\w'/.])(\w[\w/.]*)(?![\w'])")


def flat_for_nested(context: FailureContext) -> Counterpart | None:
    """A dict with paths for its keys, of `flatten_dict`, meets the nested dict it was made from."""
    frame, call = context.frame, context.call
    listed = [_first_keys(text) for text in _LISTED.findall(context.message)]
    if frame is None or call is None or len(listed) != 2:
        return None
    flat = [keys for keys, is_flat in listed if is_flat]
    nested = [keys for keys, is_flat in listed if not is_flat]
    made = _flattening(context)
    if made is None or len(flat) != 1 or not flat[0] or flat[0] != nested[0]:
        return None
    module, node, flatten = made
    name = re.sub(r"flatten_dict$", "unflatten_dict", module.text(flatten.func))
    separator = keyword_of(flatten, "sep")
    after = f", sep={module.text(separator.value)})" if separator is not None else ")"
    text = module.text(node)
    facts = {"name": text, "argument": f"{name}({text}{after}", "container": name}
    return Counterpart(
        module.location(node),
        facts,
        context=context,
        given=node,
        module_of=module,
        before=f"{name}(",
        after=after,
        beside=_imported(module) if name == "unflatten_dict" else None,
    )


def _imported(module: Module) -> ast.alias | None:
    """Return the part of an import that names `flatten_dict`."""
    aliases = (n for n in module.nodes if isinstance(n, ast.alias) and n.name == "flatten_dict")
    return next(aliases, None)


def _first_keys(text: str) -> tuple[set[str], bool]:
    """Return the first parts of the keys that a message lists, and whether they are paths.

    Older versions of jax list plain keys without quotes.
    """
    text = re.sub(r"^(\s*)\((.*)\)$", r"\1\2", text.rstrip()) if _IS_TUPLE.search(text) else text
    paths = [re.findall(r"'([^']*)'", path) for path in _PATH.findall(text)]
    if paths:
        return {path[0] for path in paths if path}, True
    keys = [quoted or bare for quoted, bare in _KEY.findall(text)]
    return {re.split(r"[/.]", key)[0] for key in keys}, any(re.search(r"[/.]", k) for k in keys)


def _flattening(context: FailureContext) -> tuple[Module, ast.expr, ast.Call] | None:
    """Find what to unflatten, and the call of `flatten_dict`: the only one, in one function."""
    calls = [(module, node) for module in context.modules.values() for node in module.calls]
    is_nested = any(_ends(call, "unflatten_dict") for _, call in calls)
    made = [(module, call) for module, call in calls if _ends(call, "flatten_dict")]
    if is_nested or len(made) != 1:
        return None
    module, flatten = made[0]
    function = module.function(flatten)
    if function is not None:
        result = result_of(function)
        return (module, result, flatten) if result is not None else None
    uses = list(_uses(module, flatten))
    return (module, uses[0], flatten) if len(uses) == 1 else None


def _ends(call: ast.Call, name: str) -> bool:
    return last_name(call.func) == name


def _uses(module: Module, flatten: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of calls of Optax that come from a dict made at the top of a file."""
    made = [n for n in module.tree.body if isinstance(n, ast.Assign)]
    names = {path_of(made_in.targets[0]) for made_in in made if flatten in ast.walk(made_in)}
    later = {
        path_of(n.targets[0])
        for n in made
        if isinstance(n.value, ast.DictComp)
        and names & {path_of(m) for m in ast.walk(n.value) if isinstance(m, ast.Name)}
    }
    for node in module.nodes:
        path = (module.dotted(node.func) or "") if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and path.startswith("optax."):
            given = passed_arguments(node)
            yield from (a for a in given if path_of(a) and path_of(a) in names | later)


RULES = (
    Rule("train-state-for-params", raised(state_for_parameters), around),
    Rule("module-for-its-state", raised(module_for_state), around),
    Rule("flat-dict-for-tree", raised(flat_for_nested), around),
)
