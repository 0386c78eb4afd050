"""Fixes uses of vmap: which argument is mapped along which axis, and what a body sees."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.data.observations import MappedSquare
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.shapes.asserted import expect_one_example
from jaxtutor.core.diagnosis.causes.shapes.mapped_axes import (
    AtVmap,
    in_axes,
    keyword_argument,
    mapped,
    one_example,
    shared_states,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts, span_end
from jaxtutor.core.diagnosis.editing.expressions import add_argument, add_option, tuple_text
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, every
from jaxtutor.core.diagnosis.observed.arithmetic import SharedMatrix, mapped_square
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.library_calls import is_key
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import is_number


def shape_of(frame: FrameContext, node: ast.expr) -> tuple[int, ...] | None:
    """Read the shape of an argument, where it is known."""
    if is_number(node):
        return ()
    fact = frame.fact(node)
    if fact is None:
        return None
    if fact.kind == "number":
        return ()
    found = re.search(r"\[([\d,]*)\]", fact.detail)
    if found is None:
        return None
    return tuple(int(part) for part in found[1].split(",") if part)


def complete_in_axes(found: AtVmap) -> Drafts:
    """Map the arguments by their shapes; where those are not known, try what was left out."""
    if found.form == "rank":
        yield from _first_axes(found)
        return
    item, call = found.vmap, found.call
    given = item.option("in_axes") if item is not None else None
    if found.form == "names" and item is not None and given is not None:
        yield Draft(item.module).replace(given, found.facts["argument"]).certain()
        return
    yield from map_batch_axes(found)
    if item is None or call is None or not isinstance(given, ast.Tuple):
        return
    texts = [item.module.text(entry) for entry in given.elts]
    missing = len(call.args) - len(texts)
    if missing <= 0:
        return
    # The entry that was left out is mostly that of the last argument, such as the labels.
    place = texts.index("None") if "None" in texts else len(texts)
    for axes in (
        [*texts, *["0"] * missing],
        [*texts[:place], *["None"] * missing, *texts[place:]],
        [*texts, *["None"] * missing],
    ):
        yield Draft(item.module).replace(given, tuple_text(axes))


def _first_axes(found: AtVmap) -> Drafts:
    """Map along the first axis what has no axis of the number that `in_axes` has for it."""
    given = found.vmap.option("in_axes") if found.vmap is not None else None
    named = found.facts["detail"]
    for node in ast.walk(given) if given is not None else ():
        if found.vmap is not None and isinstance(node, ast.Constant) and repr(node.value) == named:
            yield Draft(found.vmap.module).replace(node, "0")


def _in_axes(item: AppliedTransform, axes: list[int | None]) -> Draft | None:
    if all(axis is None for axis in axes):
        return None
    text = tuple_text([str(axis) for axis in axes])
    given = item.option("in_axes")
    if given is None and item.call is not None and len(item.call.args) > 1:
        given = item.call.args[1]
    if given is not None:
        return Draft(item.module).replace(given, text)
    return add_option(item, f"in_axes={text}")


def map_batch_axes(found: AtVmap) -> Drafts:
    """Map each argument along the axis that has the size of the batch, or not at all."""
    item, frame, call = found.vmap, found.frame, found.call
    if item is None or call is None:
        return
    if found.form in ("model", "members"):
        draft = _model_axes(item, found.facts["argument"])
        yield draft.certain() if draft is not None and _is_ensemble(found) else draft
        return
    trees = ("dict", "list", "tuple", "other")
    shapes = [
        () if shape is None and frame.kind(given) in trees else shape
        for shape, given in zip(_shapes(found, item, call), call.args, strict=True)
    ]
    if found.form == "key":
        keys = [n for n, shape in enumerate(shapes) if shape == (2,)]
        yield _split_keys(found, call, shapes, keys)
        return
    yield _map_over_pairs(item, shapes)
    known = [s for s in shapes if s]
    if not known or any(s is None for s in shapes):
        return
    sizes = dict.fromkeys(s[0] for s in known)
    votes = sorted(sizes, key=lambda size: -sum(size == s[0] for s in known))
    for batch in dict.fromkeys([*([known[0][0]] if len(votes) == len(known) else []), *votes]):
        yield _in_axes(item, [_axis(s or (), batch) for s in shapes])


def _model_axes(item: AppliedTransform, axes: str) -> Draft | None:
    """Map over the arrays of a model, and share the other arguments."""
    given = item.option("in_axes")
    if given is not None:
        return Draft(item.module).replace(given, axes)
    if item.call is None:
        return Draft(item.module).after(item.node, f"(in_axes={axes})")
    return add_option(item, f"in_axes={axes}")


def _is_ensemble(found: AtVmap) -> bool:
    """Return whether the program makes the models of a call by another vmap."""
    facts = [found.frame.fact(a) for a in found.call.args] if found.call is not None else []
    classes = {last_part(fact.detail) for fact in facts if fact is not None}
    return any(
        last_name(node.func) in classes
        for item in every(found.context, "vmap")
        if found.vmap is None or item.node is not found.vmap.node
        for node in calls_in(item.function or item.node)
    )


def _map_over_pairs(item: AppliedTransform, shapes: list[tuple[int, ...] | None]) -> Draft | None:
    """Map a function of two alike arguments over all pairs: as many rows as one has, as columns."""
    function = item.call.args[0] if item.call is not None and item.call.args else None
    if len(shapes) != 2 or function is None or item.option("in_axes") is not None:
        return None
    first, second = (shape or () for shape in shapes)
    if not first or not second or first[1:] != second[1:]:
        return None
    draft, module = Draft(item.module), item.module
    inner = f"{draft.name('jax.vmap')}({module.text(function)}, in_axes=(None, 0))"
    draft.replace(function, f"{inner}, in_axes=(0, None)")
    return draft


def _shapes(found: AtVmap, item: AppliedTransform, call: ast.Call) -> list[tuple[int, ...] | None]:
    """List the shapes of a call's arguments, also by what JAX's message says of them."""
    shapes = [shape_of(found.frame, a) for a in call.args]
    arguments = r"argument (?:(\w+)|args\[(\d+)\]) of type \w+\[([\d,]*)\]"
    names = parameter_names(item.function)
    for name, number, dims in re.findall(arguments, found.context.message):
        position = int(number) if number else names.index(name) if name in names else -1
        if 0 <= position < len(shapes) and shapes[position] is None:
            shapes[position] = tuple(int(part) for part in dims.split(",") if part)
    return shapes


def _axis(shape: tuple[int, ...], batch: int) -> int | None:
    if shape and shape[0] == batch:
        return 0
    return next((n for n, size in enumerate(shape) if size == batch), None)


def share_numbers(found: AtVmap) -> Drafts:
    """Share a number between all examples: its in_axes is None."""
    item, call = found.vmap, found.call
    if item is None or call is None:
        return
    if found.form == "state" and item.call is not None and item.option("in_axes") is None:
        axes_of_state = f"in_axes=({', '.join(shared_states(found))}), out_axes=(0, None)"
        yield add_argument(Draft(item.module), item.call, axes_of_state).certain()
        return
    if call.keywords:
        yield from pass_by_position(found)
    shapes = [shape_of(found.frame, a) for a in call.args]
    axes: list[int | None] = [None if shape == () else 0 for shape in shapes]
    keys = [n for n, a in enumerate(call.args) if axes[n] is None and _is_one_key(found.frame, a)]
    yield _split_keys(found, call, shapes, keys)
    if None in axes:
        shared = _in_axes(item, axes)
        sizes = {shape[0] for shape in shapes if shape}
        is_only = not keys and None not in shapes and len(sizes) == 1
        yield shared.certain() if shared is not None and is_only else shared
    for position in [n for n, shape in enumerate(shapes) if shape is None]:
        guess = list(axes)
        guess[position] = None
        yield _in_axes(item, guess)


def _split_keys(
    found: AtVmap, call: ast.Call, shapes: list[tuple[int, ...] | None], keys: list[int]
) -> Draft | None:
    """Split single keys for as many examples as another argument has.

    The edit is not certain: one key for all examples may be meant.
    """
    others = [a for n, a in enumerate(call.args) if shapes[n] and n not in keys]
    if not keys or not others or path_of(others[0]) is None:
        return None
    draft = Draft(found.module)
    for n in keys:
        text = f", {found.module.text(others[0])}.shape[0])"
        draft.wrap(call.args[n], f"{draft.name('jax.random.split')}(", text)
    return draft


def _is_one_key(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an argument is a single PRNG key, of which each example needs its own."""
    fact = frame.fact(node)
    return fact is not None and (fact.kind == "typed_key" or is_key(fact.detail))


