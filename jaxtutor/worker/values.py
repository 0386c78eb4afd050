"""Describes values as plain data: arrays by their bytes, others by a shortened `repr`."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree
from jaxtutor.core.judging.arrays import leaf_text

CAP_BYTES = 64 * 1024 * 1024
CAP_LEAVES = 1000
CAP_ARGUMENTS = 4096
"""Elements of a call's arguments that are sent along, for relations between them and the answer."""
CAP_TEXT = 200
MOST_ITEMS = 6
"""Items of a container in the description of a call."""
MOST_NUMBERS = 24
"""Elements of an array that a description writes out; of a larger one it says the type."""

_FORMATS = {
    "bool": "?",
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
    "complex64": "f",
    "complex128": "d",
}


def to_tree(value: Any) -> Tree:
    """Describe a pytree by value. Never raises for what a learner returned."""
    try:
        return _to_tree(value)
    except BaseException:  # a learner's own pytree class, or a key in it, may do anything
        return Tree("*", (Leaf("", to_atom(value)),))


def is_data(value: Any) -> bool:
    """Return whether a value is an array, a number, or a pytree of them."""
    if isinstance(value, ModuleType | type) or callable(value):
        return False
    try:
        leaves = jax.tree.leaves(value)
    except Exception:  # one of the learner's classes may not flatten
        return False
    kinds = (jax.Array, np.ndarray, np.generic, bool, int, float, complex)
    return bool(leaves) and all(isinstance(leaf, kinds) for leaf in leaves[:CAP_LEAVES])


def _to_tree(value: Any) -> Tree:
    paths, structure = jax.tree_util.tree_flatten_with_path(value)
    leaves = tuple(
        Leaf(jax.tree_util.keystr(path), to_leaf(leaf)) for path, leaf in paths[:CAP_LEAVES]
    )
    return Tree(_structure_text(structure), leaves)


def _structure_text(structure: Any) -> str:
    text = str(structure)
    return text.removeprefix("PyTreeDef(").removesuffix(")")


def to_leaf(value: Any) -> ArrayValue | AtomValue:
    """Describe one leaf: an array, a Python number, or anything else."""
    if isinstance(value, jax.core.Tracer):
        return AtomValue("Tracer", str(value.aval))
    if type(value) in (bool, int, float, complex):
        return _python_number(value)
    if isinstance(value, jax.Array) and value.is_deleted():
        return AtomValue("Array", "an array that was given away by donation")
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        return _keys(value)
    if isinstance(value, jax.Array):
        return to_array(np.asarray(value), weak=bool(value.aval.weak_type))
    if isinstance(value, np.ndarray | np.generic) and _holds_numbers(value.dtype):
        return to_array(np.asarray(value), weak=False)
    return to_atom(value)


def _holds_numbers(dtype: np.dtype[Any]) -> bool:
    """Tell numbers, the narrow ones of machine learning too, from text, times, and objects."""
    kinds = (np.number, np.bool_, jax.dtypes.float0)
    return any(jax.dtypes.issubdtype(dtype, kind) for kind in kinds)


def _keys(keys: jax.Array) -> ArrayValue | AtomValue:
    """Describe typed keys; one of two words is one number."""
    words = np.asarray(jax.random.key_data(keys))
    if words.shape[-1] != 2:
        return AtomValue(str(keys.dtype), str(words.tolist()))
    numbers = (words[..., 0].astype(np.uint64) << np.uint64(32)) | words[..., 1]
    packed = to_array(numbers, weak=False)
    return ArrayValue(keys.shape, str(keys.dtype), False, packed.format, False, packed.data)


def _python_number(value: complex) -> ArrayValue | AtomValue:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        return to_atom(value)
    array = to_array(np.asarray(value), weak=True)
    return ArrayValue((), type(value).__name__, True, array.format, array.pairs, array.data)


def to_array(array: np.ndarray[Any, Any], weak: bool) -> ArrayValue:
    """Describe an array; its bytes stay behind when there are too many."""
    name = str(array.dtype)
    if name in _FORMATS:
        return _pack(array, name, name, weak)
    if array.dtype == jax.dtypes.float0:
        return _pack(np.zeros(array.shape, np.bool_), "float0", "bool", weak)
    carriers = {"complex": "complex128", "longdouble": "float64", "float": "float32"}
    kind = next((kind for start, kind in carriers.items() if start in name), "int32")
    return _pack(array.astype(kind), name, kind, weak)


def _pack(array: np.ndarray[Any, Any], name: str, carrier: str, weak: bool) -> ArrayValue:
    data = array.tobytes() if array.nbytes <= CAP_BYTES else None
    pairs = carrier.startswith("complex")
    return ArrayValue(array.shape, name, weak, _FORMATS[carrier], pairs, data)


def to_atom(value: Any) -> AtomValue:
    """Describe anything but an array by its class and a capped `repr`."""
    try:
        shown = repr(value) if isinstance(value, str | tuple | list | set | dict) else _short(value)
        text = plain(shown)
    except BaseException as error:  # a learner's __repr__ may do anything
        text = f"<its __repr__ raised {type(error).__name__}>"
    return AtomValue(class_name(type(value)), text[: 50 * CAP_TEXT])


