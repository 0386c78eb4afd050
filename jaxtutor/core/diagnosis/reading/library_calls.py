"""Reads calls of libraries: what an object is, where a call is made, what a name was given."""

from __future__ import annotations

import ast

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument_for, callee_root
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import assigned_value, bound_value

MODULE_BASES = {
    "equinox": ("equinox._module._module.Module", "equinox.Module"),
    "linen": ("flax.linen.module.Module",),
    "nnx": ("flax.nnx.module.Module", "flax.nnx.Module"),
}


def is_module_of(library: str, frame: FrameContext, node: ast.AST | str | None) -> bool:
    """Return whether a name, such as `model`, is an instance of a library's class of modules."""
    fact = frame.fact(node)
    if fact is None or fact.detail.startswith("equinox._"):  # a wrapper, such as filter_jit's
        return False
    return any(base in MODULE_BASES[library] for base in fact.bases)


PACKAGES = frozenset(
    """blackjax chex diffrax distrax equinox flax haiku jaxopt lineax numpyro optax optimistix
    orbax""".split()
)


def package_called(frame: FrameContext, node: ast.AST | None) -> str:
    """Return the library whose object a call calls: `numpyro` for a `Predictive`; else empty."""
    fact = frame.fact(callee_root(node))
    packages = (base.partition(".")[0] for base in (fact.bases if fact is not None else ()))
    return next((package for package in packages if package in PACKAGES), "")


def known_fact(
    context: FailureContext, frame: FrameContext, node: ast.AST | None
) -> NameFact | None:
    """Return what is known of a value: of the name `x`, or of `x + 1` that the call passed."""
    text = frame.module.text(node) if node is not None else ""
    passed = {fact.name: fact for fact in context.failure.passed}
    return frame.fact(node) or passed.get(text)


def home_of(context: FailureContext, node: ast.AST | None) -> Module | None:
    """Return the file that a node such as `f(x)` stands in; None for a node of no file."""
    return next((module for module in context.modules.values() if node in module.parents), None)


def library_call(context: FailureContext, *methods: str) -> tuple[FrameContext, ast.Call] | None:
    """Find the innermost of the learner's calls of a library's methods, among the live frames.

    `jax.jit(net.apply)(…)`, and a name for such a function, are calls of `apply` too.
    """
    for frame in reversed(context.frames):
        call = frame.node
        if isinstance(call, ast.Call) and _method_named(frame.module, call.func) in methods:
            return frame, call
    return None


def _method_named(module: Module, func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    made = bound_value(module, func)
    if isinstance(made, ast.Call) and made.args:
        inner = made.args[0]
        return inner.attr if isinstance(inner, ast.Attribute) else ""
    return made.attr if isinstance(made, ast.Attribute) else ""


def given_values(context: FailureContext, frame: FrameContext, node: ast.expr) -> list[ast.expr]:
    """List where a value comes from: `y`, then `f(x)` by `y = f(x)`. The node itself is first.

    A name leads to its assignment, a parameter to the argument in the caller's frame.
    """
    found = [node]
    position = context.frames.index(frame)
    while True:
        known = found[-1]
        here = context.frames[position]
        value = assigned_value(here.module, known)
        if value is not None:
            found.append(value)
            continue
        passed = passed_value(context, position, known)
        if passed is None:
            return found
        found.append(passed)
        position -= 1


def passed_value(context: FailureContext, position: int, node: ast.expr) -> ast.expr | None:
    """Return what the caller of a frame passed for a parameter: `w` of `loss(w)` for `params`."""
    here = context.frames[position]
    if position == 0 or not isinstance(node, ast.Name) or here.function is None:
        return None
    call = context.frames[position - 1].node
    if not isinstance(call, ast.Call) or node.id not in {a.arg for a in parameters(here.function)}:
        return None
    return argument_for(here.function, call, node.id)


def place_of_call(frame: FrameContext, call: ast.Call) -> str:
    """Write what a call calls: `net.apply`."""
    return frame.module.text(call.func)


def in_sight(frame: FrameContext, name: str) -> bool:
    """Return whether a frame can read a name, such as `x`: its own, or one of the file's top."""
    if frame.kind(name) is not None:
        return True
    module, function = frame.module, frame.function
    if function is not None:
        own = {a.arg for a in parameters(function)}
        if name in own or module.assignments(name, function):
            return False
    return bool(module.assignments(name, module.tree))


def is_key(detail: str) -> bool:
    """Return whether a type is that of one PRNG key: `key<fry>[]` or `uint32[2]`."""
    return detail in ("key<fry>[]", "uint32[2]")
