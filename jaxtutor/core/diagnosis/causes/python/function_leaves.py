"""Matches and fixes Equinox models given to what expects arrays only: functions are leaves too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import STATIC_ATTRIBUTES, FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.engine.source import Module, names_in
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, method_of, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters, returned
from jaxtutor.core.diagnosis.reading.names import all_names

_FUNCTION = re.compile(
    r"\b(?:function|custom_[jv][jv]p|PjitFunction|builtin_function_or_method)\b"
    r"|Expected None, got <"
)
_MAPS = ("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map")
_LEAVES = ("jax.tree.leaves", "jax.tree_util.tree_leaves", "jax.tree_leaves")
_TAKE_ARRAYS = (
    "jax.tree.reduce",
    "jax.tree_util.tree_reduce",
    "jax.flatten_util.ravel_pytree",
    "optax.global_norm",
)
_OF_TREES = ("optax.tree.", "optax.tree_utils.")
_APPLY = "optax.apply_updates"
_FILTER = "equinox.filter"


class FunctionLeaves(AtCall, frozen=True, kw_only=True):
    """A call that goes through the leaves of `model`, where it expects arrays only.

    `inner` is the frame of the learner's function that got a function as a leaf.
    """

    model: ast.expr
    inner: FrameContext | None = None


def function_leaves(context: FailureContext) -> FunctionLeaves | None:
    """A model with functions among its leaves is given to a call that expects arrays only."""
    frame, call = context.frame, context.call
    if frame is None:
        return None
    if (found := _mapped_leaves(context)) is not None:
        return found
    if not _is_about_function(context):
        return None
    if (found := _iterated(context, frame)) is not None or call is None:
        return found
    path = frame.callee(call) or ""
    model = _model_given(context, frame, call, path)
    if model is None:
        return None
    form = "apply_updates" if path == _APPLY else "function_leaves"
    return _function_leaves(context, frame, call, model, form)


def _is_about_function(context: FailureContext) -> bool:
    """Return whether an exception is about a function; JAX's own raise one without a message."""
    is_bare = context.is_a(("AttributeError",)) and not context.message
    return is_bare or _FUNCTION.search(context.message) is not None


def _function_leaves(
    context: FailureContext,
    frame: FrameContext,
    call: ast.Call,
    model: ast.expr,
    form: str,
    inner: FrameContext | None = None,
) -> FunctionLeaves:
    text = frame.module.text
    facts = {"argument": text(model), "name": text(call.func), "condition": _array_predicate(frame)}
    return FunctionLeaves(
        frame.place(call),
        facts,
        form,
        context=context,
        outer_frame=frame,
        node=call,
        model=model,
        inner=inner,
    )


def _array_predicate(frame: FrameContext) -> str:
    """Return the predicate that the file filters its models with, as it writes it."""
    written = _predicates(frame.module)
    return written[0] if len(written) == 1 else Draft(frame.module).name("equinox.is_array")


def _predicates(module: Module) -> list[str]:
    """List the predicates that a file filters models with, each once."""
    given = (argument(c, 1, "filter_spec") for c in calls_of(module, _FILTER))
    known = [g for g in given if g and (module.dotted(g) or "").startswith("equinox.is_")]
    return list(dict.fromkeys(map(module.text, known)))


def _has_functions(frame: FrameContext, node: ast.AST | None) -> bool:
    fact = frame.fact(node) if node is not None else None
    return fact is not None and fact.functions and not fact.detail.startswith("equinox._")


def _model_given(
    context: FailureContext, frame: FrameContext, call: ast.Call, path: str
) -> ast.expr | None:
    """Return the one argument of a call of JAX or Optax that has functions among its leaves."""
    is_optax = context.library == "optax" or path.startswith("optax.")
    is_method = is_optax and method_of(call) == "update"
    if is_method:
        parameter = argument(call, 2, "params")
        return parameter if _has_functions(frame, parameter) else None
    if not (path in (*_TAKE_ARRAYS, *_MAPS, _APPLY) or path.startswith(_OF_TREES)):
        return None
    models = [a for a in passed_arguments(call) if _has_functions(frame, a)]
    return models[0] if len(models) == 1 else None


# ---------------------------------------------------------------- functions of the learner


def _mapped_leaves(context: FailureContext) -> FunctionLeaves | None:
    """Return the `jax.tree.map` that passed a function to the learner's function as a leaf."""
    if len(context.frames) < 2:
        return None
    inner, outer = context.frames[-1], context.frames[-2]
    call = outer.node
    if not isinstance(call, ast.Call) or outer.callee(call) not in _MAPS:
        return None
    trees = call.args[1:]
    pairs = zip(parameters(inner.function), trees, strict=False)
    models = [t for a, t in pairs if inner.kind(a.arg) == "function" and _has_functions(outer, t)]
    if not models or not _reads_leaf(inner):
        return None
    return _function_leaves(context, outer, call, models[0], "mapped", inner)