def _short(value: Any) -> str:
    if isinstance(value, type) or callable(value):
        return getattr(value, "__qualname__", None) or class_name(type(value))
    return plain(repr(value))[:CAP_TEXT]


def plain(text: str) -> str:
    """Copy text out of a class of the learner's, which may lie about it."""
    return str.__str__(text)


def class_name(cls: type) -> str:
    """Return the name of a class, without asking the class of that class."""
    return plain(type.__dict__["__name__"].__get__(cls))


def abstract_tree(structure: Any, avals: list[Any]) -> Tree:
    """Describe a pytree by the types of its leaves; `structure` is its treedef."""
    leaves = jax.tree_util.tree_unflatten(structure, list(range(len(avals))))
    paths, _ = jax.tree_util.tree_flatten_with_path(leaves)
    return Tree(
        _structure_text(structure),
        tuple(
            Leaf(jax.tree_util.keystr(path), to_type(aval))
            for (path, _), aval in zip(paths, avals, strict=True)
        ),
    )


def to_type(aval: Any) -> ArrayValue:
    """Describe an aval: shape, dtype and weak type."""
    weak = bool(getattr(aval, "weak_type", False))
    return ArrayValue(tuple(aval.shape), str(aval.dtype), weak)


def small_arguments(function: Callable[..., Any], args: Any, kwargs: Any) -> Tree | None:
    """Return the numbers among the arguments of a call by path, or None if there are too many."""
    leaves: list[Leaf] = []
    elements = 0
    for name, value in _by_name(function, args, kwargs):
        for path, leaf in jax.tree_util.tree_flatten_with_path(value)[0]:
            if isinstance(leaf, jax.Array | np.ndarray):
                elements += leaf.size
                if elements > CAP_ARGUMENTS:
                    return None
                leaves.append(Leaf(name + jax.tree_util.keystr(path), to_leaf(leaf)))
            elif isinstance(leaf, bool | int | float | np.generic):
                leaves.append(Leaf(name + jax.tree_util.keystr(path), to_leaf(leaf)))
    return Tree("", tuple(leaves))


def _by_name(function: Callable[..., Any], args: Any, kwargs: Any) -> list[tuple[str, Any]]:
    """Pair the arguments of a call with the names of the parameters, where they can be known."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except Exception:  # a learner's object may say anything about its signature
        return [("", value) for value in args] + list(kwargs.items())
    return list(bound.items())


def parts_of(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    """Return the leaves of the arguments of a call by path, such as `params['w']`."""
    return {
        name + jax.tree_util.keystr(path): leaf
        for name, value in _by_name(function, args, kwargs)
        for path, leaf in jax.tree_util.tree_flatten_with_path(value)[0]
    }


def describe_call(function: Callable[..., Any], args: Any, kwargs: Any) -> str:
    """Write the arguments of a call as a person would, `x=[1.0, 2.0], n=3`."""
    return _describe(_by_name(function, args, kwargs))


def describe_arguments(args: Any, kwargs: Any) -> str:
    """Write the arguments of a call, positional ones without their names."""
    return _describe([*(("", value) for value in args), *kwargs.items()])


def _describe(named: list[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}={_brief(value)}" if name else _brief(value) for name, value in named)


def _brief(value: Any) -> str:
    if isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        return f"key{list(value.shape) if value.shape else ''}"
    if isinstance(value, np.ndarray | np.generic | jax.Array):
        return _brief_array(np.asarray(value))
    if callable(value):
        return _short(value)
    if type(value) in (dict, list, tuple):
        return _brief_container(value)
    try:
        return _brief_repr.repr(value)
    except BaseException:  # anything may stand in a call
        return class_name(type(value))


def _brief_container(value: Any) -> str:
    """Write a container of arrays as nested numbers, cut after some items."""
    if isinstance(value, dict):
        items = [f"{key!r}: {_brief(item)}" for key, item in list(value.items())[:MOST_ITEMS]]
        return "{" + ", ".join([*items, *["..."] * (len(value) > MOST_ITEMS)]) + "}"
    items = [_brief(item) for item in list(value)[:MOST_ITEMS]]
    items += ["..."] * (len(value) > MOST_ITEMS)
    if isinstance(value, list):
        return f"[{', '.join(items)}]"
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def _brief_array(array: np.ndarray[Any, Any]) -> str:
    suffix = "" if array.dtype == np.float32 or array.dtype == bool else f" {array.dtype}"
    if array.size > MOST_NUMBERS or (array.ndim > 1 and not array.size):  # `[]` hides a shape
        return f"{array.dtype}{list(array.shape)}"
    return leaf_text(to_array(array, weak=False), most=MOST_NUMBERS, is_exact=True) + suffix


_brief_repr = reprlib.Repr()
_brief_repr.maxstring = _brief_repr.maxother = 60
