"""Finds losses in which the divergence of a variational autoencoder has the wrong sign."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.likelihoods import (
    negate_likelihood,
    read_likelihoods,
)
from jaxtutor.core.diagnosis.causes.training.rising_chains import (
    read_rising_chains,
    turn_chain,
)
from jaxtutor.core.diagnosis.causes.training.signs import (
    add_step,
    add_updates,
    descends,
    read_signs,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding
from jaxtutor.core.diagnosis.engine.rules import Read, Rule, by_match
from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied
from jaxtutor.core.diagnosis.reading.calls import calls_to
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import last_name, last_part, load_sites
from jaxtutor.core.diagnosis.reading.patterns import fits

_SUMS = ("sum", "mean", "average")
_MOST_STEPS = 40
"""Expressions between a divergence and the loss; more are not followed."""


class Divergence(ExpressionFinding, frozen=True, kw_only=True):
    """A divergence that a loss has with a minus."""


def read_divergences(module: Module) -> Iterator[Divergence]:
    """Yield each divergence that a loss has with a minus, so that training makes it large."""
    if not descends(module):
        return
    losses = {a.function for a in applied(module) if a.kind in ("grad", "value_and_grad")}
    for node in module.nodes:
        sign = _sign_of(module, node) if isinstance(node, ast.BinOp) else 0
        if not sign or not isinstance(node, ast.BinOp):
            continue
        path = _Path(module, losses)
        end = path.follow(node, sign)
        place = path.turned[0] if len(path.turned) == 1 and path.before > 0 else path.whole
        if end < 0 and place is not None:
            facts = {"argument": module.text(place)}
            yield Divergence(None, facts, "divergence", module=module, node=place)


def _sign_of(module: Module, node: ast.BinOp) -> int:
    """Return 1 for `m**2 + exp(v) - 1 - v`, -1 for `1 + v - m**2 - exp(v)`, and 0 for others."""
    terms = dict[str, int]()
    for term, sign in _terms(node, 1):
        kind = _term_role(module, term)
        if not kind or kind in terms:
            return 0
        terms[kind] = sign
    if set(terms) != {"one", "log", "square", "exp"}:
        return 0
    signs = (terms["exp"], terms["square"], -terms["one"], -terms["log"])
    return signs[0] if len(set(signs)) == 1 else 0


def _terms(node: ast.expr, sign: int) -> Iterator[tuple[ast.expr, int]]:
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield from _terms(left, sign)
            yield from _terms(right, sign if isinstance(op, ast.Add) else -sign)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _terms(operand, -sign)
        case _:
            yield node, sign


_ROLES = {
    "one": ("1",),
    "square": ("$mean ** 2", "jnp.square($mean)", "jnp.power($mean, 2)"),
    "exp": ("jnp.exp($log)",),
    "log": ("2 * $std",),
}


def _term_role(module: Module, node: ast.expr) -> str:
    """Name what a term of the divergence between two normal distributions is."""
    if isinstance(node, ast.Name | ast.Attribute):
        return "log"
    return next((role for role, forms in _ROLES.items() if fits(module, node, *forms)), "")


class _Path:
    """Follows a value to the loss that it is a part of, and how its sign changes."""

    def __init__(self, module: Module, losses: set[FunctionNode | None]) -> None:
        self.module = module
        self.losses = losses
        self.turned: list[ast.expr] = []
        self.before = 0  # the sign of the divergence where it is complete
        self.whole: ast.expr | None = None  # the complete divergence, with its factor
        self.left = _MOST_STEPS

    def follow(self, node: ast.expr, sign: int) -> int:
        """Return the sign with which a loss has a value; 0 if that is not certain."""
        self.left -= 1
        if self.left < 0:
            return 0
        parent = self.module.parents.get(node)
        match parent:
            case ast.BinOp(op=ast.Mult() | ast.Div()):
                factor = parent.right if parent.left is node else parent.left
                return self.follow(parent, sign * self._factor(factor))
            case ast.UnaryOp(op=ast.USub()):
                return self.follow(parent, -sign)
            case ast.BinOp(op=ast.Add()):
                self._complete(node, sign)
                return self.follow(parent, sign)
            case ast.BinOp(op=ast.Sub()):
                self._complete(node, sign)
                if parent.right is not node:
                    return self.follow(parent, sign)
                self.turned.append(parent)
                return self.follow(parent, -sign)
            case ast.Attribute(attr=name) if name in _SUMS:
                call = self.module.parents.get(parent)
                return self.follow(call, sign) if isinstance(call, ast.Call) else 0
            case ast.Call(args=[first, *_]) if first is node and self._is_sum(parent):
                return self.follow(parent, sign)
            case ast.Assign(targets=[ast.Name(id=name)]):
                self._complete(node, sign)
                return self._follow_name(parent, name, sign)
            case ast.Return():
                self._complete(node, sign)
                return self._follow_return(parent, sign)
            case ast.Tuple(elts=[first, *_]) if first is node:
                end = self.module.parents.get(parent)
                is_end = isinstance(end, ast.Return)
                return self._follow_return(end, sign, part=True) if is_end else 0
        return 0

    def _complete(self, node: ast.expr, sign: int) -> None:
        """Remember the first place at which the divergence has its factor and sign."""
        if self.whole is None:
            self.whole, self.before = node, sign

    def _factor(self, node: ast.expr) -> int:
        """Return the sign of a factor: 1 for a number or name, as weights are positive."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -1
        return 1 if isinstance(node, ast.Constant | ast.Name | ast.Attribute) else 0

    def _is_sum(self, call: ast.Call) -> bool:
        return last_name(call.func) in _SUMS

    def _follow_name(self, statement: ast.stmt, name: str, sign: int) -> int:
        scope = self.module.scope(statement)
        if len(self.module.assignments(name, scope)) != 1:
            return 0
        return self._agreed([self.follow(site, sign) for site in load_sites(scope, name)])

    def _follow_return(self, statement: ast.AST | None, sign: int, part: bool = False) -> int:
        function = self.module.function(statement) if statement is not None else None
        if function is None or not isinstance(function, Definition):
            return 0
        if function in self.losses:
            return sign
        if part or result_of(function) is None:
            return 0
        ends = [self.follow(call, sign) for call in calls_to(self.module, function.name)]
        ends += [
            self.follow(outer, sign)
            for call in self.module.calls
            if call.args and path_of(call.args[0]) == function.name and self._is_map(call)
            for outer in [self.module.parents.get(call)]
            if isinstance(outer, ast.Call) and outer.func is call
        ]
        return self._agreed(ends)

    def _is_map(self, call: ast.Call) -> bool:
        return last_part(self.module.dotted(call.func)) in ("vmap", "filter_vmap")

    def _agreed(self, signs: list[int]) -> int:
        """Return the sign of all uses that are a part of a loss; 0 if they differ."""
        known = {s for s in signs if s}
        return known.pop() if len(known) == 1 else 0


def add_divergence(found: Divergence) -> Drafts:
    """Correct the sign of a divergence."""
    module, node = found.module, found.node
    match node:
        case ast.BinOp(left=left, op=ast.Sub(), right=right) if not _sign_of(module, node):
            text = f"{module.text(left)} + {module.text(right)}"
            yield Draft(module).replace(node, text).certain()
        case ast.BinOp(left=ast.UnaryOp(op=ast.USub(), operand=inner)):
            yield Draft(module).replace(node.left, module.text(inner)).certain()
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            yield Draft(module).replace(node, module.text(inner)).certain()
        case ast.BinOp(op=ast.Mult() | ast.Div()) | ast.Call():
            yield Draft(module).before(node, "-").certain()


RULES = (
    Rule(
        "step-with-wrong-sign",
        Read((read_likelihoods, read_divergences, read_signs, read_rising_chains)),
        by_match(negate_likelihood, add_divergence, add_step, add_updates, turn_chain),
    ),
)
