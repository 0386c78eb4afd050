"""Names means of means over batches of different sizes, in which small batches count too much.

The run shows that a function returns means, and of how many rows; the source, that these are
collected and averaged without weights.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.data.observations import MeansOfBatches
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in, path_of
from jaxtutor.core.diagnosis.reading.calls import called_identifier, keyword_of
from jaxtutor.core.diagnosis.reading.loops import loop_around, updates_itself

_COMPREHENSIONS = ast.ListComp | ast.GeneratorExp | ast.SetComp
_MEANS = ("mean", "fmean", "nanmean", "average")
_WEIGHTING = ("dot", "vdot", "inner", "tensordot", "einsum")


def mean_of_means(spot: ObservedLocation[MeansOfBatches]) -> Finding | None:
    """A mean of results that are means over the rows of batches of two sizes."""
    if not isinstance(spot.node, ast.Call):
        return None
    seen, average = spot.seen, _Averages(spot.module, spot.node).average()
    if average is None:
        return None
    facts = {
        **spot.facts,
        "name": spot.module.text(spot.node),
        "argument": str(seen.rows),
        "condition": str(seen.fewest),
        "detail": f"{seen.rows / seen.fewest:.3g}",
    }
    return replace(spot.found(average, facts), is_certain=False)


class _Averages:
    """Follows the results of a call in a loop to the expression that averages them."""

    def __init__(self, module: Module, call: ast.Call) -> None:
        self._module, self._call = module, call
        self._scope = module.scope(call)
        self._results: set[str] = set()  # names of what one call returns
        self._collections: set[str] = set()  # names of what all calls return, or of its sum

    def average(self) -> ast.expr | None:
        """Return the expression; None if there is none, or weights occur."""
        statement = self._module.statement(self._call)
        around = list(self._module.ancestors(self._call))
        collected = next((n for n in around if isinstance(n, _COMPREHENSIONS)), None)
        loop = loop_around(self._module, self._call)
        if statement is None:
            return None
        if collected is not None:
            outer = [n for n in around if isinstance(n, ast.expr)]
            if any(map(_is_weighted, outer)):
                return None
            average = next((n for n in outer if self._is_mean(n)), None)
            self._collections = bound_names(statement)
            end = statement.end_lineno
        elif loop is not None and self._collect(loop):
            average, end = None, loop.end_lineno
        else:
            return None
        return average or self._average_after(end or 0)

    def _collect(self, loop: ast.AST) -> bool:
        """Follow the results to what a loop collects; False if they are weighted."""
        for node, value in _evaluating_statements(loop):
            if not names_in(value) & self._results and self._call not in ast.walk(value):
                continue
            if _is_weighted(value):
                return False
            if isinstance(node, ast.Expr) and isinstance(value, ast.Call):
                if isinstance(value.func, ast.Attribute) and value.func.attr == "append":
                    self._collections |= names_in(value.func.value)
            elif isinstance(node, ast.AugAssign):
                self._collections |= bound_names(node)
            else:
                names = bound_names(node)
                renewed = {name for name in names if updates_itself(node, name)}
                self._collections |= renewed
                self._results |= names - renewed
        return bool(self._collections)

    def _average_after(self, line: int) -> ast.expr | None:
        """Return the first expression after a line that averages what was collected."""
        for node, value in _evaluating_statements(self._scope):
            if node.lineno <= line or not names_in(value) & self._collections:
                continue
            found = next((n for n in ast.walk(value) if self._is_mean(n)), None)
            if _is_weighted(value):
                return None
            if isinstance(found, ast.expr):
                return found
            self._collections |= bound_names(node)
        return None

    def _is_mean(self, node: ast.AST) -> bool:
        """Return whether an expression is a mean, or divides a sum, of what was collected.

        In a lambda or a comprehension, the names are others.
        """
        outer = self._module.ancestors(node)
        is_inner = any(isinstance(n, ast.Lambda | ast.DictComp | _COMPREHENSIONS) for n in outer)
        is_of_call = self._call in ast.walk(node)
        if not is_inner and not is_of_call and not names_in(node) & self._collections:
            return False
        if isinstance(node, ast.Call):
            return called_identifier(node) in _MEANS
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            return False
        is_sum = called_identifier(node.left) == "sum"
        is_total = path_of(node.left) in self._collections
        return (is_total or is_sum) and "shape" not in ast.dump(node.right)


def _evaluating_statements(node: ast.AST) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """Yield the statements of a function, loop or file in order, each with what it evaluates."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        value = getattr(child, "iter" if isinstance(child, ast.For) else "value", None)
        if isinstance(child, ast.stmt) and isinstance(value, ast.expr):
            yield child, value
        if hasattr(child, "body") and isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _evaluating_statements(child)


def _is_weighted(node: ast.AST) -> bool:
    """Return whether an expression multiplies, or names weights."""
    for n in ast.walk(node):
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult | ast.MatMult):
            return True
        if isinstance(n, ast.Call) and (
            called_identifier(n) in _WEIGHTING or keyword_of(n, "weights") is not None
        ):
            return True
    return False


RULES = (Rule("mean-of-batch-means", observed((MeansOfBatches, mean_of_means))),)
