"""Matches and fixes settings that a library calls: initializers, schedules, activations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import singledispatch

from jaxtutor.core.diagnosis.causes.python import argument_order as order
from jaxtutor.core.diagnosis.causes.python import function_slots
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import is_number

_SAID = re.compile(r"'[\w.]+' object is not callable$")
_LIBRARIES = ("flax", "haiku", "optax")
_INITIALIZER_HOMES = ("jax.nn.initializers", "flax.linen.initializers", "flax.nnx.initializers")
_FUNCTION_HOMES = ("jax.nn", "jax.numpy", "flax.linen", "flax.nnx")
_ARRAY_HOMES = ("jax.numpy", "jax.random", "numpy", "jax.nn")


class ValueAsSetting(InContext, frozen=True, kw_only=True):
    """A value in a setting that is called; `function` is the text that belongs there, if known."""

    module: Module
    value: ast.expr
    function: str


class TextAsFunction(InContext, frozen=True, kw_only=True):
    """The name of a function, as a text, that is called in the place of the function."""

    frame: FrameContext
    called: ast.expr


def value_for_function(context: FailureContext) -> InContext | None:
    """A value stands where a function is called: by a loop, a library, or the learner."""
    if "missing" in context.message:
        return _called_early(context)
    if _SAID.search(context.message) is None:
        return function_slots.not_callable(context)
    return _text_called(context) or _setting(context)


def _called_early(context: FailureContext) -> ValueAsSetting | None:
    """Match `nn.relu()`: an activation that is called where the layers are listed or set up."""
    frame, call = context.frame, context.call
    home, _, name = (frame.callee(call) or "").rpartition(".") if frame and call else ("", "", "")
    if frame is None or call is None or home not in _ACTIVATION_HOMES or name[:1].isupper():
        return None
    if call.args or call.keywords or not isinstance(frame.module.parents.get(call), _HOLDERS):
        return None
    text = frame.module.text(call.func)
    facts = {"expression": frame.module.text(call), "argument": text}
    return ValueAsSetting(
        frame.place(call),
        facts,
        "early",
        context=context,
        module=frame.module,
        value=call,
        function=text,
    )


_ACTIVATION_HOMES = ("jax.nn", "flax.linen", "flax.nnx")
_HOLDERS = (ast.List, ast.Tuple, ast.Dict, ast.keyword, ast.Call, ast.Assign, ast.AnnAssign)


def _text_called(context: FailureContext) -> TextAsFunction | None:
    """Match an attribute or a name that is a text, and is called on an array."""
    frame, call = context.frame, context.call
    if frame is None or call is None or frame.kind(call.func) != "str" or len(call.args) != 1:
        return None
    text = frame.module.text(call.func)
    facts = {"name": text, "argument": f"getattr(jax.nn, {text})"}
    return TextAsFunction(
        frame.place(call), facts, "text", context=context, frame=frame, called=call.func
    )


def _setting(context: FailureContext) -> ValueAsSetting | None:
    """Find the one value that a setting was given by, in the file that made the object."""
    found = list(_values_given(context))
    if len(found) != 1:
        return None
    module, call, name, value = found[0]
    is_initializer = name.endswith(_INITIALIZERS)
    text = _initializer(module, value) if is_initializer else _function_text(module, value)
    if is_initializer and (module.dotted(call.func) or "").startswith("haiku."):
        text = _haiku_initializer(module, value)
    facts = {
        "name": module.text(value),
        "function": module.text(call.func),
        "argument": text or ("initializers.constant(…)" if is_initializer else "nn.relu"),
        "detail": f"`{name}`" if name else "its argument",
    }
    place = module.location(value)
    return ValueAsSetting(
        place, facts, "setting", context=context, module=module, value=value, function=text
    )


_INITIALIZERS = ("_init", "initializer")


def _values_given(context: FailureContext) -> Iterator[tuple[Module, ast.Call, str, ast.expr]]:
    """Yield the values that are passed where functions belong: call, setting and value."""
    maker = _failing_function(context)
    for module in context.modules.values():
        for call in module.calls:
            home, _, called = (module.dotted(call.func) or "").rpartition(".")
            is_library = home.partition(".")[0] in _LIBRARIES
            for keyword in call.keywords:
                name = keyword.arg or ""
                is_init = is_library and name.endswith(_INITIALIZERS)
                if is_init and _is_constant_value(module, keyword.value):
                    yield module, call, name, keyword.value
            if is_library and maker and called == maker:
                for given in passed_arguments(call):
                    for value in _functions_expected(given):
                        if _is_constant_value(module, value):
                            yield module, call, "", value


def _functions_expected(given: ast.expr) -> list[ast.expr]:
    """List the items of an argument, or the argument; none of a list of numbers alone."""
    if not isinstance(given, ast.List | ast.Tuple):
        return [given]
    return [] if all(map(is_number, given.elts)) else given.elts


def _failing_function(context: FailureContext) -> str:
    """Name the function of Optax that made what failed: `scale_by_schedule`."""
    last = context.failure.jax_frames[-1] if context.failure.jax_frames else ""
    made, _, _ = last.partition(".<locals>")
    return last_part(made) if last.startswith("optax.") and made != last else ""


def _is_constant_value(module: Module, node: ast.expr) -> bool:
    """Return whether an expression is a number, an array, or the result of a made function."""
    node = bound_value(module, node)
    if is_number(node):
        return True
    if not isinstance(node, ast.Call):
        return False
    home, _, name = (module.dotted(node.func) or "").rpartition(".")
    if home in _INITIALIZER_HOMES:
        return name in ("zeros", "ones") and len(node.args) > 1
    is_array = home in _ARRAY_HOMES or (home in _FUNCTION_HOMES and name[:1].islower())
    return is_array or _made_function(module, node) is not None


def _made_function(module: Module, node: ast.Call) -> ast.expr | None:
    """Return what a call calls, if another call made it: `schedule` of `schedule(0)`."""
    made = bound_value(module, node.func)
    home = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    is_maker = home.startswith(("optax.", *(f"{h}." for h in _INITIALIZER_HOMES)))
    return node.func if is_maker else None


def _initializer(module: Module, value: ast.expr) -> str:
    """Write the initializer that gives a value."""
    made = bound_value(module, value)
    if is_number(made):
        return f"jax.nn.initializers.constant({module.text(value)})"
    assert isinstance(made, ast.Call)
    home, _, name = (module.dotted(made.func) or "").rpartition(".")
    if home in _INITIALIZER_HOMES or _made_function(module, made) is not None:
        return module.text(made.func)
    if home in ("jax.numpy", "numpy") and name in ("zeros", "ones"):
        return f"jax.nn.initializers.{name}"
    if home == "jax.random" and name == "normal":
        return "jax.nn.initializers.normal(1.0)"
    return f"lambda *_: {module.text(value)}"


def _haiku_initializer(module: Module, value: ast.expr) -> str:
    """Write the initializer that gives a value, as Haiku calls it: with a shape and a dtype."""
    made = bound_value(module, value)
    path = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    if isinstance(made, ast.Call) and path in ("jax.numpy.zeros", "jax.numpy.ones"):
        return module.text(made.func)
    return f"lambda shape, dtype: {module.text(value)}" if isinstance(made, ast.Call) else ""


def _function_text(module: Module, value: ast.expr) -> str:
    """Write the function whose result was passed, or a schedule that is always one number."""
    made = bound_value(module, value)
    if is_number(made):
        return f"optax.constant_schedule({module.text(value)})"
    assert isinstance(made, ast.Call)
    home, _, _ = (module.dotted(made.func) or "").rpartition(".")
    if _made_function(module, made) is not None or home in _FUNCTION_HOMES:
        is_one = len(made.args) == 1 and not made.keywords
        return module.text(made.func) if is_one else ""
    return ""


@singledispatch
def pass_functions(found: InContext) -> Drafts:
    """Pass functions in the place of values."""
    assert isinstance(found, function_slots.ValueForFunction)
    swapped = order.loop_order(found.context)
    return (
        order.right_order(swapped) if swapped is not None else function_slots.pass_functions(found)
    )


@pass_functions.register
def _pass_setting(found: ValueAsSetting) -> Drafts:
    text, home = found.function, found.function.partition("(")[0]
    draft = Draft(found.module).certain()
    if home.startswith("jax.nn.initializers."):
        text = draft.name(home) + text[len(home) :]
    elif home == "optax.constant_schedule":
        optax = next((a for a, p in found.module.imports.items() if p == "optax"), "")
        text = f"{optax}.{text.partition('.')[2]}" if optax else ""
    if text:
        yield draft.replace(found.value, text)


@pass_functions.register
def _look_up(found: TextAsFunction) -> Drafts:
    draft = Draft(found.frame.module).certain()
    name = found.frame.module.text(found.called)
    yield draft.replace(found.called, f"getattr({draft.name('jax.nn')}, {name})")


RULES = (Rule("value-instead-of-function", raised(value_for_function), pass_functions),)
