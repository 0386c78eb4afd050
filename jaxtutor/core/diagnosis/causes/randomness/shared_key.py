"""Finds simulations that `jax.vmap` runs side by side with one random key for all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    name_of,
    resolve,
    transformation,
)
from jaxtutor.core.diagnosis.observed.keys import is_on_purpose
from jaxtutor.core.diagnosis.observed.state import names_of
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    argument_for,
    calls_in,
    calls_to,
    keyword_value,
)
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import load_sites
from jaxtutor.core.diagnosis.reading.values import is_none
from jaxtutor.core.diagnosis.words import KEYS, says

_COMPILED_LOOPS = {
    "jax.lax.scan": (0, 1),
    "jax.lax.fori_loop": (2, 3),
    "jax.lax.while_loop": (1, 2),
}
"""Loops of JAX, with the positions of the body and of what they start from."""

_NOISE = ("diffrax.VirtualBrownianTree", "diffrax.UnsafeBrownianPath")
"""Paths of noise in Diffrax, which a key decides."""

_IN_AXES = "write 0 in `in_axes` where None stands for it now"
_IN_LAMBDA = "give the lambda a second parameter for the key of one state"


class Mapped(Struct, frozen=True):
    """A mapped function: which of its parameters have a value for each member, and which do not."""

    item: AppliedTransform
    function: FunctionNode
    mapped: frozenset[str]
    shared: frozenset[str]


class SharedKey(Finding, frozen=True, kw_only=True):
    """A mapped function whose members all draw from the parameter `key`."""

    shared: Mapped
    key: str


def shared_keys(module: Module) -> Iterator[SharedKey]:
    """Yield each `jax.vmap` whose function simulates from a mapped state with a shared key."""
    for item in applied(module):
        found = _key_mapping(item) if item.kind == "vmap" else None
        key = _key_of_simulation(module, found) if found is not None else ""
        if found is not None and key:
            is_lambda = isinstance(item.function, ast.Lambda)
            facts = {
                "name": _passed_text(found, key),
                "function": name_of(found.function),
                "detail": _IN_LAMBDA if is_lambda else _IN_AXES,
            }
            yield SharedKey(
                None, facts, "simulations", module=module, node=item.node, shared=found, key=key
            )


def _key_mapping(item: AppliedTransform) -> Mapped | None:
    """Return what is mapped, where the function and the axes are written out."""
    function, axes = item.function, _axes(item)
    if function is None:
        return None
    names = [a.arg for a in parameters(function) if a.arg != "self"]
    if isinstance(function, ast.Lambda):
        return _called_by(item, function) if axes is None else None
    if not isinstance(axes, ast.Tuple | ast.List) or len(axes.elts) > len(names):
        return None
    if not all(isinstance(axis, ast.Constant) for axis in axes.elts) or _binds_first(item):
        return None
    pairs = list(zip(names, axes.elts, strict=False))  # the others have values already
    mapped = frozenset(name for name, axis in pairs if getattr(axis, "value", None) is not None)
    return Mapped(item, function, mapped, frozenset(name for name, _ in pairs) - mapped)


def _binds_first(item: AppliedTransform) -> bool:
    """Return whether a `partial` gives the mapped function its first arguments."""
    made = item.call.args[0] if item.call is not None and item.call.args else None
    return not item.is_decorator and isinstance(made, ast.Call) and len(made.args) > 1


def _axes(item: AppliedTransform) -> ast.expr | None:
    if item.call is None:
        return None
    return argument(item.call, None if item.is_decorator else 1, "in_axes")


def _called_by(item: AppliedTransform, function: ast.Lambda) -> Mapped | None:
    """Return what is mapped by `jax.vmap(lambda s: simulate(gain, s, key))`."""
    call = function.body
    inner = resolve(item.module, call.func, call) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or inner is None:
        return None
    own = set(parameter_names(function))
    mapped, shared = set[str](), set[str]()
    for name in parameter_names(inner):
        value = argument_for(inner, call, name)
        if value is not None and names_in(value) & own:
            mapped.add(name)
        elif isinstance(value, ast.Name):
            shared.add(name)
    return Mapped(item, inner, frozenset(mapped), frozenset(shared))


def _key_of_simulation(module: Module, found: Mapped) -> str:
    """Return the shared parameter from which every member draws in a loop over its own state."""
    for name in sorted(found.shared):
        if is_on_purpose(_passed_text(found, name)) or is_on_purpose(name_of(found.function)):
            continue
        keys = _keys_from(module, found.function, name)
        if keys and any(_steps(module, n, found.mapped, keys) for n in ast.walk(found.function)):
            return name
    return ""


def _keys_from(module: Module, function: FunctionNode, name: str) -> set[str]:
    """Return a key and the names of its parts; nothing if it has another use, or is folded."""
    calls = list(calls_in(function))
    drawing = {id(c): module.dotted(c.func) or "" for c in calls}
    drawing = {node: path for node, path in drawing.items() if path.startswith("jax.random.")}
    if any(path.endswith(".fold_in") for path in drawing.values()):
        return set()
    starts = [start for c in calls if (start := _start(module, c)) is not None]
    given = [c.args[0] for c in calls if id(c) in drawing and c.args]
    given += [n for start in starts for n in ast.walk(start) if isinstance(n, ast.Name)]
    paths = [c for c in calls if module.dotted(c.func) in _NOISE]
    given += [noise for c in paths if (noise := keyword_value(c, "key")) is not None]
    reads = load_sites(function, name)
    if not reads or not all(read in given for read in reads):
        return set()
    keys = {name}
    for node in ast.walk(function):
        value = node.value if isinstance(node, ast.Assign) else None
        is_split = isinstance(value, ast.Call) and drawing.get(id(value), "").endswith(".split")
        if isinstance(value, ast.Call) and is_split and value.args:
            keys |= bound_names(node) if path_of(value.args[0]) in keys else set()
    return keys


def _start(module: Module, call: ast.Call) -> ast.expr | None:
    """Return what a compiled loop starts from."""
    positions = _COMPILED_LOOPS.get(module.dotted(call.func) or "")
    return argument(call, positions[1], "init", "init_val") if positions is not None else None


def _steps(module: Module, node: ast.AST, states: frozenset[str], keys: set[str]) -> bool:
    """Return whether a node is a loop that begins at a member's state, and draws."""
    if isinstance(node, ast.Call) and (start := _start(module, node)) is not None:
        body = argument(node, _COMPILED_LOOPS[module.dotted(node.func) or ""][0], "f", "body_fun")
        function = resolve(module, body, node) if body is not None else None
        read = names_in(node) | (names_in(function) if function is not None else set())
        return bool(names_in(start) & states) and bool(read & keys)
    if isinstance(node, ast.Call) and module.dotted(node.func) == "diffrax.diffeqsolve":
        start = argument(node, 5, "y0")
        calls = list(calls_in(module.scope(node)))
        noise = [keyword_value(c, "key") for c in calls if module.dotted(c.func) in _NOISE]
        is_own = start is not None and bool(names_in(start) & states)
        return is_own and any(path_of(key) in keys for key in noise)
    if isinstance(node, ast.For | ast.While):
        bound = {name for n in ast.walk(node) for name in bound_names(n)}
        return bool(bound & states) and bool(names_in(node) & keys)
    return False


