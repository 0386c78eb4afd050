"""Defines jaxprs as data."""

from __future__ import annotations

from msgspec import Struct


class Var(Struct, frozen=True, tag="var"):
    """A variable of a jaxpr; `id` is unique within the outermost jaxpr."""

    id: int
    dtype: str
    shape: tuple[int, ...]
    weak: bool = False


class Lit(Struct, frozen=True, tag="lit"):
    """A literal operand, as JAX prints it."""

    text: str


class Equation(Struct, frozen=True):
    """One equation. `params` are printed; params that are jaxprs are in `inner` instead."""

    primitive: str
    outs: tuple[Var, ...]
    ins: tuple[Var | Lit, ...]
    params: tuple[tuple[str, str], ...] = ()
    inner: tuple[tuple[str, Jaxpr], ...] = ()
    line: int | None = None  # in the learner's file


class Jaxpr(Struct, frozen=True):
    """A jaxpr as data; `consts` are the arrays it captured."""

    ins: tuple[Var, ...]
    outs: tuple[Var | Lit, ...]
    equations: tuple[Equation, ...]
    consts: tuple[Var, ...] = ()
