"""Computes reports on calls and values: jit against Python, gradients, vmap, shapes, devices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.repl.messages import Line, Page, PageStyle
from jaxtutor.worker import devices
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.repl import values
from jaxtutor.worker.repl.operands import UnusableOperand
from jaxtutor.worker.repl.programs import TraceableCall, parameters

Function = Callable[..., Any]

RELATIVE, ABSOLUTE = 1e-4, 1e-6
"""Tolerances within which the answers of jit and of Python are equal, for float32."""

WORKS = "Without jit this call works. It fails only while it is being compiled."

# ---------------------------------------------------------------- jit


@dataclass(frozen=True, repr=False)
class JitReport:
    """A call under jit: its value, whether Python's is the same, and the largest difference."""

    value: Any
    same: bool
    difference: float
    types: tuple[str, ...] = ()

    def _page_(self, look: PageStyle) -> Page:
        return (*self._verdict(), *values.show(self.value, look))

    def _verdict(self) -> Page:
        if self.types:
            return ((("With jit the types differ: " + "; ".join(self.types), "mark"),),)
        if self.same:
            words = "With jit and without: the same answer."
            if self.difference:
                words = f"With jit and without: the same to {self.difference:.2g}."
            return (((words, "passed"),),)
        return (((f"With jit the answer differs by up to {self.difference:.3g}.", "failed"),),)

    __repr__ = values.report_text


def compare_jitted(program: TraceableCall) -> JitReport:
    """Call a function without jit and with it, and compare the results."""
    plain = program.call(program.plain)
    try:
        value = program.call(program.jitted)
    except Exception as error:
        error.add_note(WORKS)
        raise
    ours, theirs = jax.tree.leaves(plain), jax.tree.leaves(value)
    if len(ours) != len(theirs):
        return JitReport(value, False, float("inf"), ("the structure of the answer",))
    pairs = list(zip(ours, theirs, strict=True))
    types = tuple(
        f"{tracers.aval_text(a)} became {tracers.aval_text(b)}"
        for a, b in pairs
        if isinstance(a, jax.Array) and tracers.aval_text(a) != tracers.aval_text(b)
    )
    far = [_distance(a, b) for a, b in pairs]
    return JitReport(
        value, all(near for near, _ in far), max((d for _, d in far), default=0), types
    )


def _distance(a: Any, b: Any) -> tuple[bool, float]:
    """Return whether two leaves are close, and the largest difference between them."""
    try:
        one, two = (np.asarray(leaf).astype(np.complex128) for leaf in (a, b))
    except (TypeError, ValueError):  # keys, and other values without numbers
        return True, 0.0
    if one.shape != two.shape:
        return False, float("inf")
    near = bool(np.allclose(one, two, RELATIVE, ABSOLUTE, equal_nan=True))
    apart = np.abs(one - two)
    apart = apart[np.isfinite(apart)]
    return near, float(apart.max()) if apart.size else 0.0


# ---------------------------------------------------------------- gradients and maps


@dataclass(frozen=True, repr=False)
class GradientReport:
    """A call's value and its gradients by argument name."""

    value: Any
    grads: dict[str, Any]

    def _page_(self, look: PageStyle) -> Page:
        page: list[Line] = [(("value", "title"),), *values.show(self.value, look)]
        for name, grad in self.grads.items():
            page += [((f"gradient by {name}", "title"),), *values.show(grad, look)]
        return tuple(page)

    __repr__ = values.report_text


def differentiate(
    function: Function, args: Sequence[Any], options: dict[str, Any]
) -> GradientReport:
    """Differentiate a call with respect to `argnums` (default: every argument of floats)."""
    mine = {"argnums", "has_aux", "holomorphic", "allow_int"} - parameters(function).keys()
    taken = {name: options[name] for name in mine & options.keys()}
    given = {name: value for name, value in options.items() if name not in taken}
    argnums = taken.pop("argnums", None)
    if argnums is None:
        argnums = tuple(n for n, arg in enumerate(args) if _is_differentiable(arg)) or (0,)
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    value, grads = jax.value_and_grad(function, argnums=numbers, **taken)(*args, **given)
    names = list(parameters(function))
    labels = [names[n] if 0 <= n < len(names) else f"argument {n}" for n in numbers]
    return GradientReport(value, dict(zip(labels, grads, strict=True)))


def _is_differentiable(value: Any) -> bool:
    leaves = jax.tree.leaves(value)
    kinds = [getattr(leaf, "dtype", None) for leaf in leaves]
    is_float = [
        isinstance(leaf, float) if kind is None else jax.dtypes.issubdtype(kind, np.inexact)
        for leaf, kind in zip(leaves, kinds, strict=True)
    ]
    return bool(is_float) and all(is_float)


@dataclass(frozen=True, repr=False)
class VmapReport:
    """A mapped call: its value, and the type of each argument outside and inside `vmap`."""

    value: Any
    seen: dict[str, tuple[str, str]]

    def _page_(self, look: PageStyle) -> Page:
        rows = [(name, whole, f"one example: {one}") for name, (whole, one) in self.seen.items()]
        return (*values.table(rows), *values.show(self.value, look))

    __repr__ = values.report_text


