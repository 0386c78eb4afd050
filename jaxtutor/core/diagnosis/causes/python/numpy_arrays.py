"""Matches and fixes NumPy arrays that JAX cannot take, or that lack what JAX's arrays have."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.value_origins import value_origin
from jaxtutor.core.diagnosis.reading.calls import keyword_value

_CONSTRUCTORS = frozenset(
    "zeros ones full arange linspace eye array asarray zeros_like ones_like full_like".split()
)


class PlainArray(AtFrame, frozen=True, kw_only=True):
    """An array of NumPy on which `.at` is read, and the call in the file `home` that made it."""

    array: ast.expr
    home: Module
    made: ast.Call | None


def without_at(context: FailureContext) -> PlainArray | None:
    """A program reads `.at` of an array of NumPy."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Attribute) or node.attr != "at":
        return None
    home, made = _constructor(context, node.value) or (frame.module, None)
    facts = {"name": frame.module.text(node.value)}
    if made is not None:
        facts |= {"detail": home.text(made), "condition": f"jnp.{_numpy_function(home, made)}(…)"}
    return PlainArray(
        home.location(made) if made is not None else None,
        facts,
        "made" if made is not None else "",
        context=context,
        array=node.value,
        home=home,
        made=made,
    )


def _numpy_function(module: Module, call: ast.Call) -> str:
    return (module.dotted(call.func) or "").removeprefix("numpy.")


def _constructor(context: FailureContext, array: ast.expr) -> tuple[Module, ast.Call] | None:
    """Find the only call of NumPy that made an array."""
    path, frame = path_of(array), context.frame
    if path is None or frame is None:
        return None
    if isinstance(array, ast.Attribute):
        found = [*_attribute_values(frame.module, array)]
    else:
        origin = value_origin(context.frames, path)
        found = [(origin.module, origin.node)] if origin is not None else []
    if len(found) != 1:
        return None
    module, node = found[0]
    if isinstance(node, ast.Call) and (module.dotted(node.func) or "").startswith("numpy."):
        return (module, node) if _numpy_function(module, node) in _CONSTRUCTORS else None
    return None


def _attribute_values(module: Module, attribute: ast.Attribute) -> list[tuple[Module, ast.expr]]:
    """List what a file assigns to an attribute, without updates of that attribute itself."""
    path = path_of(attribute)
    return [
        (module, node.value)
        for node in module.nodes
        if isinstance(node, ast.Assign)
        and any(path_of(target) == path for target in node.targets)
        and not any(path_of(part) == path for part in ast.walk(node.value))
    ]


def as_jax_array(found: PlainArray) -> Drafts:
    """Make the array with JAX, where it is made or where it is updated: only JAX has `.at`."""
    if found.made is not None:
        draft = Draft(found.home).certain()
        name = draft.name(f"jax.numpy.{_numpy_function(found.home, found.made)}")
        yield draft.replace(found.made.func, name)
    draft = Draft(found.module).certain()
    text = found.module.text(found.array)
    yield draft.replace(found.array, f"{draft.name('jax.numpy.asarray')}({text})")


# ---------------------------------------------------------------- arrays of objects


class OfObjects(AtFrame, frozen=True, kw_only=True):
    """An array of NumPy that holds objects, and the call of `np.load` that it comes from."""

    home: Module
    loaded: ast.Call | None


def array_of_objects(context: FailureContext) -> OfObjects | None:
    """An array of objects is passed to JAX, or read as the dict that it holds."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return None
    inside = (path for part in ast.walk(node) if (path := path_of(part)) is not None)
    names = [n for n in inside if _is_of_objects(context, n)]
    if not names:
        return None
    loads = [(m, c) for m in context.modules.values() for c in m.nodes if _loads(m, c)]
    is_single = _object_shape(context, names[0]) == "[]"
    home, loaded = loads[0] if len(loads) == 1 and is_single else (frame.module, None)
    call = loaded if isinstance(loaded, ast.Call) else None
    facts = {"name": names[0], "detail": home.text(call) if call is not None else ""}
    return OfObjects(
        home.location(call) if call is not None else None,
        facts,
        "loaded" if call is not None else "",
        context=context,
        home=home,
        loaded=call,
    )


def _is_of_objects(context: FailureContext, name: str) -> bool:
    fact = context.frame.fact(name) if context.frame is not None else None
    return fact is not None and fact.kind == "ndarray" and fact.detail.startswith("object[")


def _object_shape(context: FailureContext, name: str) -> str:
    fact = context.frame.fact(name) if context.frame is not None else None
    return fact.detail.removeprefix("object") if fact is not None else ""


def _loads(module: Module, node: ast.AST) -> bool:
    """Return whether a node loads what was pickled, and does not take it out of its array."""
    if not isinstance(node, ast.Call) or module.dotted(node.func) != "numpy.load":
        return False
    allowed = keyword_value(node, "allow_pickle")
    return isinstance(allowed, ast.Constant) and allowed.value is True


def take_object(found: OfObjects) -> Drafts:
    """Take the object out of the array of one object that it was saved in."""
    if found.loaded is not None:
        text = atom(found.home, found.loaded)
        yield Draft(found.home).certain().replace(found.loaded, f"{text}.item()")


RULES = (
    Rule("numpy-array-without-at", raised(without_at), as_jax_array),
    Rule("array-of-objects", raised(array_of_objects), take_object),
)
