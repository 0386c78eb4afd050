"""Matches the causes in calls of Optax, Haiku, NumPyro and Diffrax, and in frozen objects."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.library_calls import (
    callee_root,
    given_values,
    in_sight,
    is_key,
    is_module_of,
    method_of,
    package_called,
    place_of_call,
)
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, at_call, at_frame
from jaxtutor.core.diagnosis.source import Module, path_of
from jaxtutor.core.diagnosis.transforms import applied

# ---------------------------------------------------------------- optax


class AtUpdate(AtCall, frozen=True, kw_only=True):
    """A call of an optimizer's `update`; `state` is the position of its state, if it is passed.

    If it is not, `name` is what the file calls the state of this optimizer.
    """

    state: int | None
    name: str = ""


def swapped_arguments(context: FailureContext) -> AtUpdate | None:
    """The state of the optimizer is not the second argument of update."""
    call = at_call(context)
    if call is None or not _is_update(context, call.node):
        return None
    states = [n for n, a in enumerate(call.node.args) if _is_state(context, call.frame, a)]
    has_state = any(k.arg == "state" for k in call.node.keywords)
    if has_state or 1 in states or len(call.node.args) < 2:
        return None
    if not states and "called init first" not in context.message:
        return None
    second = call.node.args[1]
    facts = {"name": place_of_call(call.frame, call.node), "argument": call.module.text(second)}
    return AtUpdate(
        None,
        facts,
        context=context,
        frame=call.frame,
        node=call.node,
        state=states[0] if states else None,
        name="" if states else _state_name(call),
    )


def _state_name(call: AtCall) -> str:
    """Return the one name in sight that holds what `init` of the same optimizer returned."""
    assert isinstance(call.node.func, ast.Attribute)
    optimizer = path_of(call.node.func.value)
    names = set()
    for node in ast.walk(call.module.tree):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(value=whose, attr="init")),
            ) if path_of(whose) == optimizer and in_sight(call.frame, name):
                names.add(name)
    return next(iter(names)) if len(names) == 1 else ""


def _is_update(context: FailureContext, call: ast.Call) -> bool:
    if method_of(call) != "update" or context.frame is None:
        return False
    receiver = context.frame.fact(getattr(call.func, "value", None))
    bases = receiver.bases if receiver is not None else ()
    return context.library == "optax" or any(base.startswith("optax.") for base in bases)


def _is_state(context: FailureContext, frame: FrameContext, node: ast.expr) -> bool:
    """Return whether a value is an optimizer's state: a class of Optax, or a result of `init`."""
    fact = frame.fact(node)
    if fact is not None and any(b.startswith("optax.") for b in fact.bases):
        return True
    values = given_values(context, frame, node)
    return any(isinstance(v, ast.Call) and method_of(v) == "init" for v in values)


class ParamsMissing(AtCall, frozen=True, kw_only=True):
    """A call of update without the parameters; `params` is what the optimizer was made for."""

    params: str


def params_missing(context: FailureContext) -> ParamsMissing | None:
    """The optimizer needs the parameters, and update is not given them."""
    call = at_call(context)
    if call is None or method_of(call.node) != "update":
        return None
    params = _initialised(call)
    facts = {"name": place_of_call(call.frame, call.node), "argument": params}
    return ParamsMissing(
        None, facts, context=context, frame=call.frame, node=call.node, params=params
    )


def _initialised(call: AtCall) -> str:
    """Name what the file's only `init` of an optimizer was given, if the frame has that name."""
    inits = [
        node.args[0].id
        for node in ast.walk(call.module.tree)
        if isinstance(node, ast.Call)
        and method_of(node) == "init"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Name)
    ]
    names = {name for name in inits if in_sight(call.frame, name)}
    return next(iter(names)) if len(names) == 1 else ""


# ---------------------------------------------------------------- keys

_NOT_A_KEY = re.compile(
    r"invalid PRNG key data|must be called with an RNG as the second argument"
    r"|Apply must be called with an RNG|Init must be called with an RNG"
)
_NO_KEY = re.compile(r"missing \d+ required .*'(rng_key|key|rng)'")


class WithoutKeyArgument(AtFrame, frozen=True, kw_only=True):
    """A call of a library that needs a key; `position` is where the key belongs."""

    position: int


def key_not_passed(context: FailureContext) -> AtFrame | None:
    """A function of a library draws random numbers, and its call passes no key."""
    frame = context.frame
    if frame is None:
        return None
    elsewhere = key_elsewhere(context)
    if elsewhere is not None:
        return elsewhere
    if _is_outside_handler(context):
        return _key_match(context, frame, "handler", 0)
    path = frame.callee(context.call) or frame.dotted(callee_root(context.node)) or ""
    library = context.library or path.partition(".")[0] or package_called(frame, context.node)
    if library not in ("numpyro", "haiku", "blackjax", "distrax", "flax"):
        return None
    if _NO_KEY.search(context.message) is None and _NOT_A_KEY.search(context.message) is None:
        return None
    is_haiku = library == "haiku" and method_of_node(context.node) == "apply"
    return _key_match(context, frame, "haiku" if is_haiku else "", 1 if is_haiku else 0)


