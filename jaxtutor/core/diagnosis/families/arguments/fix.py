"""Fixes what a library's function is given: lists, numbers, objects, None."""

from __future__ import annotations

import ast
import re
from functools import singledispatch

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft, span_end
from jaxtutor.core.diagnosis.families.arguments.cells import StateFirst, input_first
from jaxtutor.core.diagnosis.families.arguments.diffusion import (
    Diffusion,
    WithoutArgs,
    diagonal_operator,
    pass_args,
)
from jaxtutor.core.diagnosis.families.arguments.einsum import Labels, reorder_labels
from jaxtutor.core.diagnosis.families.arguments.layers import MisfitLayer, fit_layer
from jaxtutor.core.diagnosis.families.arguments.match import (
    BatchToModel,
    MaskWithoutHeads,
    NotAJaxType,
    WrongLabels,
    joins,
)
from jaxtutor.core.diagnosis.families.arguments.metric_labels import MetricLabels, whole_labels
from jaxtutor.core.diagnosis.families.arguments.odeint_args import FunctionForField, close_over
from jaxtutor.core.diagnosis.families.arguments.plates import (
    GroupValues,
    PlateSize,
    index_groups,
    size_of_data,
)
from jaxtutor.core.diagnosis.families.arguments.scanned_models import scan_arrays
from jaxtutor.core.diagnosis.families.arguments.subsamples import PartOfRows, choose_rows
from jaxtutor.core.diagnosis.families.arguments.tables import LongTable, take_rows
from jaxtutor.core.diagnosis.families.effects.match import decorator_name
from jaxtutor.core.diagnosis.reading import is_number, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import atom, indent_of, tuple_text
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module, names_in, path_of
from jaxtutor.core.diagnosis.transforms import AppliedTransform


def as_sequence(found: AtCall) -> Drafts:
    """Pass arrays that were passed one by one as one tuple."""
    frame, module, call = found.frame, found.module, found.node
    if joins(frame.dotted(call.args[0] if call.args else None)):
        yield Draft(module).wrap(call.args[0], "lambda *xs: ", "(xs)")
        return
    arrays = [a for a in call.args if not is_number(a)]
    if len(arrays) >= 2:
        first, last = module.span(arrays[0]), module.span(arrays[-1])
        place = Span(first.line, first.column, *span_end(last))
        yield Draft(module).replace(place, f"({module.text(place)})").certain()


def as_array(found: AtFrame) -> Drafts:
    """Make an array of a list where it is passed."""
    frame, call = found.frame, found.call
    if call is None:
        return
    said = re.search(r"at position (\d+)", found.context.message)
    position = int(said[1]) if said is not None else 0
    lists = [
        a
        for a in call.args
        if frame.kind(a) in ("list", "tuple") or isinstance(a, ast.List | ast.ListComp)
    ]
    for item in dict.fromkeys([*call.args[position : position + 1], *lists]):
        draft = Draft(found.module).certain()
        yield draft.wrap(item, f"{draft.name('jax.numpy.asarray')}(", ")")


def scalar_to_array(found: AtFrame) -> Drafts:
    """Make an array of a Python number before its attribute is read."""
    node = found.call.func if found.call is not None else found.at
    if isinstance(node, ast.Attribute):
        yield _converted(found, node)
        module, draft = found.module, Draft(found.module)
        span, array = module.span(node.value), draft.name("jax.numpy.asarray")
        if _is_wrapped(module, span):
            span = Span(span.line, span.column - 1, span.end_line, span.end_column + 1)
        yield draft.certain().replace(span, f"{array}({module.text(node.value)})")


def _converted(found: AtFrame, node: ast.Attribute) -> Draft | None:
    """Write `n.astype(int)` as `int(n)`, which keeps a Python number one."""
    call = found.module.parents.get(node)
    kind = call.args[0] if isinstance(call, ast.Call) and call.func is node and call.args else None
    name = kind.id if isinstance(kind, ast.Name) else ""
    if node.attr != "astype" or name not in ("int", "float", "bool") or call is None:
        return None
    return Draft(found.module).certain().replace(call, f"{name}({found.module.text(node.value)})")


def _is_wrapped(module: Module, span: Span) -> bool:
    """Return whether parentheses touch both ends of a span."""
    before = module.lines[span.line - 1][: span.column]
    after = module.lines[span.end_line - 1][span.end_column :]
    return before.endswith("(") and after.startswith(")")


_FILTERING = {
    "jax.jit": "equinox.filter_jit",
    "jax.grad": "equinox.filter_grad",
    "jax.value_and_grad": "equinox.filter_value_and_grad",
    "jax.vmap": "equinox.filter_vmap",
}


