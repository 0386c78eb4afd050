"""Names a parameter static in the jits of its function and of its callers, or takes it out."""

from __future__ import annotations

import ast

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.call_values import makes, python_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    jits_of,
    static_names,
)
from jaxtutor.core.diagnosis.reading.calls import argument_for, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.values import elements_or_itself


def name_static(draft: Draft, jit: AppliedTransform, name: str) -> Draft | None:
    """Make a parameter static in a jit, by name or by number as its options already do."""
    if name in static_names(jit):
        return draft
    if jit.call is None:
        return decorate(draft, jit, f'static_argnames="{name}"')
    names = keyword_of(jit.call, "static_argnames")
    numbers = keyword_of(jit.call, "static_argnums")
    if names is not None:
        return _add_item(draft, names.value, f'"{name}"')
    position = parameter_position(jit, name)
    if numbers is not None and position is not None:
        return _add_item(draft, numbers.value, str(position))
    return add_argument(draft, jit.call, f'static_argnames="{name}"')


def decorate(draft: Draft, jit: AppliedTransform, option: str) -> Draft:
    """Write a bare `@jax.jit` as a partial with an option."""
    text = draft.module.text(jit.node)
    return draft.replace(jit.node, f"{draft.name('functools.partial')}({text}, {option})")


def parameter_position(jit: AppliedTransform, name: str) -> int | None:
    """Return the position of a parameter among those given by position."""
    assert jit.function is not None
    given = jit.function.args
    names = [a.arg for a in (*given.posonlyargs, *given.args)]
    return names.index(name) if name in names else None


def _add_item(draft: Draft, value: ast.expr, item: str) -> Draft | None:
    if isinstance(value, ast.Constant):
        return draft.replace(value, f"({draft.module.text(value)}, {item})")
    if isinstance(value, ast.Tuple | ast.List) and value.elts:
        return draft.after(value.elts[-1], f", {item}")
    return None


def make_static(context: FailureContext, name: str | None = None) -> Draft | None:
    """Make the argument that a traced value comes from static, in every jit on the way."""
    found = _traced_parameter(context, name)
    if found is None:
        return None
    frame, parameter = found
    draft = Draft(frame.module)
    return draft if _name_on_the_way(context, draft, frame, parameter) else None


def static_source(found: AtFrame) -> Drafts:
    """Make the argument that the traced value comes from static."""
    yield make_static(found.context)


def make_static_at_call(context: FailureContext) -> Draft | None:
    """Make the argument at fault static in the jit that its call names: `jax.jit(net.apply)(…)`."""
    given = python_argument(context)
    if given is None or given.caller is None or given.call is None or given.value is None:
        return None
    module, call = given.caller.module, given.call
    jits = [a for a in applied(module) if makes(a, call.func)]
    if len(jits) != 1 or jits[0].call is None or _has_static(jits[0].call):
        return None
    keyword = next((k.arg for k in call.keywords if k.value is given.value), None)
    if keyword is not None:
        option = f'static_argnames="{keyword}"'
    elif given.value in call.args:
        option = f"static_argnums={call.args.index(given.value)}"
    else:
        return None
    return add_argument(Draft(module), jits[0].call, option)


def _has_static(call: ast.Call) -> bool:
    return any(k.arg in ("static_argnums", "static_argnames") for k in call.keywords)


def _traced_parameter(context: FailureContext, name: str | None) -> tuple[FrameContext, str] | None:
    """Find the scalar parameter to make static and the frame of its function."""
    if name is None:
        origin = context.failure.origin
        if not origin or not origin[0].aval.endswith("[]"):
            return None
        name = context.argument
    given = python_argument(context)
    if given is not None and given.name == name:
        return given.frame, given.name
    found = context.parameter(name) if name is not None else None
    return (found[0], found[1].arg) if found is not None else None


def _name_on_the_way(context: FailureContext, draft: Draft, frame: FrameContext, name: str) -> bool:
    """Name a parameter in the jits of its function, and of the callers that hand it on."""
    frames = context.frames[: context.frames.index(frame) + 1]
    named = False
    current: str | None = name
    seen: set[FunctionNode] = set()
    for position in range(len(frames) - 1, -1, -1):
        here = frames[position]
        if current is None or here.module is not draft.module or here.function is None:
            break
        if here.function not in seen:
            seen.add(here.function)
            for jit in jits_of(here.module, here.function):
                named = name_static(draft, jit, current) is not None or named
        current = _caller_parameter(frames, position, current)
    return named


def _caller_parameter(frames: list[FrameContext], position: int, name: str) -> str | None:
    """Name the caller's parameter that a call hands on under a name."""
    if position == 0:
        return None
    here, caller = frames[position], frames[position - 1]
    call = caller.node
    if here.function is None or not isinstance(call, ast.Call):
        return None
    given = argument_for(here.function, call, name)
    names = set(parameter_names(caller.function))
    return given.id if isinstance(given, ast.Name) and given.id in names else None


def unname_static(jit: AppliedTransform, name: str) -> Draft | None:
    """Take a parameter out of a jit's static ones."""
    draft = Draft(jit.module)
    if jit.call is None:
        return None
    names = keyword_of(jit.call, "static_argnames")
    numbers = keyword_of(jit.call, "static_argnums")
    for keyword, wanted in ((names, name), (numbers, parameter_position(jit, name))):
        if keyword is not None and wanted is not None and _take_out(draft, jit, keyword, wanted):
            return draft
    return None


def _take_out(draft: Draft, jit: AppliedTransform, keyword: ast.keyword, wanted: str | int) -> bool:
    value = keyword.value
    items = elements_or_itself(value)
    rest = [i for i in items if not (isinstance(i, ast.Constant) and i.value == wanted)]
    if len(rest) == len(items):
        return False
    if rest:
        texts = [draft.module.text(i) for i in rest]
        draft.replace(value, texts[0] if len(texts) == 1 else f"({', '.join(texts)})")
        return True
    assert jit.call is not None
    return drop_option(draft, jit.call, keyword, is_decorator=jit.is_decorator)


def drop_option(draft: Draft, call: ast.Call, keyword: ast.keyword, *, is_decorator: bool) -> bool:
    """Take an option out of a call; a bare decorator stays where nothing else is left."""
    module = draft.module
    if len(call.keywords) == 1 and is_decorator and len(call.args) <= 1:
        bare = call.args[0] if call.args else call.func
        draft.replace(call, module.text(bare))
        return True
    others = [n for n in (*call.args, *call.keywords) if n is not keyword]
    span = module.span(keyword)
    before = [n for n in others if _is_before(module, n, span)]
    if before:
        last = module.span(before[-1])
        place = Span(last.end_line, last.end_column, span.end_line, span.end_column)
    elif others:
        first = module.span(others[0])
        place = Span(span.line, span.column, first.line, first.column)
    else:
        place = span
    draft.replace(place, "")
    return True


def _is_before(module: Module, node: ast.AST, span: Span) -> bool:
    found = module.span(node)
    return (found.line, found.column) < (span.line, span.column)
