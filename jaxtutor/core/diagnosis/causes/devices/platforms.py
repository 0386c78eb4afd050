"""Matches platforms that a program asks for and that JAX does not have here."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_UNKNOWN = re.compile(r"Unknown backend:? '?(\w+)'?")
_PRESENT = re.compile(r"Platforms present are: ([\w, ]+)")


def not_present(context: FailureContext) -> AtFrame | None:
    """The program names a platform for which no plugin of JAX is installed, or no device exists."""
    said, present = _UNKNOWN.search(context.message), _PRESENT.search(context.message)
    if context.frame is None or said is None:
        return None
    known = present[1].strip().rstrip(",").split(", ") if present is not None else ["cpu"]
    facts = {"name": said[1], "detail": ", ".join(f"`{name.strip()}`" for name in known)}
    return AtFrame(None, facts, context=context)


def default_devices(found: AtFrame) -> Drafts:
    """List the devices of the default platform."""
    call = found.call
    if call is None or found.frame.callee(call) not in ("jax.devices", "jax.local_devices"):
        return
    if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) and not call.keywords:
        yield Draft(found.module).replace(call, f"{found.module.text(call.func)}()")


RULES = (Rule("platform-not-present", raised(not_present), default_devices),)