def map_over(function: Function, args: Sequence[Any], options: dict[str, Any]) -> VmapReport:
    """Map a call over `in_axes` (default: the first axis of every array)."""
    mine = {"in_axes", "out_axes", "axis_name", "axis_size"} - parameters(function).keys()
    taken = {name: options[name] for name in mine & options.keys()}
    given = {name: value for name, value in options.items() if name not in taken}
    if given:
        raise UnusableOperand("vmap maps over positional arguments: give them without their names.")
    axes = taken.pop("in_axes", None)
    if axes is None:
        axes = tuple(0 if _has_axes(arg) else None for arg in args)
    seen: dict[str, tuple[str, str]] = {}
    names = list(parameters(function)) or [f"argument {n}" for n in range(len(args))]

    def recorded(*inner: Any) -> Any:
        for name, whole, one in zip(names, args, inner, strict=False):
            seen[name] = (_type(whole), _type(one))
        return function(*inner)

    value = jax.vmap(recorded, in_axes=axes, **taken)(*args)
    return VmapReport(value, seen)


def _has_axes(value: Any) -> bool:
    leaves = jax.tree.leaves(value)
    return bool(leaves) and all(np.ndim(leaf) > 0 for leaf in leaves)


def _type(value: Any) -> str:
    return tracers.aval_text(value) or type(value).__name__


# ---------------------------------------------------------------- shapes


@dataclass(frozen=True, repr=False)
class ShapesReport:
    """Shapes and dtypes. The keys of `types` are names or paths of leaves."""

    value: Any
    types: dict[str, str]
    of_all: bool = False

    @classmethod
    def of(cls, value: Any) -> ShapesReport:
        """Describe one value, or the leaves of a pytree."""
        paths, _ = jax.tree_util.tree_flatten_with_path(value)
        types = {jax.tree_util.keystr(path): values.leaf_type(leaf) for path, leaf in paths}
        return cls(value, types)

    @classmethod
    def of_names(cls, names: dict[str, Any]) -> ShapesReport:
        """Describe every name that holds data."""
        found = {
            name: value
            for name, value in list(names.items())
            if not name.startswith("_") and _holds_data(value)
        }
        return cls(found, {name: _summary(value) for name, value in found.items()}, of_all=True)

    def _page_(self, look: PageStyle) -> Page:
        if self.of_all:
            if not self.types:
                return ((("No arrays or numbers are defined yet.", ""),),)
            return values.table([(name, kind, "") for name, kind in self.types.items()])
        if list(self.types) == [""]:
            return (((self.types[""], "code"),),)
        return values.tree_page(self.value, look)

    __repr__ = values.report_text


def _holds_data(value: Any) -> bool:
    if isinstance(value, ModuleType | type) or callable(value):
        return False
    try:
        leaves = jax.tree.leaves(value)
    except Exception:  # one of the learner's classes may not flatten
        return False
    kinds = (jax.Array, np.ndarray, np.generic, bool, int, float, complex)
    return bool(leaves) and all(isinstance(leaf, kinds) for leaf in leaves)


def _summary(value: Any) -> str:
    """Return a value's type on one line: the leaves of a small pytree, the size of a large one."""
    leaves = jax.tree.leaves(value)
    if len(leaves) == 1 and leaves[0] is value:
        return values.leaf_type(value)
    kind = type(value).__name__
    if len(leaves) > 4:
        total = sum(int(np.size(leaf)) for leaf in leaves)
        return f"{kind} of {len(leaves)} leaves, {total:,} numbers"
    return f"{kind} of " + ", ".join(map(values.leaf_type, leaves))


# ---------------------------------------------------------------- devices


@dataclass(frozen=True, repr=False)
class DevicesReport:
    """All devices, or the devices of a value, as rows of name, kind and note."""

    rows: tuple[tuple[str, str, str], ...]

    @classmethod
    def of(cls, *value: Any) -> DevicesReport:
        """List all devices, or the devices of the leaves of a value."""
        return cls(tuple(_leaf_places(value[0]) if value else _all_devices()))

    def _page_(self, _: PageStyle) -> Page:
        return tuple(
            ((f"{name}  ", "code"), (kind, ""), (f"  {says}" if says else "", "quiet"))
            for name, kind, says in self.rows
        )

    __repr__ = values.report_text


def _all_devices() -> Iterator[tuple[str, str, str]]:
    for device in devices.describe_machine().devices:
        yield device.name, device.kind, "(default)" if device.default else ""


def _leaf_places(value: Any) -> Iterator[tuple[str, str, str]]:
    paths, _ = jax.tree_util.tree_flatten_with_path(value)
    for path, leaf in paths[: values.MOST_LEAVES]:
        name = jax.tree_util.keystr(path)
        if not isinstance(leaf, jax.Array):
            kind = "with numpy, not on a device" if isinstance(leaf, np.ndarray) else "plain Python"
            yield name or values.leaf_type(leaf), kind, ""
            continue
        committed = "committed to it" if leaf.committed else "JAX may move it"
        shards = leaf.addressable_shards
        split = ""
        if len(shards) > 1:
            split = f"{len(shards)} shards of {list(shards[0].data.shape)}"
        yield name or values.leaf_type(leaf), values.where(leaf), split or committed
