"""Recognises and fixes assignments into arrays, and arrays that a traced mask picks from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.observations import SameIndexTwice
from jaxtutor.core.diagnosis.causes.tracing.data_sized import static_size_missing
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom, rewrite
from jaxtutor.core.diagnosis.editing.masks import MaskedSelection, reduce_whole
from jaxtutor.core.diagnosis.editing.updates import (
    METHODS,
    SIGNS,
    at_update,
    put_update,
    stored,
    target_of,
    without_at,
)
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, Finding, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, at_each, observed, raised, read
from jaxtutor.core.diagnosis.engine.source import Module, names_in
from jaxtutor.core.diagnosis.observed.lookups import RepeatedIndex, same_index_twice
from jaxtutor.core.diagnosis.reading.functions import parameter_names, returned
from jaxtutor.core.diagnosis.reading.names import last_part


class ArrayStore(AtFrame, frozen=True, kw_only=True):
    """An assignment into an array: `target` is the subscript assigned to."""

    target: ast.Subscript


def _store_target(context: FailureContext) -> ArrayStore | None:
    """Return the subscript that is assigned to at the fault."""
    node, frame = context.node, context.frame
    target = node.target if isinstance(node, ast.AugAssign) else node
    if frame is None or not isinstance(target, ast.Subscript):
        return None
    name = frame.module.text(without_at(target.value))
    facts = {"name": name, "condition": frame.module.text(target.slice)}
    return ArrayStore(None, facts, context=context, target=target)


def _refused(context: FailureContext) -> ArrayStore | None:
    """Return the subscript that was assigned to, if the array refused it."""
    said = ("immutable", "does not support item assignment")
    return _store_target(context) if any(words in context.message for words in said) else None


def masked_assignment(context: FailureContext) -> ArrayStore | None:
    """An array is assigned to in place, where a mask is true."""
    found = _refused(context) or _update_at_mask(context)
    return found if found is not None and _is_mask(found.frame, found.target.slice) else None


def _update_at_mask(context: FailureContext) -> ArrayStore | None:
    """Return the subscript of `x[mask] += v`, which fails where it reads."""
    is_store = isinstance(context.node, ast.Subscript) and isinstance(context.node.ctx, ast.Store)
    return _store_target(context) if is_store and "boolean ind" in context.message else None


def _is_mask(frame: FrameContext, index: ast.expr) -> bool:
    if isinstance(index, ast.Tuple):
        return any(_is_mask(frame, item) for item in index.elts)
    if isinstance(index, ast.Compare):
        return True
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert):
        return True
    if isinstance(index, ast.BinOp) and isinstance(index.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return _is_mask(frame, index.left) or _is_mask(frame, index.right)
    if isinstance(index, ast.Call):
        return last_part(frame.callee(index)).startswith(("is", "logical_"))
    fact = frame.fact(index)
    return fact is not None and fact.detail.startswith("bool[") and fact.detail != "bool[]"


def inplace_assignment(context: FailureContext) -> ArrayStore | None:
    """An array is assigned to in place."""
    return _refused(context) or _store_at_traced(context)


def _store_at_traced(context: FailureContext) -> ArrayStore | None:
    """Return the subscript of `x.at[i] = v`, which converts a traced i before it is refused."""
    found = _store_target(context)
    if found is None or not isinstance(found.target.ctx, ast.Store):
        return None
    base = without_at(found.target.value)
    is_array = base is not found.target.value and found.frame.kind(base) in ("tracer", "array")
    return found if is_array else None


class Bracketed(AtFrame, frozen=True, kw_only=True):
    """A subscript whose object is a function; `is_call` if nothing but a call can be meant."""

    subscript: ast.Subscript
    is_call: bool


def brackets_for_call(context: FailureContext) -> Bracketed | None:
    """A function has its argument in square brackets."""
    node, frame = context.node, context.frame
    if frame is None or not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        return None
    name, index = frame.module.text(node.value), frame.module.text(node.slice)
    is_update = at_update(ast.Call(node.value, [], [])) is not None
    is_call = is_update or (frame.dotted(node.value) or "").startswith("jax.")
    facts = {"name": name, "condition": index, "argument": f"{name}({index})"}
    form = "" if is_call else "result"
    return Bracketed(None, facts, form, context=context, subscript=node, is_call=is_call)


def boolean_mask(context: FailureContext) -> AtFrame | None:
    """An array is indexed with a traced mask, by the learner and not by a function that picks."""
    is_stored = isinstance(context.node, ast.Subscript) and isinstance(context.node.ctx, ast.Store)
    return None if is_stored or static_size_missing(context) is not None else at_frame(context)


_UPDATES = frozenset(
    {"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"}
)


class UnusedIndexUpdate(Finding, frozen=True, kw_only=True):
    """An update of `array` in a statement of its own."""

    array: ast.expr


def dropped_update(module: Module, node: ast.Expr) -> Iterator[UnusedIndexUpdate]:
    """`x.at[i].set(v)` as a statement of its own does nothing."""
    update = at_update(node.value)
    if update is not None and update.method in _UPDATES:
        facts = {"name": module.text(update.array)}
        yield UnusedIndexUpdate(module=module, node=node.value, facts=facts, array=update.array)


def call_with_parentheses(found: Bracketed) -> Drafts:
    """Write `f[x]` as `f(x)`."""
    draft = Draft(found.module).replace(found.subscript, found.facts["argument"])
    yield draft.certain() if found.is_call else draft


# ---------------------------------------------------------------- masks


def reduce_where(found: AtFrame) -> Drafts:
    """Write what is picked by a mask and then reduced as a reduction with `where=`."""
    frame, node = found.frame, found.at
    if frame.function is None:
        return
    if isinstance(node, ast.Call):
        yield _masked_update(frame.module, node)
    if not isinstance(node, ast.Subscript):
        return
    statement = frame.module.statement(node)
    target = stored(statement)
    if statement is not None and target and ast.dump(target.slice) == ast.dump(node.slice):
        yield from _choose(frame.module, statement)
    yield reduce_whole(MaskedSelection(frame, node, frame.function, found.context.message))


def _masked_update(module: Module, call: ast.Call) -> Draft | None:
    """Write `x.at[mask].set(v)` with an array v as a choice."""
    update = at_update(call)
    sign = _SIGNS.get(update.method) if update is not None else None
    if update is None or sign is None or len(call.args) != 1:
        return None
    base, mask = module.text(update.array), module.text(update.subscript.slice)
    new = _combined(module, base, sign, call.args[0], update.subscript.slice)
    draft = Draft(module)
    return draft.replace(call, f"{draft.name('jax.numpy.where')}({mask}, {new}, {base})")


_SIGNS = {"set": "", "add": "+", "multiply": "*", "mul": "*", "subtract": "-"}


def _combined(module: Module, base: str, sign: str, value: ast.expr, mask: ast.expr) -> str:
    """Write a value with `y[mask]` as `y`, combined with the array that it updates."""
    wanted = ast.dump(mask)
    parts: dict[ast.AST, str] = {
        n: atom(module, n.value)
        for n in ast.walk(value)
        if isinstance(n, ast.Subscript) and ast.dump(n.slice) == wanted
    }
    text = rewrite(module, value, parts)
    is_atom = isinstance(value, ast.Name | ast.Constant | ast.Call | ast.Subscript)
    return f"{base} {sign} {text if is_atom else f'({text})'}" if sign else text


def choose_masked(found: ArrayStore) -> Drafts:
    """Write `x[mask] = v` as `x = jnp.where(mask, v, x)`."""
    statement = found.module.statement(found.target)
    if statement is not None:
        yield from _choose(found.module, statement)


def _choose(module: Module, statement: ast.stmt) -> Drafts:
    draft, other = Draft(module), Draft(module)
    if not isinstance(statement, ast.Assign | ast.AugAssign):
        return
    yield draft if _put_masked(draft, statement) else None
    yield other if put_update(other, statement) else None


def _put_masked(draft: Draft, statement: ast.Assign | ast.AugAssign) -> bool:
    module = draft.module
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Tuple):
        return False
    sign = SIGNS.get(type(statement.op)) if isinstance(statement, ast.AugAssign) else ""
    if sign is None:
        return False
    base, mask = module.text(target.value), module.text(target.slice)
    value = _combined(module, base, sign, statement.value, target.slice)
    draft.replace(statement, f"{base} = {draft.name('jax.numpy.where')}({mask}, {value}, {base})")
    return True


# ---------------------------------------------------------------- arrays in place


def update_in_place(found: ArrayStore) -> Drafts:
    """Write the assignments into an array as `.at` updates: all in the function, else this one."""
    frame, module = found.frame, found.module
    statement = module.statement(found.target)
    target = target_of(statement)
    if statement is None or target is None:
        return
    base, statements = _base(module, target), [statement]
    if frame.function is not None:
        every = [n for n in ast.walk(frame.function) if isinstance(n, ast.stmt)]
        targets = [(n, target_of(n)) for n in every]
        statements = [n for n, into in targets if into and _base(module, into) == base]
    draft = Draft(module)
    if all(_put(draft, frame, s) for s in statements):
        yield draft.certain() if _is_alone(frame, base) else draft
    if len(statements) > 1:
        alone = Draft(module)
        yield alone if _put(alone, frame, statement) else None


def _is_alone(frame: FrameContext, name: str) -> bool:
    """Return whether only this name may stand for the array: no caller, and no other name.

    A function that changes its argument in place, and does not return it, needs more than `.at`.
    """
    function, module = frame.function, frame.module
    if function is None:
        bound = module.assignments(name, module.tree)
        return bool(bound) and not any(isinstance(getattr(s, "value", 0), ast.Name) for s in bound)
    bound = module.assignments(name, function)
    is_given = name in set(parameter_names(function))
    results = [value for value in returned(function) if value is not None]
    is_returned = bool(results) and all(name in names_in(value) for value in results)
    copies = any(isinstance(getattr(s, "value", 0), ast.Name) for s in bound)
    return not copies and (is_returned or (bool(bound) and not is_given))


def _base(module: Module, target: ast.expr) -> str:
    if isinstance(target, ast.Tuple):
        target = target.elts[0]
    while isinstance(target, ast.Subscript):
        target = target.value
        if not isinstance(target, ast.Subscript):
            return module.text(target)
    return ""


def _put(draft: Draft, frame: FrameContext, statement: ast.stmt) -> bool:
    target = target_of(statement)
    if isinstance(target, ast.Tuple):
        return _put_swap(draft, statement, target)
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Compare):
        assert isinstance(statement, ast.Assign | ast.AugAssign)
        return _put_masked(draft, statement)
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
        kind = frame.kind(target.value.value)
        if kind in ("array", "tracer"):
            return _put_nested(draft, statement, target)
    return put_update(draft, statement)


def _put_swap(draft: Draft, statement: ast.stmt, target: ast.Tuple) -> bool:
    """`x[i], x[j] = a, b`: the right side is evaluated before either is written."""
    module = draft.module
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Tuple) or len(value.elts) != len(target.elts):
        return False
    if not all(isinstance(t, ast.Subscript) for t in target.elts):
        return False
    base = _base(module, target)
    text = base
    for place, given in zip(target.elts, value.elts, strict=True):
        assert isinstance(place, ast.Subscript)
        text += f".at[{module.text(place.slice)}].set({module.text(given)})"
    draft.replace(statement, f"{base} = {text}")
    return True


def _put_nested(draft: Draft, statement: ast.stmt, target: ast.Subscript) -> bool:
    """`x[i][j] = v` becomes `x = x.at[i, j].set(v)`."""
    module, inner = draft.module, target.value
    value = getattr(statement, "value", None)
    if not isinstance(inner, ast.Subscript) or value is None:
        return False
    base = module.text(inner.value)
    method = "set" if isinstance(statement, ast.Assign) else "add"
    if isinstance(statement, ast.AugAssign) and not isinstance(statement.op, ast.Add):
        return False
    index = f"{module.text(inner.slice)}, {module.text(target.slice)}"
    draft.replace(statement, f"{base} = {base}.at[{index}].{method}({module.text(value)})")
    return True


# ---------------------------------------------------------------- findings


def keep_update(found: UnusedIndexUpdate) -> Drafts:
    """Assign the result of `x.at[i].set(v)` to x."""
    draft = Draft(found.module).certain()  # a statement that computes and keeps nothing
    yield draft.before(found.node, f"{found.module.text(found.array)} = ")


def accumulate(found: RepeatedIndex) -> Drafts:
    """Write `x.at[i].set(x[i] + v)` as `x.at[i].add(v)`."""
    module, call, update = found.module, found.node, found.update
    value = call.args[0] if len(call.args) == 1 else None
    if not isinstance(value, ast.BinOp):
        return
    method = METHODS.get(type(value.op), "")
    read = (ast.dump(update.array), ast.dump(update.subscript.slice))
    sides = [(value.left, value.right)]
    if not isinstance(value.op, ast.Sub):
        sides.append((value.right, value.left))
    for old, added in sides if method in ("add", "multiply", "subtract") else ():
        if isinstance(old, ast.Subscript) and (ast.dump(old.value), ast.dump(old.slice)) == read:
            text = f"{module.text(update.subscript)}.{method}({module.text(added)})"
            yield Draft(module).replace(call, text)
            return


RULES = (
    Rule("brackets-instead-of-call", raised(brackets_for_call), call_with_parentheses),
    Rule("boolean-mask-index", raised(boolean_mask), reduce_where),
    Rule(
        "masked-assignment",
        raised(masked_assignment),
        choose_masked,
        before=("inplace-assignment",),
    ),
    Rule("inplace-assignment", raised(inplace_assignment), update_in_place),
    Rule("at-set-result-dropped", read(at_each(ast.Expr, dropped_update)), keep_update),
    Rule("scatter-duplicate-indices", observed((SameIndexTwice, same_index_twice)), accumulate),
)
