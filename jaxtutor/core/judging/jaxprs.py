"""Prints jaxprs, and names the variables of two of them alike so that only real differences show.

Two equations that compute the same from the same inputs are one pair, wherever they stand. Of the
rest, those are paired that have the same primitive in the same order, and those that stand in each
other's place. What a pair makes has one name on both sides, so an equation more or less renames
nothing that follows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain
from itertools import count as count_from
from math import prod
from string import ascii_lowercase

from msgspec import Struct

from jaxtutor.core.data.jaxprs import Equation, Jaxpr, Lit, Var

Names = dict[int, str]
"""What each variable of one jaxpr is called, by its number."""

MOST_PAIRS = 250_000
"""How many pairs of equations may be weighed; beyond, they are paired from the front."""


class Line(Struct, frozen=True):
    """One printed line; `source` is the line of the learner's file that it came from."""

    text: str
    source: int | None = None


def count(jaxpr: Jaxpr) -> int:
    """Count the equations, those of nested jaxprs too."""
    return sum(1 + sum(count(inner) for _, inner in equation.inner) for equation in jaxpr.equations)


def primitives(jaxpr: Jaxpr) -> set[str]:
    """Return the names of all primitives, those of nested jaxprs too."""
    names = {equation.primitive for equation in jaxpr.equations}
    return names.union(
        *(primitives(inner) for equation in jaxpr.equations for _, inner in equation.inner)
    )


def largest(jaxpr: Jaxpr) -> Var | None:
    """Return the result with the most elements, of nested equations too; None without equations."""
    found = [out for equation in jaxpr.equations for out in equation.outs]
    inner = (largest(it) for equation in jaxpr.equations for _, it in equation.inner)
    return max((*found, *filter(None, inner)), key=lambda it: prod(it.shape), default=None)


def find_conversion(jaxpr: Jaxpr, place: int, wanted: str, got: str) -> int | None:
    """Return the line that turns one dtype into another on the way to an output, if one does."""
    makers = {out.id: equation for equation in jaxpr.equations for out in equation.outs}
    pending = [jaxpr.outs[place]] if place < len(jaxpr.outs) else []
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        maker = makers.get(value.id) if isinstance(value, Var) else None
        if maker is None or id(maker) in seen:
            continue
        seen.add(id(maker))
        operands = [operand for operand in maker.ins if isinstance(operand, Var)]
        if any(operand.dtype == wanted for operand in operands):
            return maker.line
        pending += [operand for operand in reversed(operands) if operand.dtype == got]
    return None


def text(jaxpr: Jaxpr) -> str:
    """Print one jaxpr on its own."""
    return "\n".join(line.text for line in lines_alike(jaxpr)[0])


def lines_alike(first: Jaxpr, *others: Jaxpr) -> tuple[tuple[Line, ...], ...]:
    """Print jaxprs, the others with variables named as those of the first that they pair with."""
    fresh = map(_name, count_from())
    names: Names = {}
    _name_alone(first, names, fresh)
    printed = [tuple(_Printer(names).lines(first))]
    for other in others:
        alike: Names = {}
        _name_alike(first, names, other, alike, fresh)
        printed.append(tuple(_Printer(alike).lines(other)))
    return tuple(printed)


# ---------------------------------------------------------------- names


def _name_alone(jaxpr: Jaxpr, names: Names, fresh: Iterator[str]) -> None:
    _name_each((*jaxpr.consts, *jaxpr.ins), names, fresh)
    for equation in jaxpr.equations:
        _name_equation(equation, names, fresh)


def _name_equation(equation: Equation, names: Names, fresh: Iterator[str]) -> None:
    _name_each(equation.outs, names, fresh)
    for _, inner in equation.inner:
        _name_alone(inner, names, fresh)


def _name_each(variables: Sequence[Var], names: Names, fresh: Iterator[str]) -> None:
    for variable in variables:
        names[variable.id] = next(fresh)


def _name_alike(
    ours: Jaxpr, known: Names, theirs: Jaxpr, names: Names, fresh: Iterator[str]
) -> None:
    """Name the variables of one jaxpr as those of another that they pair with."""

    def name(models: Sequence[Var], variables: Sequence[Var]) -> None:
        for model, variable in zip(models, variables, strict=False):
            names[variable.id] = known[model.id]
        _name_each(variables[len(models) :], names, fresh)

    name(ours.consts, theirs.consts)
    name(ours.ins, theirs.ins)
    for equation, model in zip(theirs.equations, _pair(ours, theirs), strict=True):
        if model is None:
            _name_equation(equation, names, fresh)
            continue
        name(model.outs, equation.outs)
        bodies = dict(model.inner)
        for role, inner in equation.inner:
            if role in bodies:
                _name_alike(bodies[role], known, inner, names, fresh)
            else:
                _name_alone(inner, names, fresh)


def _pair(ours: Jaxpr, theirs: Jaxpr) -> list[Equation | None]:
    """Return for each of their equations the one of ours that it pairs with."""
    pairs: list[Equation | None] = [None] * len(theirs.equations)
    left: dict[str, list[int]] = {}
    for place, key in enumerate(_keys(ours)):
        left.setdefault(key, []).append(place)
    for place, key in enumerate(_keys(theirs)):
        if left.get(key):
            pairs[place] = ours.equations[left[key].pop(0)]
    singles = [place for place, model in enumerate(pairs) if model is None]
    models = [ours.equations[place] for place in sorted(chain(*left.values()))]
    for single, model in _in_order(singles, models, theirs):
        pairs[single] = model
    return pairs


