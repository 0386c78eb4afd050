"""Matches and fixes functions that a library calls like another one: guides, and `main`."""

from __future__ import annotations

import ast

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.python.wrong_calls import WrongArity
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import definition_place, resolve
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import last_name


class OtherSignature(AtFrame, frozen=True, kw_only=True):
    """A function of the file `home` whose parameters have to be `signature`."""

    home: Module
    function: Definition
    signature: str


def handed_call(context: FailureContext) -> WrongArity | None:
    """A library calls a function of another's that it was given, with arguments of its own."""
    called, frame, call = context.failure.handed, context.frame, context.call
    if called is None or called.is_class or frame is None or call is None:
        return None
    counts = {0: "no arguments", 1: "one argument", None: "other arguments"}
    facts = {
        "name": frame.module.text(call.func),
        "function": called.given,
        "detail": counts.get(called.passed, f"{called.passed} arguments"),
        "argument": ", ".join(called.parameters),
    }
    return WrongArity(None, facts, "handed_other", context=context, missing=())


def other_signature(
    context: FailureContext, frame: FrameContext, function: FunctionNode, count: str
) -> OtherSignature | None:
    """A guide does not take what its model takes, or a `main` for absl takes nothing."""
    if not isinstance(function, Definition) or context.call is None:
        return None
    home = next(m for m in context.modules.values() if function in m.functions)
    is_main = frame.callee(context.call) == "absl.app.run" and not parameters(function)
    model = None if is_main else _model(context, function)
    if not is_main and model is None:
        return None
    signature = ast.unparse(model.args) if model is not None else "argv"
    if signature == ast.unparse(function.args):
        return None
    facts = {
        "function": function.name,
        "name": frame.module.text(context.call.func),
        "argument": f"({ast.unparse(function.args)})",
        "condition": signature,
        "detail": count,
    }
    return OtherSignature(
        definition_place(home, function),
        facts,
        "main" if is_main else "guide",
        context=context,
        home=home,
        function=function,
        signature=signature,
    )


def _model(context: FailureContext, guide: Definition) -> FunctionNode | None:
    """Return the model that the learner passes to `SVI` with a guide."""
    for module in context.modules.values():
        for node in module.calls:
            if (module.dotted(node.func) or "").endswith(".SVI"):
                model, given = argument(node, 0, "model"), argument(node, 1, "guide")
                if model is not None and last_name(given) == guide.name:
                    return resolve(module, model, node)
    return None


def take_same(found: OtherSignature) -> Drafts:
    """Write the parameters that the library passes arguments for."""
    home, given = found.home, parameters(found.function)
    draft = Draft(home).certain()
    if given:
        is_plain = not found.function.args.defaults and not any(a.annotation for a in given)
        first, last = home.span(given[0]), home.span(given[-1])
        whole = Span(first.line, first.column, last.end_line, last.end_column)
        if is_plain and not found.function.args.vararg:
            yield draft.replace(whole, found.signature)
        return
    header = home.header(found.function)
    column = home.lines[header.line - 1].find("(") + 1
    if column:
        yield draft.replace(Span(header.line, column, header.line, column), found.signature)
