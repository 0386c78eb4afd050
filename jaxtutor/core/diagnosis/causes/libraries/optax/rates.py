"""Matches and fixes schedules and transformations of Optax that stand in each other's place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument, method_owner, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.library_calls import given_values
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.patterns import fits
from jaxtutor.core.diagnosis.reading.values import elements

_SCHEDULE = re.compile(
    r"^optax\.(?:schedules\.)?(?:\w+_schedule|join_schedules|exponential_decay)$"
)
OPTIMIZERS = frozenset(
    f"optax.{name}"
    for name in """adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad
    fromage lamb lars lion nadam nadamw noisy_sgd novograd optimistic_adam radam rmsprop rprop sgd
    sign_sgd sm3 yogi""".split()
)
_PARTS = re.compile(r"^optax\.(?:chain|clip\w*|scale|scale_by_\w+|add_\w+|trace|identity|ema)$")
_SCALED = ("optax.scale_by_schedule", "optax.scale_by_learning_rate")


class ScheduleInChain(InContext, frozen=True, kw_only=True):
    """A schedule among the parts of a chain; `wrapper` makes it one of them, if that is known."""

    module: Module
    node: ast.expr
    wrapper: str
    is_sure: bool


class RateIsTransformation(InContext, frozen=True, kw_only=True):
    """A transformation where a rate or a schedule belongs; `made` is the call that makes it."""

    module: Module
    made: ast.Call
    schedule: ast.expr | None


def out_of_place(context: FailureContext) -> InContext | None:
    """A schedule stands where a transformation belongs, or the other way round."""
    if "has no attribute 'init'" in context.message:
        return _schedule_in_chain(context) or _schedule_alone(context)
    found = [
        (module, made)
        for module in context.modules.values()
        for value in _rates(module)
        if (made := _transformation(module, value)) is not None
    ]
    if not found or (
        len(found) > 1 and not any("join_schedules" in name for name in context.failure.jax_frames)
    ):
        return None
    module, made = found[0]
    path = module.dotted(made.func) or ""
    schedule = made.args[0] if path in _SCALED and len(made.args) == 1 else None
    facts = {
        "name": " ".join(module.text(made).split()),
        "argument": module.text(schedule) if schedule is not None else "a number or a schedule",
    }
    form = "rate" if schedule is not None else "rate_unknown"
    place = module.location(made)
    return RateIsTransformation(
        place, facts, form, context=context, module=module, made=made, schedule=schedule
    )


# ---------------------------------------------------------------- a schedule for a transformation


def _schedule_in_chain(context: FailureContext) -> ScheduleInChain | None:
    for frame in reversed(context.frames):
        call = frame.node
        if not isinstance(call, ast.Call) or frame.callee(call) != "optax.chain":
            continue
        parts = [p for p in _chain_parts(frame.module, call) if _is_schedule(context, frame, p)]
        if len(parts) != 1:
            return None
        outer = frame.module.parents.get(call)
        if len(call.args) == 1 and isinstance(outer, ast.Call | ast.keyword):
            return None  # a chain of a schedule alone, passed on as a rate
        return _in_chain(context, frame, call, parts[0])
    return None


def _chain_parts(module: Module, call: ast.Call) -> Iterator[ast.expr]:
    """Yield the parts of a chain, also those of a list that a function builds."""
    for given in call.args:
        if not isinstance(given, ast.Starred):
            yield given
            continue
        made, name = bound_value(module, given.value), path_of(given.value)
        yield from elements(made)
        for node in ast.walk(module.scope(call)):
            is_added = isinstance(node, ast.Call) and path_of(node.func) == f"{name}.append"
            yield from node.args if is_added and isinstance(node, ast.Call) else ()


def _in_chain(
    context: FailureContext, frame: FrameContext, call: ast.Call, part: ast.expr
) -> ScheduleInChain:
    module = frame.module
    parts = [p for p in _chain_parts(module, call) if p is not part]
    others = [given_values(context, frame, p)[-1] for p in parts]
    has_optimizer = any(frame.callee(other) in OPTIMIZERS for other in others)
    has_sign = any(_is_negative_scale(frame, other) for other in others)
    optax = module.text(call.func).rpartition(".")[0]
    name = "scale_by_schedule" if has_sign else "scale_by_learning_rate"
    text = module.text(part)
    facts = {"name": text, "argument": f"{optax}.{name}({text})" if optax else f"{name}({text})"}
    is_library = _SCHEDULE.match(frame.callee(given_values(context, frame, part)[-1]) or "")
    return ScheduleInChain(
        frame.place(part),
        facts,
        "optimizer" if has_optimizer else "",
        context=context,
        module=module,
        node=part,
        wrapper=f"optax.{name}",
        is_sure=not has_optimizer and is_library is not None,
    )


def _schedule_alone(context: FailureContext) -> ScheduleInChain | None:
    """Match a schedule that is itself used as the optimizer."""
    frame = context.frame
    call = frame.node if frame is not None else None
    if frame is None or not isinstance(call, ast.Call):
        return None
    owner = method_owner(call)
    given = [*passed_arguments(call), *([owner] if owner else [])]
    made = [g for g in given if isinstance(given_values(context, frame, g)[-1], ast.Call)]
    found = [g for g in made if _is_schedule(context, frame, g)]
    if len(found) != 1 or (frame.callee(call) or "").startswith("optax."):
        return None
    facts = {"name": frame.module.text(found[0])}
    return ScheduleInChain(
        frame.place(found[0]),
        facts,
        "alone",
        context=context,
        module=frame.module,
        node=found[0],
        wrapper="",
        is_sure=False,
    )


def _is_schedule(context: FailureContext, frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression is a schedule: of Optax, or a function of the step alone."""
    made = given_values(context, frame, node)[-1]
    if isinstance(made, ast.Call):
        return _SCHEDULE.match(frame.callee(made) or "") is not None
    function = resolve(frame.module, made, made)
    if function is None or len(parameters(function)) != 1:
        return False
    names = (frame.module.dotted(n) or "" for n in ast.walk(function))
    return not any(n in OPTIMIZERS or _PARTS.match(n) for n in names)  # it makes no optimizer