@singledispatch
def register(found: NotAJaxType) -> Drafts:
    """Register a dataclass as a pytree, or a class that only holds its arguments.

    A model with functions in it goes through Equinox's transformations, or is filtered.
    """
    if found.transform is not None:
        yield _filtering(found.transform)
        yield scan_arrays(found.context, found.model)
        yield _carry_arrays(found)
    elif found.model is not None and isinstance(found.call, ast.Call):
        frame = found.context.frame
        draft = Draft(frame.module) if frame is not None else None
        if draft is not None and getattr(found.call.func, "attr", "") == "init":
            is_array = draft.name("equinox.is_array")
            draft.wrap(found.model, f"{draft.name('equinox.filter')}(", f", {is_array})")
            yield draft.certain()
    for module, node in found.classes:
        yield _register(module, node)


register.register(FunctionForField, close_over)


def _filtering(transform: AppliedTransform) -> Draft | None:
    """Write Equinox's transformation in place of JAX's, if it is given no options."""
    node, module = transform.node, transform.module
    if isinstance(node, ast.Call) and (node.keywords or len(node.args) != 1):
        return None
    func = node.func if isinstance(node, ast.Call) else node
    path = _FILTERING.get(module.dotted(func) or "")
    draft = Draft(module)
    return draft.certain().replace(func, draft.name(path)) if path is not None else None


_CARRY = """\
{indent}carried, fixed = {partition}({init}, {is_array_like})

{indent}def scan_step(carry, x):
{indent}    carry, y = {body}({combine}(carry, fixed), x)
{indent}    return {filter}(carry, {is_array_like}), y

"""


def _carry_arrays(found: NotAJaxType) -> Draft | None:
    """Let a scan carry the arrays of what holds a model; its functions stay as they are."""
    frame, call = found.context.frame, found.call
    statement = frame.statement if frame is not None else None
    if frame is None or frame.callee(call) != "jax.lax.scan" or not isinstance(call, ast.Call):
        return None
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=[last, _])], value=value) if value is call:
            module, draft = frame.module, Draft(frame.module)
        case _:
            return None
    if len(call.args) < 2 or {"carried", "fixed", "scan_step"} & names_in(module.tree):
        return None
    called = ("partition", "is_array_like", "combine", "filter")
    names = {name: draft.name(f"equinox.{name}") for name in called}
    indent, (body, init) = indent_of(module, statement), call.args[:2]
    texts = {"indent": indent, "body": module.text(body), "init": module.text(init), **names}
    draft.add_lines(statement.lineno, _CARRY.format(**texts))
    draft.replace(body, "scan_step").replace(init, "carried").replace(last, "carried")
    whole = f"{indent}{module.text(last)} = {names['combine']}(carried, fixed)"
    return draft.lines_after(statement, whole).certain()


def _register(module: Module, node: ast.ClassDef) -> Draft | None:
    draft = Draft(module)
    indent = indent_of(module, node)
    for decorator in node.decorator_list:
        if decorator_name(decorator) == "dataclass":
            name = draft.name("jax.tree_util.register_dataclass")
            return draft.add_lines(decorator.lineno, f"{indent}@{name}")
    fields = _held(node)
    if not fields:
        return None
    register = draft.name("jax.tree_util.register_pytree_node")
    values = ", ".join(f"item.{field}" for field in fields)
    comma = "," if len(fields) == 1 else ""
    lines = [
        "",
        "",
        f"{indent}{register}(",
        f"{indent}    {node.name},",
        f"{indent}    lambda item: (({values}{comma}), None),",
        f"{indent}    lambda _, parts: {node.name}(*parts),",
        f"{indent})",
    ]
    return draft.lines_after(node, "\n".join(lines))