def pass_by_position(found: AtVmap) -> Drafts:
    """Pass by position what was passed by keyword, so that in_axes can count it."""
    item, call, module = found.vmap, found.call, found.module
    if item is None or call is None or not call.keywords or item.function is None:
        return
    names = parameter_names(item.function)
    if names[:1] == ["self"]:
        names = names[1:]
    given = names[len(call.args) :][: len(call.keywords)]
    by_name = {k.arg: k.value for k in call.keywords}
    if set(given) != set(by_name):
        return
    texts = [module.text(a) for a in (*call.args, *(by_name[name] for name in given))]
    func, option = module.text(call.func), item.option("in_axes")
    if option is not None:
        yield Draft(module).replace(call, f"{func}({', '.join(texts)})")
    elif call.func is item.node:
        for axis in ("None", "0"):
            axes = ", ".join(["0"] * len(call.args) + [axis] * len(given))
            mapped = f"{func[:-1]}, in_axes=({axes}))"
            yield Draft(module).replace(call, f"{mapped}({', '.join(texts)})")
    elif item.module is module:  # the call and the vmap stand apart: change both
        draft = _in_axes(item, [0] * len(call.args) + [None] * len(call.keywords))
        yield draft.replace(call, f"{func}({', '.join(texts)})") if draft is not None else None


