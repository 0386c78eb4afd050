"""Matches calls with too many or too few arguments."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.python.handed import handed_call, other_signature
from jaxtutor.core.diagnosis.causes.python.library_arity import UNEXPECTED, library_arity
from jaxtutor.core.diagnosis.causes.python.model_calls import model_arguments
from jaxtutor.core.diagnosis.causes.python.passed_on import keyword_passed_on
from jaxtutor.core.diagnosis.causes.python.refused import refused
from jaxtutor.core.diagnosis.causes.python.wrong_calls import ARITY, WrongArity
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import FunctionNode, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, definition_place, find
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")
_TAKES = re.compile(r"takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)")
_FIELD = ("t", "y", "args")
"""What Diffrax passes to a vector field; to other functions it passes less."""


def wrong_arity(context: FailureContext) -> AtFrame | None:
    """A function is called with too few or too many arguments, or with a keyword it lacks."""
    return (
        handed_call(context)
        or refused(context)
        or keyword_passed_on(context)
        or _unfit_call(context)
    )


def _unfit_call(context: FailureContext) -> AtFrame | None:
    found, frame = ARITY.search(context.message), context.frame
    if frame is None or found is None:
        return library_arity(context)
    name = last_part(found[1])
    own = _functions_named(context, found[1])
    library = library_arity(context) if not own else None
    if library is not None or (not own and name != "__init__"):
        return library
    kernel = _kernel(context, frame, own)
    if kernel is not None:
        return kernel
    loop = find(context, "scan", "fori_loop", "while_loop", "cond", "switch")
    body = loop.function if loop is not None else None
    is_body = body is not None and any(f is body for f in own)
    place = definition_place(loop.module, body) if loop and body and is_body else None
    if loop is not None and _has_no_operands(loop):
        place = None  # the call is what forgot them
    alike = [f for f in own if _takes(f) == _argument_limit(context)] if name == "<lambda>" else own
    if alike and (len(own) == 1 or name == "<lambda>") and _is_handed(context, name):
        counts = _TAKES.search(context.message)
        count = _arguments_in_words(int(counts[2])) if counts is not None else "other arguments"
        special = other_signature(context, frame, alike[0], count) or model_arguments(
            context, frame, alike[0]
        )
        return special or _called_by_library(context, frame, alike[0])
    facts = {"name": name, "function": name if name[0] not in "<_" else ""}
    said = _MISSING.search(context.message)
    missing = tuple(re.findall(r"'(\w+)'", said[1])) if said is not None else ()
    return WrongArity(place, facts, context=context, missing=missing)


def _kernel(
    context: FailureContext, frame: FrameContext, own: list[FunctionNode]
) -> WrongArity | None:
    """Point at the signature of a Pallas kernel that does not take all references."""
    func = context.call.func if context.call is not None else None
    made = bound_value(frame.module, func) if func is not None else None
    path = frame.callee(made) or ""
    counts = _TAKES.search(context.message)
    if not path.endswith("pallas_call") or counts is None or len(own) != 1:
        return None
    module = next(m for m in context.modules.values() if own[0] in m.functions)
    facts = {
        "function": getattr(own[0], "name", "lambda"),
        "argument": ", ".join(parameter_names(own[0])),
        "detail": f"{counts[2]} references",
    }
    place = definition_place(module, own[0])
    return WrongArity(place, facts, "kernel", context=context, missing=())


def _is_handed(context: FailureContext, name: str) -> bool:
    """Return whether a library, and not the call at fault, called the function of a name."""
    called = context.call.func if context.call is not None else None
    is_direct = name in (getattr(called, "id", ""), getattr(called, "attr", ""))
    return bool(context.library) and called is not None and not is_direct and name != "__init__"


def _lacks_one(function: FunctionNode, counts: re.Match[str] | None) -> bool:
    """Return whether a function needs one parameter more for what it is called with."""
    is_open = function.args.vararg is not None or function.args.kwonlyargs
    return counts is not None and int(counts[2]) == int(counts[1]) + 1 and not is_open


def _missing_observations(context: FailureContext, function: FunctionNode) -> tuple[str, ...]:
    """Name the missing arguments of a model of NumPyro that are only observations: `obs=y`."""
    said = _MISSING.search(context.message)
    missing = tuple(re.findall(r"'(\w+)'", said[1])) if said is not None else ()
    keywords = (n for n in ast.walk(function) if isinstance(n, ast.keyword) and n.arg == "obs")
    used = {path_of(keyword.value) for keyword in keywords}
    return missing if context.library == "numpyro" and set(missing) <= used else ()


def _takes(function: FunctionNode) -> int:
    return len([*function.args.posonlyargs, *function.args.args])


def _argument_limit(context: FailureContext) -> int:
    """Return how many arguments a function takes, as the message says; -1 if it does not."""
    counts = _TAKES.search(context.message)
    return int(counts[1]) if counts is not None else -1


def _arguments_in_words(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"


def _called_by_library(
    context: FailureContext, frame: FrameContext, function: FunctionNode
) -> WrongArity | None:
    """Point at the signature of a function that a library calls with arguments of its own."""
    assert context.call is not None
    module = next(m for m in context.modules.values() if function in m.functions)
    counts = _TAKES.search(context.message)
    given = parameter_names(function)
    is_field = "diffrax" in (frame.callee(context.call) or "") and len(given) < 4
    passed = int(counts[2]) - (given[:1] == ["self"]) if counts is not None else 0
    form = "vector_field" if is_field and passed == len(_FIELD) else "handed"
    observed = _missing_observations(context, function)
    form = "observed" if observed else form
    form = "handed_keywords" if _by_keyword(context, frame, function) else form
    form = form if given or form != "handed" else "handed_none"
    form = "handed_more" if form == "handed" and _lacks_one(function, counts) else form
    if form == "handed_more" and context.library in ("lineax", "optimistix", "diffrax"):
        form = "handed_args"
    if (
        form == "handed_more"
        and context.library == "grain"
        and getattr(function, "name", "") == "random_map"
    ):
        form = "random_map"
    facts = {
        "function": getattr(function, "name", "lambda"),
        "name": frame.module.text(context.call.func),
        "argument": ", ".join(given),
        "detail": _arguments_in_words(int(counts[2])) if counts is not None else "other arguments",
    }
    if observed:
        facts["argument"] = observed[0]
    if form == "handed_more" and context.library == "haiku":
        # Haiku adds no argument: the learner's call has one too many.
        return WrongArity(None, facts, "passed_on_more", context=context, missing=())
    place = definition_place(module, function)
    return WrongArity(place, facts, form, context=context, missing=observed, function=function)


def _by_keyword(context: FailureContext, frame: FrameContext, function: FunctionNode) -> bool:
    """Return whether Diffrax passes keywords, as to the condition of an event, to one without."""
    is_refused = UNEXPECTED.search(context.message) is not None
    is_diffrax = (frame.callee(context.call) or "").startswith("diffrax.")
    return is_refused and is_diffrax and function.args.kwarg is None


def _functions_named(context: FailureContext, qualified: str) -> list[FunctionNode]:
    """List the learner's functions of a qualified name: `Net.__init__` is a method of `Net`."""
    owner, _, name = qualified.rpartition(".")
    owner = last_part(owner)
    return [
        function
        for module in context.modules.values()
        for function in module.functions
        if getattr(function, "name", "<lambda>") == name
        and owner in ("", "<locals>", getattr(module.parents.get(function), "name", ""))
    ]


def _has_no_operands(branching: AppliedTransform) -> bool:
    """Return whether a `cond` or `switch` hands nothing to its branches."""
    fewest = {"cond": 3, "switch": 2}.get(branching.kind, 0)
    call = branching.call
    return call is not None and len(call.args) == fewest and not call.keywords