def _key_match(
    context: FailureContext, frame: FrameContext, form: str, position: int
) -> WithoutKeyArgument:
    call = context.call
    facts = {"name": place_of_call(frame, call) if call is not None else ""}
    return WithoutKeyArgument(None, facts, form, context=context, frame=frame, position=position)


def _is_outside_handler(context: FailureContext) -> bool:
    """Return whether numpyro.sample ran where nothing handles it, and so got no key."""
    path = context.frame.callee(context.node) if context.frame is not None else None
    is_other = "unique names" in context.message
    return context.error == "AssertionError" and path == "numpyro.sample" and not is_other


def method_of_node(node: ast.AST | None) -> str:
    """Return the method that a call calls; empty for anything else."""
    return method_of(node) if isinstance(node, ast.Call) else ""


class KeyElsewhere(AtCall, frozen=True, kw_only=True):
    """A call that passes the key at another position than the library expects it."""

    key: int
    expected: int


def key_elsewhere(context: FailureContext) -> KeyElsewhere | None:
    """A library takes the key first, and the call passes it after the data."""
    call = at_call(context)
    if call is None or not _SAYS_KEY.search(context.message):
        return None
    inside = {name.partition(".")[0] for name in context.failure.jax_frames}
    if not inside & _KEY_FIRST:
        return None
    facts = [call.frame.fact(a) for a in call.node.args]
    keys = [n for n, fact in enumerate(facts) if fact is not None and is_key(fact.detail)]
    expected = 1 if context.library == "haiku" and method_of(call.node) == "apply" else 0
    if len(keys) != 1 or keys[0] == expected or len(facts) <= expected:
        return None
    name = place_of_call(call.frame, call.node)
    given = call.module.text(call.node.args[keys[0]])
    return KeyElsewhere(
        None,
        {"name": name, "argument": given},
        "order" if expected == 0 else "haiku",
        context=context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        key=keys[0],
        expected=expected,
    )


_SAYS_KEY = re.compile(r"PRNG|\bRNGs?\b|rng")
_KEY_FIRST = frozenset({"flax", "haiku", "numpyro", "blackjax", "distrax"})


# ---------------------------------------------------------------- names of sites, fields


def name_twice(context: FailureContext) -> AtFrame | None:
    """A site of NumPyro, or a layer of linen, has a name that is already taken."""
    said = re.search(r"`(\w+)` duplicated", context.message)
    form = "linen" if context.library == "flax" else ""
    return at_named(context, said[1] if said is not None else "", form)


def at_named(context: FailureContext, name: str, form: str) -> AtFrame | None:
    """Return a match at the innermost frame, with a name among its facts."""
    if context.frame is None:
        return None
    return AtFrame(None, {"name": name}, form, context=context, frame=context.frame)


class UnsetField(AtFrame, frozen=True, kw_only=True):
    """A field that `__init__` does not set; `local` is a plain variable of its name there."""

    module_of: Module | None = None
    local: ast.Name | None = None


def unset_field(context: FailureContext) -> UnsetField | None:
    """A class declares a field, and its `__init__` sets no attribute of that name."""
    said = re.search(r"(?:Field|fields).*?'(\w+)'", context.message)
    frame = context.frame
    if said is None or frame is None:
        return None
    facts = {"argument": said[1]}
    for module, owner in _declaring(context, said[1]):
        init = next((n for n in owner.body if getattr(n, "name", "") == "__init__"), None)
        stored = [
            n
            for n in (ast.walk(init) if init is not None else ())
            if isinstance(n, ast.Name) and n.id == said[1] and isinstance(n.ctx, ast.Store)
        ]
        shown = module.statement(stored[0]) if stored else init
        if shown is not None:
            place = module.location(shown if stored else module.header(shown))
            local = stored[0] if len(stored) == 1 else None
            return UnsetField(
                place, facts, context=context, frame=frame, module_of=module, local=local
            )
    return UnsetField(None, facts, context=context, frame=frame)


def _declaring(context: FailureContext, field: str) -> Iterator[tuple[Module, ast.ClassDef]]:
    """List the classes that annotate a field."""
    for module in context.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and any(
                isinstance(n, ast.AnnAssign) and getattr(n.target, "id", "") == field
                for n in node.body
            ):
                yield module, node


# ---------------------------------------------------------------- haiku


class WithoutState(AtCall, frozen=True, kw_only=True):
    """A call of `apply` without the state; `made` is where `init` returned it."""

    made: ast.Assign | None


