"""Names the cause of a failure: from an exception and the source to one diagnosis."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import LeakedTracer, Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.causes.tracing.leaks import unknown_leak
from jaxtutor.core.diagnosis.engine.advice import choose_form, line_to_write
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.fallback_summaries import summarise
from jaxtutor.core.diagnosis.engine.guard import guarded
from jaxtutor.core.diagnosis.engine.matches import Match
from jaxtutor.core.diagnosis.engine.named_parts import lead
from jaxtutor.core.diagnosis.engine.pages import Cause, fill
from jaxtutor.core.diagnosis.engine.registry import decided_by_message, raised_rules
from jaxtutor.core.diagnosis.engine.rules import Diagnosed, Rule
from jaxtutor.core.diagnosis.engine.source import Location, only_files
from jaxtutor.core.diagnosis.engine.transforms import definition_place


def diagnose(
    failure: Failure,
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
    observations: Iterable[Observation] = (),
    *,
    changed: Collection[str] = (),
    is_excerpt: bool = False,
    has_own_frame: bool = True,
) -> Diagnosed | None:
    """Diagnose a failure; without a cause where no matcher is sure of one.

    None if nothing of the failure lies in the learner's files. The text of `changed` files is not
    what ran: nothing is certain of a failure in them. Of an excerpt, whose sources are the lines
    that a log quotes, the message may decide the cause. If none of its frames is the learner's, a
    class alone decides nothing.
    """
    if failure.frames and failure.frames[-1].file in changed:
        return _outdated(failure, failure.frames[-1])
    sources = only_files(sources, sources.keys() - set(changed)) if changed else sources
    outer = FailureContext(_with_leak(failure, observations), sources, is_excerpt=is_excerpt)
    context, rule, match = _match_chain(outer, sources)
    if rule is not None and not has_own_frame and not _is_said(rule, match, causes):
        rule, match = None, Match()
    slug = rule.slug if rule is not None else None
    decided = next(decided_by_message(outer), None) if is_excerpt and slug is None else None
    if decided is not None:
        slug, match = decided[0], Match(facts=_named(decided[1]))
    raised = outer.place()
    place = match.place or context.place() or raised or _written_place(outer)
    if place is None:
        return None
    cause = causes.get(slug) if slug is not None else None
    form, more = choose_form(cause, match, context.frame, context.node)
    words = cause.form(form) if cause is not None else None
    if decided is not None and cause is not None and cause.alone is not None:
        words = cause.alone.form
    facts = {**_place_facts(context, place), **match.facts, **more}
    elsewhere = raised is not None and place != raised and outer.frame is not None
    seen_at, seen_text = _raised_at(outer) if elsewhere or failure.surfaced else (None, "")
    if words is not None:
        summary = fill(words.summary, facts)
        advice = line_to_write(cause, rule, match, place.span.line) + fill(words.advice, facts)
    else:
        summary, advice = _without_cause(context, causes)
    made = Diagnosis(
        error_class=failure.error_class,
        message=failure.message,
        cause=slug,
        file=place.file,
        span=place.span,
        expression=place.expression,
        summary=lead(context.failure, summary, has_cause=words is not None),
        advice=advice,
        origin=context.failure.origin,
        raised_at=seen_at,
        raised_expression=seen_text,
    )
    return Diagnosed(made, rule, match)


def _without_cause(context: FailureContext, causes: Mapping[str, Cause]) -> tuple[str, str]:
    """Say what was refused, in the exception's own words too, and what to do.

    What JAX has for expressions of other libraries is known from a page with that form.
    """
    # A failure with a cause does not need them, and they are a fifth of all that is imported.
    from jaxtutor.core.diagnosis.engine.fallback_advice import advise
    from jaxtutor.core.diagnosis.refusals.refused import refusal

    refused, message = refusal(context), summarise(context.failure)
    said = f"{refused.says} ({message})" if refused is not None else message
    page = causes.get("attribute-typo")
    return said, advise(context, page.counterparts if page is not None else ())


def _outdated(failure: Failure, frame: Frame) -> Diagnosed:
    """Describe a failure in a file whose text has changed since it was loaded."""
    name = re.split(r"[\\/]", frame.file)[-1]
    made = Diagnosis(
        error_class=failure.error_class,
        message=failure.message,
        cause=None,
        file=frame.file,
        span=None,
        expression="",
        summary=f"`{name}` has changed since it was loaded: the program that raised "
        f"{failure.error_class} is not the text that the file has now.",
        advice=f"Load `{name}` again (restart, or use `importlib.reload`), and run the call again. "
        "A cause is named only where the text is the one that ran.",
    )
    return Diagnosed(made)


def _named(said: re.Match[str]) -> dict[str, str]:
    """Return the facts in a message: the named groups of its pattern."""
    return {name: text for name, text in said.groupdict().items() if text}


def _raised_at(context: FailureContext) -> tuple[Frame | None, str]:
    """Return where an exception was raised, or reached the program, with the expression there."""
    surfaced = context.failure.surfaced
    if surfaced is None:
        place, frame = context.place(), context.frame
        return (frame.record if frame else None), (place.expression if place else "")
    module = context.modules.get(surfaced.file)
    return surfaced, module.text(surfaced.span).strip() if module is not None else ""


def _written_place(context: FailureContext) -> Location | None:
    """Return the place that a message names, of an exception without a frame of the learner's.

    JAX calls rules and callbacks on its own account: the message then has a traceback of its own,
    or names the function that could not be called. Compilation names the line of an operation.
    """
    named = context.named_place()
    if named is not None:
        return named
    for file, line in reversed(_TRACED_LINE.findall(context.message)):
        module = context.modules.get(file)
        statement = module.statement_on(int(line)) if module is not None else None
        if module is not None and statement is not None:
            return module.location(module.header(statement))
    called = _CALLED.match(context.message)
    name = called[1] if called is not None else ""
    found = [(m, m.function_named(name)) for m in context.modules.values()]
    places = [definition_place(module, function) for module, function in found if function]
    return places[0] if len(places) == 1 else None


_TRACED_LINE = re.compile(r'File "([^"\n]+)", line (\d+)')
_CALLED = re.compile(r"(?:[\w.<>]*\.)?(\w+)\(\) (?:missing|takes|got)\b")


def _with_leak(failure: Failure, observations: Iterable[Observation]) -> Failure:
    """Add what was seen of a leak to a failure that does not say what holds the tracer."""
    leak = failure.leak
    seen = [o.leak for o in observations if isinstance(o, LeakedTracer)]
    if leak is None or leak.path or len(seen) != 1:
        return failure
    return replace(failure, leak=seen[0])


def _match_chain(
    outer: FailureContext, sources: Mapping[str, str]
) -> tuple[FailureContext, Rule[Any] | None, Match]:
    """Match a failure, then what it was raised from: a program may have caught that."""
    rule, match = _match(outer)
    for context in outer.linked_contexts(sources) if rule is None else ():
        inner, inner_match = _match(context)
        if inner is not None:
            return context, inner, inner_match
    return (outer if rule is not None else _in_callback(outer, sources)), rule, match


def _in_callback(outer: FailureContext, sources: Mapping[str, str]) -> FailureContext:
    """Return the failure of a callback, of that of the compiled program that called it."""
    is_of_program = outer.error in ("JaxRuntimeError", "XlaRuntimeError")
    inner = outer.linked_contexts(sources) if is_of_program else iter(())
    return next(inner, outer)


def _match(context: FailureContext) -> tuple[Rule[Any] | None, Match]:
    """Return the first cause whose rule matches, the more specific before the more general."""
    for rule in raised_rules(context):
        if rule.needs_source and context.is_excerpt:
            continue
        match = guarded(rule.slug, partial(rule.find, context))
        if match is not None:
            return rule, match
    return None, unknown_leak(context) or Match()


def _is_said(rule: Rule[Any], match: Match, causes: Mapping[str, Cause]) -> bool:
    """Return whether a cause was recognised by more than the class of an exception."""
    return bool(match.facts or causes[rule.slug].message or causes[rule.slug].alone)


def _place_facts(context: FailureContext, place: Location) -> dict[str, str]:
    failure = context.failure
    function = failure.traced_function or (context.frame.record.function if context.frame else "")
    return {
        "expression": place.expression,
        "condition": place.expression,
        "function": "" if function.startswith("<") else function,
        "argument": context.argument or "",
        "aval": failure.tracer or "",
        "class": failure.error_class,
        "line": str(place.span.line),
    }
