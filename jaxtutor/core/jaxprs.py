"""Owns jaxprs as text: printed, and two of them named alike so that only real differences show.

A variable's name follows from what it holds. Two variables that are made by the same equations from
the same inputs get the same name on both sides, whatever was computed before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

from msgspec import Struct

from jaxtutor.core.model import Equation, Jaxpr, Lit, Var

Key = str


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


def text(jaxpr: Jaxpr) -> str:
    """Print one jaxpr on its own."""
    return "\n".join(line.text for line in lines_alike(jaxpr)[0])


def lines_alike(*jaxprs: Jaxpr) -> tuple[tuple[Line, ...], ...]:
    """Print jaxprs with variables that hold the same named the same."""
    names: dict[Key, str] = {}
    return tuple(tuple(_Printer(names).lines(jaxpr)) for jaxpr in jaxprs)


class _Printer:
    """Prints one jaxpr, sharing names by key with the others printed before."""

    def __init__(self, names: dict[Key, str]) -> None:
        self.names = names
        self.keys: dict[int, Key] = {}
        self.taken: set[Key] = set()

    def lines(self, jaxpr: Jaxpr) -> Iterator[Line]:
        yield Line(self._header(jaxpr, "in", "") + " let")
        yield from self._body(jaxpr, "    ", "")
        yield Line(f"  in ({', '.join(map(self._operand, jaxpr.outs))}) }}")

    def _header(self, jaxpr: Jaxpr, role: str, scope: Key) -> str:
        """Print the binders; an inner jaxpr's are keyed by its scope."""
        consts = self._binders(jaxpr.consts, f"{scope}const")
        ins = self._binders(jaxpr.ins, f"{scope}{role}")
        return f"{{ lambda {consts}; {ins}."

    def _binders(self, variables: tuple[Var, ...], role: str) -> str:
        for index, variable in enumerate(variables):
            self._bind(variable, f"{role}{index}:{_type(variable)}")
        return " ".join(self._typed(variable) for variable in variables)

    def _body(self, jaxpr: Jaxpr, indent: str, scope: Key) -> Iterator[Line]:
        for equation in jaxpr.equations:
            yield from self._equation(equation, indent, scope)

    def _equation(self, equation: Equation, indent: str, scope: Key) -> Iterator[Line]:
        key = scope + self._key(equation)
        for index, variable in enumerate(equation.outs):
            self._bind(variable, f"{key}#{index}")
        outs = " ".join(map(self._typed, equation.outs))
        ins = " ".join(map(self._operand, equation.ins))
        if not equation.inner:
            params = _params(equation)
            yield Line(f"{indent}{outs} = {equation.primitive}{params} {ins}", equation.line)
            return
        yield Line(f"{indent}{outs} = {equation.primitive}[{_plain(equation)}", equation.line)
        for name, inner in equation.inner:
            yield Line(
                f"{indent}  {name}={self._header(inner, 'in', f'{key}/{name}/')} let", equation.line
            )
            yield from self._body(inner, indent + "      ", f"{key}/{name}/")
            results = ", ".join(map(self._operand, inner.outs))
            yield Line(f"{indent}    in ({results}) }}", equation.line)
        yield Line(f"{indent}] {ins}", equation.line)

    def _key(self, equation: Equation) -> Key:
        operands = ",".join(
            operand.text if isinstance(operand, Lit) else self.keys.get(operand.id, "?")
            for operand in equation.ins
        )
        inner = "".join(f"{name}:{_shape_of(jaxpr)}" for name, jaxpr in equation.inner)
        whole = f"{equation.primitive}{equation.params}{inner}({operands})"
        # A key of a key of a key grows without end; names are only compared, so a digest will do.
        return f"{hash(whole):x}"

    def _bind(self, variable: Var, key: Key) -> None:
        while key in self.taken:  # the same computation twice in one jaxpr
            key += "'"
        self.taken.add(key)
        self.keys[variable.id] = key
        self.names.setdefault(key, _name(len(self.names)))

    def _operand(self, operand: Var | Lit) -> str:
        if isinstance(operand, Lit):
            return operand.text
        return self.names.get(self.keys.get(operand.id, ""), "_")

    def _typed(self, variable: Var) -> str:
        return f"{self._operand(variable)}:{_type(variable)}"


def _type(variable: Var) -> str:
    short = variable.dtype.replace("float", "f").replace("uint", "u").replace("int", "i")
    shape = ",".join(map(str, variable.shape))
    return ("~" if variable.weak else "") + f"{short}[{shape}]"


def _shape_of(jaxpr: Jaxpr) -> str:
    """Digest an inner jaxpr by its own printing, so that equal ones have equal keys."""
    return "|".join(line.text for line in lines_alike(jaxpr)[0])


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
