"""Matches and fixes reverse-mode gradients through a loop of unknown length."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.static_arguments import make_static
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, names_in
from jaxtutor.core.diagnosis.engine.transforms import every
from jaxtutor.core.diagnosis.reading.calls import argument


class DifferentiatedLoop(InContext, frozen=True, kw_only=True):
    """A loop that a reverse-mode gradient goes through; the call at fault if it is not known."""

    loop_call: ast.AST | None


def reverse_mode(context: FailureContext) -> DifferentiatedLoop | None:
    """A reverse-mode gradient goes through a while_loop."""
    found = _loop_in_links(context) or _only_loop(context)
    place = found[0].location(found[1]) if found is not None else None
    node = found[1] if found is not None else context.node
    return DifferentiatedLoop(place, context=context, loop_call=node)


def _loop_in_links(context: FailureContext) -> tuple[Module, ast.AST] | None:
    """Find the loop by the frames that JAX kept from before the transformation."""
    for link in context.chain():
        for frame in reversed(link.frames):
            module = context.modules.get(frame.file)
            node = module.node_at(frame.span) if module is not None else None
            if module is not None and node is not None and _is_loop_call(module, node):
                return module, node
    return None


def _is_loop_call(module: Module, node: ast.AST) -> bool:
    path = module.dotted(node.func) if isinstance(node, ast.Call) else None
    return path in ("jax.lax.while_loop", "jax.lax.fori_loop")


def _only_loop(context: FailureContext) -> tuple[Module, ast.AST] | None:
    found = [(m, n) for m in context.modules.values() for n in m.nodes if _is_loop_call(m, n)]
    return found[0] if len(found) == 1 else None


def forward_mode(found: DifferentiatedLoop) -> Drafts:
    """Make the loop's bound static, or take the gradient in forward mode."""
    node = found.loop_call
    bound = argument(node, 1, "upper") if isinstance(node, ast.Call) else None
    for name in sorted(names_in(bound)) if bound is not None else ():
        yield make_static(found.context, name)
    for item in every(found.context, "grad"):
        draft = Draft(item.module)
        bare = item.call.func if item.call is not None else item.node
        yield draft.replace(bare, draft.name("jax.jacfwd"))


RULES = (Rule("reverse-mode-through-while", raised(reverse_mode), forward_mode),)
