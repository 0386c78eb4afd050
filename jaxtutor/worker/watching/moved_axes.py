"""Finds reshapes that were meant to move axes, and images that a convolution reads sideways.

A reshape keeps the order of the numbers. To exchange two axes of different sizes by it mixes the
examples, positions or channels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jaxtutor.core.data.observations import AxesMixed, ChannelsFirst, Exchange
from jaxtutor.worker.watching.subprograms import called_program

Found = tuple[Any, AxesMixed | ChannelsFirst]
"""An equation, and what is observed at its place."""

LEAST_IMAGE = 8
"""The height and width of the smallest image whose order of axes is judged."""

_CHANNELS = (1, 3)
_SAME_AXES = frozenset("convert_element_type copy mul add sub div".split())


def axes_mixed(jaxpr: Any) -> Iterator[Found]:
    """Yield the reshapes that exchange axes, with the shape before and after."""
    made_by = {v: e for e in jaxpr.eqns for v in e.outvars}
    for equation in jaxpr.eqns:
        inner = _inner(equation)
        if inner is not None:
            yield from axes_mixed(inner)
        elif equation.primitive.name == "reshape":
            before, after = equation.invars[0].aval.shape, equation.outvars[0].aval.shape
            form = exchange(before, after)
            if form is not None and not _comes_from_flat(equation, made_by):
                yield equation, AxesMixed(str(before), str(after), form)


def _inner(equation: Any) -> Any | None:
    """Return the program inside an equation whose values are not stacked, or that of a loop."""
    called = called_program(equation.primitive.name, equation.params)
    body = called if called is not None else equation.params.get("jaxpr")
    return getattr(body, "jaxpr", body) if body is not None else None


def _comes_from_flat(equation: Any, made_by: dict[Any, Any]) -> bool:
    """Return whether the array was itself reshaped before: its sizes need not be its axes."""
    source = equation.invars[0]
    for _ in range(8):
        made = None if hasattr(source, "val") else made_by.get(source)
        if made is None:
            return False
        if made.primitive.name == "reshape":
            return True
        if made.primitive.name not in _SAME_AXES:
            return False
        source = made.invars[0]
    return False


def exchange(before: Sequence[int], after: Sequence[int]) -> Exchange | None:
    """Say how a reshape exchanges axes: `moved`, `split`, `joined`; None if it does not.

    `split` is (T, C) to (H, T, C / H), as for the heads of attention, and `joined` the way back.
    """
    first, last = _plain(before), _plain(after)
    if len(first) > 1 and sorted(first) == sorted(last):
        return "moved" if first != last else None
    if len(last) == len(first) + 1 and _is_split(first, last):
        return "split"
    if len(first) == len(last) + 1 and _is_split(last, first):
        return "joined"
    return None


def _plain(shape: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(n) for n in shape if n != 1)


def _is_split(short: tuple[int, ...], long: tuple[int, ...]) -> bool:
    """Return whether (…, T, C, …) became (…, H, T, d, …) with C = H d, and not by its own order."""
    for n in range(len(short) - 1):
        size, whole = short[n], short[n + 1]
        heads, middle, part = long[n : n + 3]
        around = short[:n] == long[:n] and short[n + 2 :] == long[n + 3 :]
        if around and middle == size != heads and heads * part == whole:
            return True
    return False


# ---------------------------------------------------------------- convolutions


def sideways(jaxpr: Any) -> Iterator[Found]:
    """Yield the convolutions of images that a program is given with the channels first.

    They count as such if the axis that should be the height has 1 or 3 entries, while width and
    channels are of one larger size.
    """
    yield from _sideways(jaxpr, set(jaxpr.invars))


def _sideways(jaxpr: Any, given: set[Any]) -> Iterator[Found]:
    known = set(given)
    for equation in jaxpr.eqns:
        inner, name = _inner(equation), equation.primitive.name
        if inner is not None and len(inner.invars) == len(equation.invars):
            pairs = zip(equation.invars, inner.invars, strict=True)
            yield from _sideways(inner, {v for atom, v in pairs if _is_in(atom, known)})
        elif name == "conv_general_dilated" and _is_in(equation.invars[0], known):
            shape = equation.invars[0].aval.shape
            axes = equation.params["dimension_numbers"].lhs_spec
            if len(shape) == 4 and tuple(axes) == (0, 3, 1, 2) and _is_channels_first(shape):
                yield equation, ChannelsFirst(str(shape))
        elif name in _SAME_AXES and any(_is_in(v, known) for v in equation.invars):
            outs = [v for v in equation.outvars if v.aval.shape == _shape(equation, known)]
            known.update(outs)


def _shape(equation: Any, known: set[Any]) -> tuple[int, ...]:
    return next(v.aval.shape for v in equation.invars if _is_in(v, known))


def _is_in(atom: Any, known: set[Any]) -> bool:
    return not hasattr(atom, "val") and atom in known


def _is_channels_first(shape: Sequence[int]) -> bool:
    height, width, channels = shape[1:]
    return height in _CHANNELS and width == channels >= LEAST_IMAGE
