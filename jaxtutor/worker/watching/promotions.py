"""Finds the float32 operand that turns a half-precision computation into float32.

JAX converts a half operand to float32 when it meets a float32 one, and so the next operand that
meets the result. A conversion that the program asks for is not followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from jaxtutor.worker.watching.subprograms import called_program

ENOUGH = 2  # operands in half precision that are converted because of an earlier conversion
_HALF = ("bfloat16", "float16")
_PRODUCTS = ("dot_general", "conv_general_dilated")


class HalfPromotion:
    """An operation that converts a half operand, because the other one is float32.

    `origin` is the input of the program that the float32 operand comes from; None for a constant.
    """

    def __init__(self, equation: Any, aval: Any, origin: int | None) -> None:
        self.equation = equation
        self.half = aval
        self.origin = origin
        self.converted = 0  # further half operands, because of its result


class _Value(NamedTuple):
    """What is known of a value: where it comes from, and what it was converted by."""

    is_promoted: bool = False
    is_product: bool = False  # made by a product of matrices, or from one
    is_outside: bool = False  # float32 that nothing in half precision leads to
    origin: int | None = None
    cause: HalfPromotion | None = None
    half: Any = None


class Promotions:
    """Reads a program from its inputs to its results."""

    def __init__(self, is_implicit: Callable[[Any], bool]) -> None:
        self._is_implicit = is_implicit
        self._found: list[HalfPromotion] = []

    def read(self, jaxpr: Any) -> list[HalfPromotion]:
        """Return the promotions that turn what follows into float32."""
        ins = [_Value(is_outside=_is_wide(v.aval), origin=n) for n, v in enumerate(jaxpr.invars)]
        self._run(jaxpr, ins)
        return [found for found in self._found if found.converted >= ENOUGH]

    def _run(self, jaxpr: Any, ins: Sequence[_Value]) -> list[_Value]:
        values = {v: _Value(is_outside=_is_wide(v.aval)) for v in jaxpr.constvars}
        values.update(zip(jaxpr.invars, ins, strict=True))

        def read(atom: Any) -> _Value:
            return _Value(is_outside=_is_wide(atom.aval)) if hasattr(atom, "val") else values[atom]

        for equation in jaxpr.eqns:
            outs = self._step(equation, [read(atom) for atom in equation.invars])
            values.update(zip(equation.outvars, outs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _step(self, equation: Any, ins: list[_Value]) -> Iterable[_Value]:
        name = equation.primitive.name
        inner = called_program(name, equation.params) or _body(equation)
        if inner is not None and len(inner.jaxpr.invars) == len(ins):
            return self._run(inner.jaxpr, ins)
        if "transpose" in str(equation.source_info.name_stack):
            return [_Value()] * len(equation.outvars)
        if name == "convert_element_type":
            return [self._convert(equation, ins[0])]
        made = self._join(equation, ins)
        return [made if _is_wide(v.aval) else _narrow(made) for v in equation.outvars]

    def _convert(self, equation: Any, given: _Value) -> _Value:
        before, after = equation.invars[0].aval, equation.outvars[0].aval
        if _is_wide(before) and _is_wide(after):
            return given
        if not (_is_half(before) and _is_wide(after)):
            return _Value(is_product=given.is_product)
        is_promoted = self._is_implicit(equation)
        return _Value(is_promoted=is_promoted, is_product=given.is_product, half=before)

    def _join(self, equation: Any, ins: list[_Value]) -> _Value:
        """Return what is known of a result, and count a half operand that was converted for it."""
        is_product = equation.primitive.name in _PRODUCTS
        promoted = [value for value in ins if value.is_promoted]
        if is_product:  # which takes operands of two dtypes as they are
            halves = (v.aval for v in equation.invars if _is_half(v.aval))
            promoted += [_Value(half=aval) for aval in halves]
        pairs = zip(equation.invars, ins, strict=True)
        wide = [it for atom, it in pairs if _is_wide(atom.aval) and not it.is_promoted]
        cause = next((value.cause for value in wide if value.cause is not None), None)
        if promoted and cause is not None:
            cause.converted += is_product or promoted[0].is_product
        elif promoted:
            outside = next((value for value in wide if value.is_outside), None)
            if outside is not None and promoted[0].half.ndim:
                cause = HalfPromotion(equation, promoted[0].half, outside.origin)
                self._found.append(cause)
        is_outside = not promoted and bool(wide) and all(value.is_outside for value in wide)
        is_outside &= not any(map(_is_half, (v.aval for v in equation.invars)))
        origin = wide[0].origin if is_outside else None
        alone = promoted[0] if promoted and not wide else None
        return _Value(
            is_promoted=alone is not None and equation.primitive.name in _SHAPING,
            is_product=is_product or any(value.is_product for value in ins),
            is_outside=is_outside,
            origin=origin,
            cause=cause,
            half=alone.half if alone is not None else None,
        )


_SHAPING = ("broadcast_in_dim", "reshape", "transpose", "squeeze", "expand_dims", "copy")


def _body(equation: Any) -> Any:
    """Return the body of a scan, whose rounds all do the same."""
    return equation.params.get("jaxpr") if equation.primitive.name == "scan" else None


def _narrow(value: _Value) -> _Value:
    return _Value(is_product=value.is_product)


def _is_half(aval: Any) -> bool:
    return str(getattr(aval, "dtype", "")) in _HALF


def _is_wide(aval: Any) -> bool:
    return str(getattr(aval, "dtype", "")) == "float32" and not getattr(aval, "weak_type", False)
