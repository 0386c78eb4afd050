"""Rewrites log messages of traced values, so that they are written when the program runs."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.reading.functions import parameter_names

_LEVELS = frozenset({"debug", "info", "warning", "error", "critical", "log"})
_MODULES = ("logging.", "absl.logging.")


def is_log(frame: FrameContext, call: ast.Call) -> bool:
    """Return whether a call writes to a log of the standard library or of absl."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _LEVELS:
        return False
    fact = frame.fact(call.func.value)
    is_logger = fact is not None and fact.detail in ("logging.Logger", "logging.RootLogger")
    return is_logger or (frame.module.dotted(call.func) or "").startswith(_MODULES)


def debug_log(frame: FrameContext, call: ast.Call) -> Draft | None:
    """Make the call on the host, with the values of the traced names that it reads."""
    module, function = frame.module, frame.function
    if function is None:
        return None
    own = set(parameter_names(function))
    read = [n.id for n in ast.walk(call) if isinstance(n, ast.Name)]
    local = [n for n in read if n in own or module.assignments(n, function)]
    names = ", ".join(dict.fromkeys(local))
    draft = Draft(module).certain()
    callback = draft.name("jax.debug.callback")
    return draft.replace(call, f"{callback}(lambda {names}: {module.text(call)}, {names})")