def _is_negative_scale(frame: FrameContext, node: ast.expr) -> bool:
    return fits(frame.module, node, "optax.scale(-$rate, ...)")


# ---------------------------------------------------------------- a transformation for a schedule


def _rates(module: Module) -> Iterator[ast.expr]:
    """Yield what the calls of Optax in a file pass where a rate or a schedule belongs."""
    for node in module.calls:
        path, func = module.dotted(node.func) or "", node.func
        if path in OPTIMIZERS or _is_injected(module, func):
            rate = argument(node, 0, "learning_rate")
        elif path in _SCALED:
            rate = argument(node, 0, "step_size_fn", "learning_rate")
        elif path.endswith(".join_schedules"):
            listed = argument(node, 0, "schedules")
            yield from elements(listed)
            continue
        else:
            continue
        if rate is not None:
            yield rate


def _is_injected(module: Module, func: ast.expr) -> bool:
    """Return whether a callee is `optax.inject_hyperparams(…)`."""
    return isinstance(func, ast.Call) and module.dotted(func.func) == "optax.inject_hyperparams"


def _transformation(module: Module, value: ast.expr) -> ast.Call | None:
    """Return the call that makes a value, if that is a transformation of Optax."""
    made = bound_value(module, value)
    path = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    is_one = path in OPTIMIZERS or _PARTS.match(path) is not None
    return made if is_one and isinstance(made, ast.Call) else None


# ---------------------------------------------------------------- fixes


def into_place(found: InContext) -> Drafts:
    """Make a transformation of the schedule, or take the schedule out of one."""
    if isinstance(found, ScheduleInChain) and found.wrapper:
        draft = Draft(found.module)
        draft.wrap(found.node, f"{draft.name(found.wrapper)}(", ")")
        yield draft.certain() if found.is_sure else draft
    if isinstance(found, RateIsTransformation) and found.schedule is not None:
        draft, is_plain = Draft(found.module), isinstance(found.schedule, ast.Name | ast.Call)
        draft.replace(found.made, found.module.text(found.schedule))
        yield draft.certain() if is_plain else draft


RULES = (Rule("schedule-for-transformation", raised(out_of_place), into_place),)
