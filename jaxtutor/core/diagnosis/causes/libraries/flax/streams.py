"""Matches and fixes keys that a layer of NNX takes from a stream which `nnx.Rngs` lacks."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import calls_of

_SAID = re.compile(r"No RngStream named '(\w+)'")


class MissingStream(AtFrame, frozen=True, kw_only=True):
    """The call of `nnx.Rngs` that does not make a stream of this name."""

    made: ast.Call
    module_of: Module
    stream: str


def missing_stream(context: FailureContext) -> AtFrame | None:
    """A key is taken from a stream that `nnx.Rngs` was made without."""
    said, found = _SAID.search(context.message), at_frame(context)
    if said is None or found is None:
        return None
    calls = [
        (module, node)
        for module in context.modules.values()
        for node in calls_of(module, "flax.nnx.Rngs")
        if not node.args and node.keywords and said[1] not in {k.arg for k in node.keywords}
        if None not in {k.arg for k in node.keywords}
    ]
    facts = {"name": said[1]}
    if len(calls) != 1:
        return AtFrame(None, facts, "unknown", context=context)
    module, made = calls[0]
    text = module.text(made)
    facts |= {"container": text, "argument": f"{text[:-1].rstrip(', ')}, {said[1]}={_seed(made)})"}
    return MissingStream(
        module.location(made), facts, context=context, made=made, module_of=module, stream=said[1]
    )


def _seed(made: ast.Call) -> int:
    """Return a seed that no other stream has."""
    values = [getattr(k.value, "value", None) for k in made.keywords]
    return max([v for v in values if type(v) is int], default=0) + 1


def add_stream(found: AtFrame) -> Drafts:
    """Make the stream as well."""
    if isinstance(found, MissingStream):
        text = f"{found.stream}={_seed(found.made)}"
        yield add_argument(Draft(found.module_of).certain(), found.made, text)


RULES = (Rule("rngs-without-stream", raised(missing_stream), add_stream),)