def count_one_axis_fewer(found: AtFrame) -> Drafts:
    """Let a body count one axis fewer: vmap took the batch axis away."""
    yield _one_fewer(found.module, found.at) if found.at is not None else None


def _one_fewer(module: Module, node: ast.AST) -> Draft | None:
    draft = Draft(module)
    match node:
        case ast.Call():
            axes = [k.value for k in node.keywords if k.arg in ("axis", "dim")]
            axes += [a for a in node.args[1:2] if is_number(a)]
            for axis in axes:
                number = axis.value if isinstance(axis, ast.Constant) else None
                if isinstance(number, int) and number > 0:
                    return draft.replace(axis, str(number - 1))
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(), *rest])) if rest:
            text = ", ".join(module.text(item) for item in rest)
            first, last = module.span(node.slice), module.span(rest[-1])
            place = Span(first.line, first.column, *span_end(last))
            return draft.replace(place, text)
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=int(at))):
            return draft.replace(node.slice, str(at - 1)) if at > 0 else None
    statement = module.statement(node)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
        rest = statement.targets[0].elts[1:]
        text = ", ".join(module.text(name) for name in rest) + ("," if len(rest) == 1 else "")
        return draft.replace(statement.targets[0], text) if rest else None
    return None


def share_first(found: SharedMatrix) -> Drafts:
    """Share the first argument between all examples."""
    count = len(parameters(found.vmap.function))
    if count >= 2:
        yield _in_axes(found.vmap, [None, *[0] * (count - 1)])


RULES = (
    Rule(
        "vmap-keyword-argument",
        raised(keyword_argument),
        pass_by_position,
        before=("vmap-in-axes-mismatch",),
    ),
    Rule("vmap-in-axes-mismatch", raised(in_axes), complete_in_axes),
    Rule("vmap-axis-mismatch", raised(mapped), map_batch_axes),
    Rule(
        "vmap-body-sees-one-example",
        raised(one_example),
        by_match(count_one_axis_fewer, expect_one_example),
    ),
    Rule("vmap-maps-shared-argument", observed((MappedSquare, mapped_square)), share_first),
)
