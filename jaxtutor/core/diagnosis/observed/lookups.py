"""Names indices that left an array, and indices that occur twice in one update."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import Observation, OutOfBounds, SameIndexTwice, SliceMoved
from jaxtutor.core.diagnosis.editing.updates import AtUpdate, at_update
from jaxtutor.core.diagnosis.engine.matches import CallFinding, Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in, path_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.words import MASKS, says


def out_of_bounds(spot: ObservedLocation[OutOfBounds]) -> Finding | None:
    """An index past the end, where nothing says that this is meant."""
    if _is_window(spot):
        return None
    if spot.seen.library == "segments":
        return _segments(spot)
    is_meant = _is_guarded(spot) if _is_lookup(spot) else not _is_library_lookup(spot)
    if is_meant or _is_checked(spot):
        return None
    return spot.found(form="one_hot" if spot.seen.library == "one_hot" else "")


def _is_checked(spot: ObservedLocation[Observation]) -> bool:
    """Return whether the file uses `checkify`, which looks for this itself."""
    return "checkify.checkify" in spot.module.source


def _segments(spot: ObservedLocation[OutOfBounds]) -> Finding | None:
    """Sums by numbers that have no place, where nothing says that those are padding."""
    if spot.seen.is_from_one:
        return spot.found(form="segments")
    called = spot.called().rpartition(".")[2]
    if not called.startswith("segment_") or _names_mask(spot.module.tree):
        return None
    return spot.found(form="few_segments")


def _is_lookup(spot: ObservedLocation[Observation]) -> bool:
    if isinstance(spot.node, ast.Subscript):
        return True
    if not isinstance(spot.node, ast.Call) or any(k.arg == "mode" for k in spot.node.keywords):
        return False
    return spot.called().rpartition(".")[2] in ("take", "take_along_axis", "get")


_LOOKUPS = ("Embed.__call__", "Embedding.__call__", "integer_labels", "one_hot")


def _is_library_lookup(spot: ObservedLocation[OutOfBounds]) -> bool:
    """Return whether a library looked up ids of the program's in a table, and nothing masks them.

    A negative id may stand for "no label", and a mask may choose among the results.
    """
    named = spot.seen.library
    too_large = spot.seen.index >= spot.seen.size
    if not named.endswith(_LOOKUPS) or not too_large or not isinstance(spot.node, ast.Call):
        return False
    if named == "one_hot" and not spot.seen.is_from_one and not _encodes_labels(spot):
        return False
    return not _names_mask(spot.function)


def _names_mask(scope: ast.AST) -> bool:
    """Return whether a name in some code speaks of a mask, or of padding."""
    nodes = list(ast.walk(scope))
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    names |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    names |= {n.arg for n in nodes if isinstance(n, ast.keyword | ast.arg) and n.arg}
    return any(says(name, MASKS) for name in names)


def _encodes_labels(spot: ObservedLocation[Observation]) -> bool:
    """Return whether a loss compares what is encoded with logarithms of probabilities.

    Positions in a buffer, for instance, are encoded as zeros where they do not fit, on purpose.
    """
    module, call = spot.module, spot.node
    statement = module.statement(call) if call is not None else None
    names = bound_names(statement) if isinstance(statement, ast.Assign) else set[str]()
    for node in ast.walk(module.scope(call)) if call is not None else ():
        match node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                sides: tuple[ast.expr, ...] = (left, right)
                others = any(_is_logarithm(module, side) for side in sides)
            case ast.Call(func=func, args=args, keywords=keywords):
                sides = (*args, *(k.value for k in keywords))
                others = (module.dotted(func) or "").startswith("optax.")
            case _:
                continue
        if others and any(side is call or path_of(side) in names for side in sides):
            return True
    return False


def _is_logarithm(module: Module, node: ast.expr) -> bool:
    made = bound_value(module, node)
    path = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    return path.endswith((".log_softmax", "numpy.log"))


def _is_guarded(spot: ObservedLocation[Observation]) -> bool:
    """Return whether the function chooses by a condition on the index, and may read anywhere."""
    node = spot.node
    index = node.slice if isinstance(node, ast.Subscript) else node
    names = names_in(index) if index is not None else set()
    for call in ast.walk(spot.function):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = path_of(call.func) or ""
        chooses = name.rpartition(".")[2] in ("where", "select", "select_n", "cond", "clip")
        if chooses and names & names_in(call.args[0]):
            return True
    return False


def _is_window(spot: ObservedLocation[Observation]) -> bool:
    name = spot.called().rpartition(".")[2]
    return name.startswith(("dynamic_slice", "dynamic_update_slice"))


def slice_moved(spot: ObservedLocation[OutOfBounds | SliceMoved]) -> Finding | None:
    """A window of an array that does not fit, and that JAX moves."""
    return spot.found() if _is_window(spot) and not _is_guarded(spot) else None


def index_as_slice(spot: ObservedLocation[SliceMoved]) -> Finding | None:
    """An index past the end that was compiled as a slice."""
    is_index = isinstance(spot.node, ast.Subscript) and not _is_guarded(spot)
    return spot.found() if is_index and not _is_checked(spot) else None


class RepeatedIndex(CallFinding, frozen=True, kw_only=True):
    """An update that sets an element twice, from what it read before."""

    update: AtUpdate


def same_index_twice(spot: ObservedLocation[SameIndexTwice]) -> RepeatedIndex | None:
    """`x.at[i].set(x[i] + v)` with an index that occurs twice."""
    update = at_update(spot.node)
    if update is None or not isinstance(spot.node, ast.Call):
        return None
    wanted = (ast.dump(update.array), ast.dump(update.subscript.slice))
    reads = [n for a in spot.node.args[:1] for n in ast.walk(a) if isinstance(n, ast.Subscript)]
    if update.method != "set" or wanted not in [
        (ast.dump(n.value), ast.dump(n.slice)) for n in reads
    ]:
        return None
    facts = {**spot.facts, "name": spot.module.text(update.array)}
    return RepeatedIndex(module=spot.module, node=spot.node, facts=facts, update=update)


RULES = (
    Rule(
        "out-of-bounds-clamped",
        observed((OutOfBounds, out_of_bounds), (SliceMoved, index_as_slice)),
    ),
    Rule(
        "dynamic-slice-clamped",
        observed((OutOfBounds, slice_moved), (SliceMoved, slice_moved)),
    ),
)