# ---------------------------------------------------------------- the calls


def _calls_with_key(found: Mapped) -> Iterator[ast.Call]:
    """Yield the calls of a mapped function that give it its key."""
    module, item = found.item.module, found.item
    if isinstance(item.function, ast.Lambda) and isinstance(item.function.body, ast.Call):
        yield item.function.body
        return
    outer = module.parents.get(item.node)
    if isinstance(outer, ast.Call) and outer.func is item.node:
        yield outer
        return
    made = [name_of(found.function)] if item.is_decorator else names_of(module, found.function)
    for name in dict.fromkeys(made):
        yield from calls_to(module, name)


def _passed_text(found: Mapped, name: str) -> str:
    """Return what the calls of a mapped function pass for a parameter; else its own name."""
    given = [argument_for(found.function, call, name) for call in _calls_with_key(found)]
    texts = {found.item.module.text(value) for value in given if value is not None}
    return texts.pop() if len(texts) == 1 else name


# ---------------------------------------------------------------- corrections


def key_for_each(found: SharedKey) -> Drafts:
    """Map over a key for each member in the place of one key."""
    module, shared, key = found.module, found.shared, found.key
    function, outer = shared.item.function, module.parents.get(found.node)
    if not isinstance(function, ast.Lambda):
        yield _mapped_in_axes(shared, key)
    elif isinstance(outer, ast.Call):
        given = argument_for(shared.function, next(_calls_with_key(shared)), key)
        yield _as_parameter(module, outer, function, given)