def _held(node: ast.ClassDef) -> list[str]:
    """List the attributes of a class whose `__init__` only stores its arguments, in their order."""
    init = next(
        (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None
    )
    if init is None:
        return []
    names = [a.arg for a in parameters(init)][1:]
    stored = {}
    for statement in init.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        for target, value in _assigned(statement):
            match target, value:
                case ast.Attribute(value=ast.Name(id="self"), attr=attr), ast.Name(id=name):
                    stored[name] = attr
                case _:
                    return []
    return [stored[n] for n in names] if set(names) == set(stored) else []


def _assigned(statement: ast.stmt) -> list[tuple[ast.expr | None, ast.expr | None]]:
    """Pair the targets of an assignment with their values; a pair of None for what has none."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            return list(zip(targets, values, strict=False))
        case ast.Assign(targets=[target], value=value):
            return [(target, value)]
    return [(None, None)]


@singledispatch
def fit_product(found: AtFrame) -> Drafts:
    """Write a product so that its sizes fit, or map its function over a batch."""
    sides = _factors(found.at)
    shapes = [_shape(found.frame, side) for side in sides]
    if len(sides) == 2 and all(shapes):
        yield _mapped(found, sides, shapes)
        yield from _turned(found.module, sides, shapes)


fit_product.register(StateFirst, input_first)


@fit_product.register
def _map_model(found: BatchToModel) -> Drafts:
    """Map a model for one example over its batch."""
    if len(found.node.args) == 1 and not found.node.keywords:
        draft = Draft(found.module).certain()
        yield draft.wrap(found.node.func, f"{draft.name('jax.vmap')}(", ")")


fit_product.register(Labels, reorder_labels)
fit_product.register(Diffusion, diagonal_operator)
fit_product.register(MisfitLayer, fit_layer)


def _factors(node: ast.AST | None) -> list[ast.expr]:
    """Return the two sides of a matrix product."""
    match node:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            return [left, right]
        case ast.Call(func=ast.Attribute(attr="dot" | "matmul"), args=[left, right]):
            return [left, right]
    return []


def _shape(frame: FrameContext, node: ast.expr) -> tuple[int, ...]:
    fact = frame.fact(node)
    found = re.search(r"\[([\d,]+)\]", fact.detail) if fact is not None else None
    return tuple(map(int, found[1].split(","))) if found is not None else ()


def _mapped(found: AtFrame, sides: list[ast.expr], shapes: list[tuple[int, ...]]) -> Draft | None:
    """Map the function over the batch that it was given: `w @ x` is a product for one example."""
    function, (left, right) = found.frame.function, sides
    names = [a.arg for a in parameters(function)]
    is_batch = len(shapes[1]) == 2 and shapes[0][-1] == shapes[1][-1]
    if not is_batch or getattr(right, "id", "") not in names or len(found.context.frames) < 2:
        return None
    caller = found.context.frames[-2]
    call = caller.node
    is_weight = getattr(left, "id", "w")[0] in "wWAMk" and getattr(right, "id", "w")[0] not in "wW"
    if not isinstance(call, ast.Call) or len(call.args) != len(names) or not is_weight:
        return None
    axes = ["0" if name == getattr(right, "id", "") else "None" for name in names]
    draft = Draft(caller.module)
    start, end = f"{draft.name('jax.vmap')}(", f", in_axes={tuple_text(axes)})"
    return draft.wrap(call.func, start, end)


def _turned(module: Module, sides: list[ast.expr], shapes: list[tuple[int, ...]]) -> Drafts:
    """Transpose one side so that the inner sizes agree, or swap the sides."""
    (left, right), (one, other) = sides, shapes
    if len(other) == 2 and one[-1] == other[-1]:
        yield Draft(module).after(right, ".T")
    if len(one) == 2 and one[0] == other[0]:
        yield Draft(module).after(left, ".T")
    if other[-1] == one[0]:
        yield Draft(module).replace(left, module.text(right)).replace(right, module.text(left))


@singledispatch
def fit_shapes(found: AtFrame) -> Drafts:
    """Write `x[:, None]` for a vector that belongs to the first axis of a matrix."""
    node = found.at
    if not isinstance(node, ast.BinOp):
        return
    for vector, matrix in ((node.left, node.right), (node.right, node.left)):
        sizes, others = _shape(found.frame, vector), _shape(found.frame, matrix)
        if len(sizes) == 1 and len(others) == 2 and sizes[0] == others[0]:
            yield Draft(found.module).replace(vector, f"{atom(found.module, vector)}[:, None]")


@singledispatch
def only_if_given(found: AtFrame) -> Drafts:
    """Update with what may be None only where it is given."""
    frame, statement = found.frame, found.frame.statement
    if not isinstance(statement, ast.Assign | ast.AugAssign):
        return
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    reads = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
    is_update = isinstance(statement, ast.AugAssign) or getattr(target, "id", None) in reads
    given = {a.arg for a in parameters(frame.function)}
    missing = [name for name in sorted(reads & given) if frame.kind(name) == "none"]
    if is_update and len(missing) == 1:
        indent = indent_of(frame.module, statement)
        draft = Draft(frame.module)
        yield draft.before(statement, f"if {missing[0]} is not None:\n{indent}    ")


only_if_given.register(WithoutArgs, pass_args)


@singledispatch
def whole_indices(found: AtFrame) -> Drafts:
    """Convert an index to integers where it is used."""
    node = found.at
    if isinstance(node, ast.Subscript) and path_of(node.slice) is not None:
        yield Draft(found.module).after(node.slice, ".astype(int)")


@fit_shapes.register
@whole_indices.register
def other_loss(found: WrongLabels) -> Drafts:
    """Compute the cross entropy that takes labels of this form."""
    if isinstance(found.node.func, ast.Attribute):
        home = found.module.text(found.node.func.value)
        yield Draft(found.module).certain().replace(found.node.func, f"{home}.{found.other}")


@fit_shapes.register
def add_head_axis(found: MaskWithoutHeads) -> Drafts:
    """Give a mask the axis over which it is the same for every head."""
    yield Draft(found.module).certain().replace(found.mask, found.facts["argument"])


whole_indices.register(MetricLabels, whole_labels)
fit_shapes.register(PlateSize, size_of_data)
fit_shapes.register(PartOfRows, choose_rows)
fit_shapes.register(GroupValues, index_groups)
fit_shapes.register(LongTable, take_rows)