def _reads_leaf(inner: FrameContext) -> bool:
    """Return whether the expression at fault reads a parameter that is a function or None."""
    kinds = ("function", "none")
    given = {a.arg for a in parameters(inner.function) if inner.kind(a.arg) in kinds}
    node = inner.node or inner.statement
    return node is not None and bool(names_in(node) & given)


def _iterated(context: FailureContext, frame: FrameContext) -> FunctionLeaves | None:
    """Return the `jax.tree.leaves` whose leaves a loop or comprehension goes through."""
    node = frame.node or frame.statement
    read = names_in(node) if node is not None else frozenset()
    for target, source in _loops(frame, node):
        if not isinstance(source, ast.Call) or frame.callee(source) not in _LEAVES:
            continue
        model = source.args[0] if source.args else None
        outer = frame if _has_functions(frame, model) else None
        if outer is None and len(context.frames) > 1:  # a generator has a frame of its own
            above = context.frames[-2]
            outer = above if _has_functions(above, model) else None
        if outer is not None and model is not None and all_names(target) & read:
            return _function_leaves(context, outer, source, model, "function_leaves")
    return None


def _loops(frame: FrameContext, node: ast.AST | None) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets and sources of the loops and comprehensions around a node."""
    for outer in frame.module.ancestors(node) if node is not None else ():
        if isinstance(outer, ast.For):
            yield outer.target, outer.iter
        for loop in getattr(outer, "generators", ()):
            yield loop.target, loop.iter


# ---------------------------------------------------------------- fixes


def only_arrays(found: FunctionLeaves) -> Drafts:
    """Pass the arrays of the model only, or let the mapped function return the rest as it is."""
    if found.path == _APPLY:
        draft = Draft(found.module)
        yield draft.replace(found.node.func, draft.name("equinox.apply_updates")).certain()
        return
    if found.inner is None:
        yield _filtered(found).certain()
        return
    results = _returned_values(found.inner)
    if results and all(_is_measure(r) for r in results):
        yield _filtered(found).certain()
    elif results and all(_is_changed_leaf(r) for r in results):
        kept = _keep_others(found, found.inner)
        yield kept.certain() if kept is not None else None
    else:  # whether the result is a model, or only about its arrays, is not known
        yield _filtered(found)
        yield _keep_others(found, found.inner)


def _returned_values(inner: FrameContext) -> list[ast.expr]:
    """List what a mapped function returns."""
    found = returned(inner.function) if inner.function is not None else []
    return [result for result in found if result is not None]


def _is_measure(result: ast.expr) -> bool:
    """Return whether a result says something about an array and is not an array itself."""
    is_static = isinstance(result, ast.Attribute) and result.attr in STATIC_ATTRIBUTES
    return is_static or isinstance(result, ast.Compare | ast.Constant)


def _is_changed_leaf(result: ast.expr) -> bool:
    """Return whether a result is the leaf with other values, so that a model stays a model."""
    is_cast = method_of(result) == "astype"
    return is_cast or isinstance(result, ast.BinOp | ast.UnaryOp)


def _filtered(found: FunctionLeaves) -> Draft:
    draft = Draft(found.module)
    is_array = found.facts["condition"]
    if not _predicates(found.module):
        draft.name("equinox.is_array")  # imports Equinox if the file does not
    return draft.wrap(found.model, f"{draft.name(_FILTER)}(", f", {is_array})")


def _keep_others(found: FunctionLeaves, inner: FrameContext) -> Draft | None:
    """Let a mapped function change arrays, and return every other leaf as it is."""
    function, trees = found.node.args[0], found.node.args[1:]
    names = parameter_names(inner.function)
    if len(names) != len(trees):
        return None
    leaf, draft = names[trees.index(found.model)], Draft(found.module)
    without = next((n for n in names if inner.kind(n) == "none"), None)
    is_array = f"{without} is not None"
    if without is None:
        is_array = f"{draft.name('equinox.is_inexact_array')}({leaf})"
    rest = f" if {is_array} else {leaf}"
    if isinstance(function, ast.Lambda):
        is_simple = isinstance(function.body, ast.BinOp | ast.UnaryOp | ast.Call | ast.Attribute)
        return draft.after(function.body, rest) if is_simple else None
    if not isinstance(function, ast.Name):
        return None
    called = f"{function.id}({', '.join(names)})"
    return draft.replace(function, f"lambda {', '.join(names)}: {called}{rest}")