def _in_order(
    singles: list[int], models: list[Equation], theirs: Jaxpr
) -> Iterator[tuple[int, Equation]]:
    """Pair what is left over by primitive, keeping the order; then what stands in its place."""
    if len(singles) * len(models) > MOST_PAIRS:
        yield from zip(singles, models, strict=False)
        return
    wanted = [theirs.equations[place].primitive for place in singles]
    matcher = SequenceMatcher(None, [model.primitive for model in models], wanted, autojunk=False)
    for _, start, end, their_start, their_end in matcher.get_opcodes():
        if end - start == their_end - their_start:
            yield from zip(singles[their_start:their_end], models[start:end], strict=True)


def _keys(jaxpr: Jaxpr) -> list[str]:
    """Return a key for each equation: equal keys compute the same from the same inputs."""
    return _follow(jaxpr)[0]


def _follow(jaxpr: Jaxpr) -> tuple[list[str], str]:
    """Follow the data through a jaxpr; return the key of each equation and that of the whole."""
    known = {
        variable.id: f"{role}{place}:{_type(variable)}"
        for role, variables in (("const", jaxpr.consts), ("in", jaxpr.ins))
        for place, variable in enumerate(variables)
    }
    roots = list(known.values())
    keys = []
    for equation in jaxpr.equations:
        key = _key(equation, known)
        keys.append(key)
        known.update((out.id, f"{key}#{place}") for place, out in enumerate(equation.outs))
    results = [_operand_key(operand, known) for operand in jaxpr.outs]
    return keys, _digest(*roots, *keys, *results)


def _key(equation: Equation, known: dict[int, str]) -> str:
    types = map(_type, equation.outs)
    params = [f"{name}={value}" for name, value in equation.params]
    bodies = [f"{role}={_follow(inner)[1]}" for role, inner in equation.inner]
    operands = [_operand_key(operand, known) for operand in equation.ins]
    return _digest(equation.primitive, *types, *params, *bodies, *operands)


def _operand_key(operand: Var | Lit, known: dict[int, str]) -> str:
    return operand.text if isinstance(operand, Lit) else known.get(operand.id, "?")


def _digest(*parts: str) -> str:
    """Hash a key to a fixed length: nested keys would grow without limit."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()


# ---------------------------------------------------------------- printing


class _Printer:
    """Prints one jaxpr, its variables named."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def lines(self, jaxpr: Jaxpr) -> Iterator[Line]:
        yield Line(self._header(jaxpr) + " let")
        yield from self._body(jaxpr, "    ")
        yield Line(f"  in ({', '.join(map(self._operand, jaxpr.outs))}) }}")

    def _header(self, jaxpr: Jaxpr) -> str:
        consts, ins = (" ".join(map(self._typed, it)) for it in (jaxpr.consts, jaxpr.ins))
        return f"{{ lambda {consts}; {ins}."

    def _body(self, jaxpr: Jaxpr, indent: str) -> Iterator[Line]:
        for equation in jaxpr.equations:
            yield from self._equation(equation, indent)

    def _equation(self, equation: Equation, indent: str) -> Iterator[Line]:
        outs = " ".join(map(self._typed, equation.outs))
        ins = "".join(f" {self._operand(operand)}" for operand in equation.ins)
        if not equation.inner:
            params = _params(equation)
            yield Line(f"{indent}{outs} = {equation.primitive}{params}{ins}", equation.line)
            return
        yield Line(f"{indent}{outs} = {equation.primitive}[{_plain(equation)}", equation.line)
        for role, inner in equation.inner:
            yield Line(f"{indent}  {role}={self._header(inner)} let", equation.line)
            yield from self._body(inner, indent + "      ")
            results = ", ".join(map(self._operand, inner.outs))
            yield Line(f"{indent}    in ({results}) }}", equation.line)
        yield Line(f"{indent}]{ins}", equation.line)

    def _operand(self, operand: Var | Lit) -> str:
        if isinstance(operand, Lit):
            return operand.text
        return self.names.get(operand.id, "_")

    def _typed(self, variable: Var) -> str:
        return f"{self._operand(variable)}:{_type(variable)}"


def _type(variable: Var) -> str:
    short = variable.dtype.replace("float", "f").replace("uint", "u").replace("int", "i")
    shape = ",".join(map(str, variable.shape))
    return ("~" if variable.weak else "") + f"{short}[{shape}]"


def _params(equation: Equation) -> str:
    shown = _plain(equation)
    return f"[{shown}]" if shown else ""


def _plain(equation: Equation) -> str:
    """Print the parameters that say something; jax's own defaults are left out."""
    return " ".join(
        f"{name}={value}"
        for name, value in equation.params
        if name not in _UNTOLD_NAMES and value not in _UNTOLD_VALUES
    )


_UNTOLD_VALUES = frozenset({"None", "False", "()"})
# How and where a program runs, not what it computes.
_UNTOLD_NAMES = frozenset(
    {
        "compiler_options_kvs",
        "ctx_mesh",
        "donated_invars",
        "in_layouts",
        "in_shardings",
        "inline",
        "jvp_jaxpr_fun",
        "keep_unused",
        "out_layouts",
        "out_sharding",
        "out_shardings",
        "sharding",
    }
)


def _name(index: int) -> str:
    """Name variables a, b, … z, aa, ab, … as jax does."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, 26)
        letters = ascii_lowercase[letter] + letters
    return letters
