"""Names what will raise where a value is traced: what `lint` says without a run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.tracing.booleans import loop_around
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, foreseen
from jaxtutor.core.diagnosis.engine.source import Definition, Module
from jaxtutor.core.diagnosis.interpretation.demands import Demand, Need, read_demands
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.names import last_name


def _truth(module: Module, demand: Demand) -> str:
    """Name the cause of a truth test by what tests: the same as when it raises."""
    at = demand.at
    match at:
        case ast.Assert():
            return "traced-bool-in-assert"
        case ast.While():
            return "traced-bool-in-while"
        case ast.BoolOp():
            return _of_operands(module, demand, at)
        case ast.Compare():
            return "traced-bool-in-chained-comparison"
        case ast.UnaryOp():
            return "traced-bool-in-not"
    if _is_recursive(demand):
        return "traced-bool-in-recursion"
    if isinstance(at, ast.IfExp):
        return "traced-bool-in-ternary"
    return "traced-early-return" if _leaves_loop(module, at) else "traced-bool-in-if"


def _of_operands(module: Module, demand: Demand, at: ast.BoolOp) -> str:
    around = module.parents.get(at)
    if isinstance(around, ast.While | ast.Assert):
        return _truth(module, replace(demand, at=around))
    return "traced-bool-in-and-or"


def _is_recursive(demand: Demand) -> bool:
    function = demand.function
    if not isinstance(demand.at, ast.If | ast.IfExp) or not isinstance(function, Definition):
        return False
    return function.name in (last_name(call.func) for call in calls_in(function))


def _leaves_loop(module: Module, at: ast.AST) -> bool:
    if not isinstance(at, ast.If) or loop_around(module, at) is None:
        return False
    inner = (node for statement in at.body for node in ast.walk(statement))
    return any(isinstance(node, ast.Return | ast.Break) for node in inner)


def _number(module: Module, demand: Demand) -> str:
    """Name the cause of a conversion by what converts."""
    func = demand.at.func if isinstance(demand.at, ast.Call) else None
    if module.dotted(func) is not None:
        return "python-math-on-tracer"
    if isinstance(func, ast.Attribute):
        return "item-on-tracer" if func.attr == "item" else "tolist-on-tracer"
    return "int-on-tracer" if last_name(func) == "int" else "float-on-tracer"


def _host_library(module: Module, demand: Demand) -> str:
    path = module.dotted(demand.at.func) if isinstance(demand.at, ast.Call) else None
    return "scipy-call-on-tracer" if (path or "").startswith("scipy.") else "numpy-call-on-tracer"


_CAUSES: dict[Need, str | Callable[[Module, Demand], str]] = {
    Need.TRUTH: _truth,
    Need.PRESENCE: "traced-bool-in-or-default",
    Need.BUILTIN_ORDER: "traced-bool-in-builtin-minmax",
    Need.BUILTIN_TRUTH: "traced-bool-in-builtin-sorted",
    Need.PYTHON_NUMBER: _number,
    Need.NUMPY_ARRAY: _host_library,
    Need.LENGTH: "range-of-tracer",
    Need.SHAPE: "traced-shape-arg",
    Need.ARANGE: "traced-arange-bound",
    Need.COUNT: "missing-static-size",
    Need.SELECTION: "boolean-mask-index",
    Need.MEMORY: "inplace-assignment",
    Need.MASKED_MEMORY: "masked-assignment",
}
_TESTING = (ast.If, ast.While, ast.Assert, ast.IfExp, ast.comprehension)


def cause_of(module: Module, demand: Demand) -> str:
    """Name the cause of a demand: the one that the exception would have."""
    cause = _CAUSES[demand.need]
    return cause if isinstance(cause, str) else cause(module, demand)


def _read(slug: str, module: Module) -> Iterator[Finding]:
    demands = (demand for demand in read_demands(module) if cause_of(module, demand) == slug)
    yield from (_found(module, demand) for demand in demands)


def _found(module: Module, demand: Demand) -> Finding:
    value = module.text(demand.value)
    facts = {"argument": value, "name": value, "aval": value}
    at = demand.value if isinstance(demand.at, _TESTING) else demand.at
    if demand.need in (Need.MEMORY, Need.MASKED_MEMORY):
        at = module.statement(at) or at
    if demand.need is Need.TRUTH:
        facts["condition"] = module.text(at)
    if isinstance(demand.function, Definition):
        facts["function"] = demand.function.name
    return finding(module, at, facts)


SLUGS = (
    "traced-bool-in-recursion",
    "traced-bool-in-assert",
    "traced-bool-in-while",
    "traced-bool-in-builtin-minmax",
    "traced-bool-in-builtin-sorted",
    "traced-early-return",
    "traced-bool-in-chained-comparison",
    "traced-bool-in-or-default",
    "traced-bool-in-and-or",
    "traced-bool-in-not",
    "traced-bool-in-ternary",
    "traced-bool-in-if",
    "float-on-tracer",
    "int-on-tracer",
    "item-on-tracer",
    "tolist-on-tracer",
    "python-math-on-tracer",
    "scipy-call-on-tracer",
    "numpy-call-on-tracer",
    "range-of-tracer",
    "traced-shape-arg",
    "traced-arange-bound",
    "missing-static-size",
    "boolean-mask-index",
    "masked-assignment",
    "inplace-assignment",
)


def _is_misread(match: Finding, named: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether the expression is not what its writer meant: then that is the mistake."""
    return any(
        slug == "operator-precedence" and other.location == match.location for slug, other in named
    )


RULES = tuple(Rule(slug, foreseen(partial(_read, slug)), is_echo=_is_misread) for slug in SLUGS)
