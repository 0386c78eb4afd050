"""Matches and fixes sites of NumPyro inside a loop of JAX, which hides them from the inference."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied
from jaxtutor.core.diagnosis.reading.calls import calls_in

_LOOPS = ("scan", "fori_loop", "while_loop", "map")


class SampledLoop(InContext, frozen=True, kw_only=True):
    """A loop of JAX whose body samples."""

    loop: AppliedTransform


def sample_in_loop(context: FailureContext) -> SampledLoop | None:
    """The body of a loop of JAX has sites of NumPyro."""
    found = [item for module in context.modules.values() for item in _sampling(module)]
    if len(found) != 1:
        return None
    loop = found[0]
    func = loop.node.func if isinstance(loop.node, ast.Call) else loop.node
    facts = {"name": loop.module.text(func)}
    return SampledLoop(loop.module.location(loop.node), facts, context=context, loop=loop)


def _sampling(module: Module) -> Iterator[AppliedTransform]:
    for item in applied(module):
        if item.kind in _LOOPS and item.function is not None and not item.is_decorator:
            calls = list(calls_in(item.function))
            if any(module.dotted(call.func) == "numpyro.sample" for call in calls):
                yield item


def numpyro_scan(found: SampledLoop) -> Drafts:
    """Use the scan of NumPyro, which takes the same arguments."""
    node, module = found.loop.node, found.loop.module
    if found.loop.kind != "scan" or not isinstance(node, ast.Call):
        return
    known = {path: alias for alias, path in module.imports.items()}
    draft = Draft(module).certain()
    name = known.get("numpyro.contrib.control_flow.scan")
    if name is None:
        draft.import_line("from numpyro.contrib.control_flow import scan")
    yield draft.replace(node.func, name or "scan")


RULES = (Rule("sample-in-jax-loop", raised(sample_in_loop), numpyro_scan),)