def _mapped_in_axes(found: Mapped, key: str) -> Draft | None:
    """Write 0 for the key in `in_axes`, and split the key in each call."""
    module, axes = found.item.module, _axes(found.item)
    names = [a.arg for a in parameters(found.function) if a.arg != "self"]
    if not isinstance(axes, ast.Tuple | ast.List):
        return None
    draft = Draft(module).replace(axes.elts[names.index(key)], "0")
    for call in _calls_with_key(found):
        given = argument_for(found.function, call, key)
        members = [argument_for(found.function, call, n) for n in names if n in found.mapped]
        arrays = [a for a in members if isinstance(a, ast.Name | ast.Attribute)]
        if given is None or not arrays:
            return None
        draft.replace(given, _keys_for(draft, given, arrays[0]))
    return draft


def mask_for_each(found: Finding) -> Drafts:
    """Map a model with dropout over a key for each example."""
    module, outer = found.module, found.node
    map_ = outer.func if isinstance(outer, ast.Call) else None
    if not isinstance(outer, ast.Call) or not isinstance(map_, ast.Call) or not map_.args:
        return
    if transformation(module, map_.func) != "vmap":
        return
    axes = argument(map_, 1, "in_axes")
    model = map_.args[0]
    if isinstance(model, ast.Lambda) and axes is None:
        own = set(parameter_names(model))
        inner = [n for n in ast.walk(model.body) if isinstance(n, ast.Name) and is_named_key(n)]
        for key in [n for n in inner if n.id not in own][:1]:
            yield _as_parameter(module, outer, model, key)
    elif isinstance(axes, ast.Tuple | ast.List):
        for axis, given in zip(axes.elts, outer.args, strict=False):
            if is_none(axis) and is_named_key(given):
                draft = Draft(module).replace(axis, "0")
                yield draft.replace(given, _keys_for(draft, given, outer.args[0]))


def is_named_key(node: ast.expr) -> bool:
    """Return whether a name says that it is a random key."""
    return says(path_of(node) or "", KEYS)


def _as_parameter(
    module: Module, outer: ast.Call, function: ast.Lambda, key: ast.expr | None
) -> Draft | None:
    """Give a mapped lambda its key as a further parameter, and map over the keys too."""
    own = parameters(function)
    if key is None or not own or len(own) != len(outer.args) or outer.keywords:
        return None
    name = fresh_name(module, "one_key", "member_key")
    draft = Draft(module).after(own[-1], f", {name}").replace(key, name)
    return draft.after(outer.args[-1], f", {_keys_for(draft, key, outer.args[0])}")


def _keys_for(draft: Draft, key: ast.expr, members: ast.expr) -> str:
    """Write a split of a key into one for each member."""
    module = draft.module
    return f"{draft.name('jax.random.split')}({module.text(key)}, len({module.text(members)}))"