def haiku_state_missing(context: FailureContext) -> WithoutState | None:
    """Both trees that init returns are passed as the parameters, and the state is missing."""
    call = at_call(context)
    if call is None or context.library != "haiku" or not call.node.args:
        return None
    made = None
    for given in given_values(context, call.frame, call.node.args[0]):
        statement = call.module.parents.get(given)
        is_init = isinstance(given, ast.Call) and method_of(given) == "init"
        if is_init and isinstance(statement, ast.Assign):
            made = statement if isinstance(statement.targets[0], ast.Name) else None
    facts = {"name": place_of_call(call.frame, call.node)}
    place = call.module.location(made) if made is not None else None
    return WithoutState(
        place, facts, context=context, frame=call.frame, node=call.node, path=call.path, made=made
    )


class Untransformed(AtFrame, frozen=True, kw_only=True):
    """The name of a function where that of what `hk.transform` returned belongs."""

    name: ast.Name
    transformed: str


def haiku_untransformed(context: FailureContext) -> AtFrame | None:
    """A module of Haiku is used outside of `hk.transform`, or the method of a plain function."""
    frame = context.frame
    if context.error != "AttributeError" or frame is None:
        return at_frame(context)
    node = frame.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    names = {name for m in context.modules.values() for name in _transformed(m, node.value.id)}
    if len(names) != 1:
        return None
    name = names.pop()
    facts = {"name": node.value.id, "argument": f"{name}.{node.attr}(…)"}
    return Untransformed(
        None, facts, "original", context=context, frame=frame, name=node.value, transformed=name
    )


def _transformed(module: Module, function: str) -> Iterator[str]:
    """List the names of what `hk.transform` made of a function."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        calls = (n for n in ast.walk(node.value) if isinstance(n, ast.Call) and n.args)
        made = [c for c in calls if (module.dotted(c.func) or "").startswith("haiku.transform")]
        if any(getattr(c.args[0], "id", "") == function for c in made):
            yield node.targets[0].id


HAIKU_HAS = ("scan", "cond", "switch", "fori_loop", "while_loop", "map", "grad", "remat")


class InsideHaiku(AtFrame, frozen=True, kw_only=True):
    """A transformation of JAX inside a function of Haiku; `node` names it."""

    node: ast.expr
    module_of: Module


def inside_haiku(context: FailureContext) -> InsideHaiku | None:
    """A transformation of JAX is applied around modules of Haiku."""
    frame = context.frame
    found = [
        (module, item.node)
        for module in context.modules.values()
        for item in applied(module)
        if not item.is_decorator and isinstance(module.scope(item.node), ast.FunctionDef)
        if isinstance(item.node, ast.Call) and _makes_modules(module, module.scope(item.node))
    ]
    if frame is None or len(found) != 1:
        return None
    module, node = found[0]
    return InsideHaiku(
        module.location(node), {}, context=context, frame=frame, node=node.func, module_of=module
    )


def _makes_modules(module: Module, function: ast.AST) -> bool:
    """Return whether a function makes a module of Haiku."""
    calls = (n for n in ast.walk(function) if isinstance(n, ast.Call))
    return any((module.dotted(n.func) or "").startswith("haiku.") for n in calls)


class HaikuState(AtFrame, frozen=True, kw_only=True):
    """The call of hk.transform for a function with state."""

    made: ast.Call
    module_of: Module


def haiku_state(context: FailureContext) -> AtFrame | None:
    """A function with state is transformed by hk.transform."""
    frame = context.frame
    found = [
        (module, node)
        for module in context.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and (module.dotted(node.func) or "") == "haiku.transform"
    ]
    if frame is None or len(found) != 1:
        return at_frame(context)
    module, node = found[0]
    place = module.location(node)
    return HaikuState(place, {}, context=context, frame=frame, made=node, module_of=module)


# ---------------------------------------------------------------- frozen objects


class FrozenAssignment(AtFrame, frozen=True, kw_only=True):
    """An assignment to an attribute of an object that does not change."""

    target: ast.Attribute


def frozen_object(context: FailureContext) -> FrozenAssignment | None:
    """An attribute of a frozen object is assigned: a module, or a dataclass of flax.struct."""
    frame = context.frame
    target = frame.node if frame is not None else None
    if frame is None or not isinstance(target, ast.Attribute):
        return None
    if context.error == "AttributeError":
        return _frozen_list(context, frame, target)
    form = _frozen_form(context, frame, target.value)
    facts = {"name": frame.module.text(target.value), "argument": target.attr}
    return FrozenAssignment(None, facts, form, context=context, frame=frame, target=target)


def _frozen_list(
    context: FailureContext, frame: FrameContext, method: ast.Attribute
) -> FrozenAssignment | None:
    """Return the list that linen turned into a tuple when it was assigned to a module."""
    holder = method.value
    if not isinstance(holder, ast.Attribute) or not is_module_of("linen", frame, holder.value):
        return None
    facts = {"name": frame.module.text(holder), "argument": holder.attr}
    return FrozenAssignment(None, facts, "list", context=context, frame=frame, target=holder)


def _frozen_form(context: FailureContext, frame: FrameContext, owner: ast.expr) -> str:
    if is_module_of("equinox", frame, owner):
        return "equinox"
    if context.error == "SetAttributeFrozenModuleError" or is_module_of("linen", frame, owner):
        return "linen"
    return ""
