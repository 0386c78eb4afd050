"""Finds mistakes in a program that did not raise, from observations and from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from jaxtutor.core.data.diagnoses import Diagnosis, Observation
from jaxtutor.core.diagnosis.families.control_flow.unchanged import read_loops
from jaxtutor.core.diagnosis.families.extending.order import swapped_fields
from jaxtutor.core.diagnosis.families.flax.batch_scans import read_batch_scans
from jaxtutor.core.diagnosis.families.flax.plain_arrays import read_plain_arrays
from jaxtutor.core.diagnosis.families.flax.second_names import read_second_names
from jaxtutor.core.diagnosis.families.libraries.guides import read_guides
from jaxtutor.core.diagnosis.families.libraries.pipelines import read_pipelines
from jaxtutor.core.diagnosis.families.libraries.unobserved import read_unobserved
from jaxtutor.core.diagnosis.families.libraries.unsaved_times import read_unsaved_times
from jaxtutor.core.diagnosis.families.randomness.constant_key import constant_keys
from jaxtutor.core.diagnosis.families.randomness.shared_key import shared_keys
from jaxtutor.core.diagnosis.families.silent.environment import read_environment
from jaxtutor.core.diagnosis.families.silent.flat_order import read_flat_orders
from jaxtutor.core.diagnosis.families.silent.leaf_order import reordered
from jaxtutor.core.diagnosis.families.silent.match import is_swallowed
from jaxtutor.core.diagnosis.families.training.logits import read_losses
from jaxtutor.core.diagnosis.families.training.match import read_training
from jaxtutor.core.diagnosis.families.training.own_updates import read_own_updates
from jaxtutor.core.diagnosis.families.training.rising_chains import read_rising_chains
from jaxtutor.core.diagnosis.families.training.signs import read_signs
from jaxtutor.core.diagnosis.families.training.timing import read_timing
from jaxtutor.core.diagnosis.families.vmap.states import read_states
from jaxtutor.core.diagnosis.observed_causes import name_all
from jaxtutor.core.diagnosis.observed_location import Found
from jaxtutor.core.diagnosis.pages import Cause, fill
from jaxtutor.core.diagnosis.rewriting.updates import at_update
from jaxtutor.core.diagnosis.source import Module, read_module
from jaxtutor.core.diagnosis.transforms import applied, name_of

MOST_FINDINGS = 8


def find(
    observations: Iterable[Observation],
    sources: Mapping[str, str],
    causes: Mapping[str, Cause],
) -> tuple[Diagnosis, ...]:
    """Name what was seen while the program ran, and what its source shows by itself."""
    read = {file: read_module(file, text) for file, text in sources.items()}
    modules = {file: module for file, module in read.items() if module is not None}
    found = _without_echoes([*name_all(tuple(observations), modules), *_read(modules)])
    named = {
        (slug, place.file, place.span.line): (slug, place, facts) for slug, place, facts in found
    }
    return tuple(make_finding(item, causes) for item in list(named.values())[:MOST_FINDINGS])


def _without_echoes(found: list[Found]) -> list[Found]:
    """Leave out what another finding explains.

    It is a stale variable that a loss reads in the place of its argument, a draw from the key that
    all simulations of the file share, or the NaN that a lookup gives for an index out of range.
    """
    outside = {(p.file, facts["name"]) for _, p, facts in found if facts.get("form") == "outside"}
    shared = {p.file for _, p, facts in found if facts.get("form") == "simulations"}
    has_lookups = any(slug == "out-of-bounds-clamped" for slug, _, _ in found)
    return [
        (slug, place, facts)
        for slug, place, facts in found
        if (slug != "result-not-finite" or "form" in facts or not has_lookups)
        and (slug != "stale-global" or (place.file, facts.get("name")) not in outside)
        and (facts.get("form") != "mapped" or place.file not in shared)
    ]


def make_finding(found: Found, causes: Mapping[str, Cause]) -> Diagnosis:
    """Return the diagnosis of a cause that raised nothing, at a place."""
    slug, place, facts = found
    cause = causes.get(slug)
    text = place.expression
    known = {"expression": text, "condition": text, "line": str(place.span.line), **facts}
    words = cause.form(facts.get("form", "")) if cause is not None else None
    return Diagnosis(
        error_class=None,
        message="",
        cause=slug,
        file=place.file,
        span=place.span,
        expression=place.expression,
        summary=fill(words.summary, known) if words else "",
        advice=fill(words.advice, known) if words else "",
    )


# ---------------------------------------------------------------- read


def _read(modules: dict[str, Module]) -> Iterator[Found]:
    yield from read_own_updates(modules)
    for module in modules.values():
        for node in module.nodes:
            yield from _dropped_update(module, node)
            yield from _precedence(module, node)
            yield from reordered(module, node)
        yield from _host_generators(module)
        yield from constant_keys(module)
        yield from shared_keys(module)
        yield from read_training(module)
        yield from read_signs(module)
        yield from read_losses(module)
        yield from read_timing(module)
        yield from read_loops(module)
        yield from swapped_fields(module)
        for read in _LIBRARIES:
            yield from read(module)


_LIBRARIES = (
    read_rising_chains,
    read_pipelines,
    read_plain_arrays,
    read_second_names,
    read_batch_scans,
    read_unobserved,
    read_guides,
    read_unsaved_times,
    read_environment,
    read_states,
    read_flat_orders,
)
_UPDATES = frozenset(
    {"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"}
)


_GENERATORS = ("numpy.random.RandomState", "random.Random")


def _dropped_update(module: Module, node: ast.AST) -> Iterator[Found]:
    """`x.at[i].set(v)` as a statement of its own does nothing."""
    update = at_update(node.value) if isinstance(node, ast.Expr) else None
    if isinstance(node, ast.Expr) and update is not None and update.method in _UPDATES:
        facts = {"name": module.text(update.array)}
        yield "at-set-result-dropped", module.location(node.value), facts


def _host_generators(module: Module) -> Iterator[Found]:
    """`np.random.RandomState(0)` in a compiled function draws while it is traced."""
    for item in applied(module):
        if item.kind != "jit" or item.function is None:
            continue
        for node in ast.walk(item.function):
            if isinstance(node, ast.Call) and module.dotted(node.func) in _GENERATORS:
                facts = {"function": name_of(item.function)}
                yield "impure-host-random", module.location(node), facts


def _precedence(module: Module, node: ast.AST) -> Iterator[Found]:
    """`a < b & c` is `a < (b & c)`."""
    if is_swallowed(module, node):
        yield "operator-precedence", module.location(node), {}
