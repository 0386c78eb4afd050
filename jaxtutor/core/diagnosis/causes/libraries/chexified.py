"""Matches and fixes assertions of Chex about values, in a function that JAX traces."""

from __future__ import annotations

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, find_in_frames


class ValueAssertion(AtCall, frozen=True, kw_only=True):
    """An assertion about values, and the jit that traces it, if one is known."""

    jit: AppliedTransform | None


def traced_assertion(context: FailureContext) -> ValueAssertion | None:
    """An assertion about values runs in a traced function that nothing has chexified."""
    call = at_call(context)
    if call is None or not call.path.startswith("chex."):
        return None
    return ValueAssertion(
        None,
        {"name": call.module.text(call.node.func)},
        context=context,
        node=call.node,
        jit=find_in_frames(context, "jit"),
    )


def chexify(found: ValueAssertion) -> Drafts:
    """Let Chex run the assertions of the jitted function, and raise what they find."""
    jit = found.jit
    if jit is None:
        return
    draft = Draft(jit.module).certain()
    name = draft.name("chex.chexify")
    if jit.is_decorator:
        partial = draft.name("functools.partial")
        indent = " " * (jit.module.span(jit.node).column - 1)
        draft.before(jit.node, f"{partial}({name}, async_check=False)\n{indent}@")
    else:
        draft.wrap(jit.node, f"{name}(", ", async_check=False)")
    yield draft


RULES = (Rule("value-assertion-not-chexified", raised(traced_assertion), chexify),)
