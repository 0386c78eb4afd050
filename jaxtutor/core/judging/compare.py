"""Compares two pytrees of values: what was expected, what was returned, and where they differ.

Numbers are compared as numpy's `isclose` does, with NaN equal to NaN:
|actual - expected| <= atol + rtol * |expected|.
"""

from __future__ import annotations

import ast
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite, isinf, isnan, prod

from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree
from jaxtutor.core.data.verdicts import Difference

Number = bool | int | float | complex
Tolerance = tuple[float, float]

BLOCK = 4096
CAP_PLACES = 1000
LONGEST_STRUCTURE = 400
MOST_ITEMS = 6
"""Items of a container that are named in a sentence."""

_TOLERANCES: dict[str, Tolerance] = {
    "float16": (2e-3, 1e-3),
    "bfloat16": (2e-2, 1e-2),
    "float32": (1e-4, 1e-5),
    "complex64": (1e-4, 1e-5),
    "float": (1e-4, 1e-5),
    "float64": (1e-7, 1e-9),
    "complex128": (1e-7, 1e-9),
}
_NARROW: Tolerance = (0.1, 0.1)


def compare(expected: Tree, actual: Tree, tolerance: Tolerance | None = None) -> Difference | None:
    """Return the first difference, structure before shape before values, or None."""
    if expected.structure != actual.structure or len(expected.leaves) != len(actual.leaves):
        return _structure_difference(expected, actual)
    for wanted, got in zip(expected.leaves, actual.leaves, strict=True):
        difference = compare_leaf(wanted, got, tolerance)
        if difference:
            return difference
    return None


def compare_leaf(
    expected: Leaf, actual: Leaf, tolerance: Tolerance | None = None
) -> Difference | None:
    """Compare two leaves by value; `compare_types` compares their dtypes."""
    wanted, got, path = expected.value, actual.value, expected.path
    if isinstance(wanted, AtomValue) or isinstance(got, AtomValue):
        return None if wanted == got else Difference(path, _got(wanted, got))
    if wanted.shape != got.shape:
        return Difference(path, f"expected shape {wanted.shape}, got {got.shape}")
    if wanted.data is None or got.data is None:
        return Difference(path, "the array is too large to compare")
    places, count = _differing(wanted, got, tolerance)
    if not count:
        return None
    total = prod(wanted.shape)
    says = "the value differs" if total == 1 else f"{count} of {total} elements differ"
    return Difference(path, says, tuple(places), count)


def _got(wanted: ArrayValue | AtomValue, got: ArrayValue | AtomValue) -> str:
    return f"expected {describe_leaf(wanted)}, got {describe_leaf(got)}"


def _structure_difference(expected: Tree, actual: Tree) -> Difference:
    """Say how two structures differ; of two lists of names, which are missing and which extra."""
    names = _names_difference(_names(expected), _names(actual))
    if names and "*" not in (expected.structure, actual.structure):
        return Difference("", names)
    wanted, got = _read_structure(expected), _read_structure(actual)
    inner = None
    if wanted is not None and got is not None:
        inner = _first_difference(wanted, got, "")
    if inner is not None and inner.path:
        return inner
    return Difference("", f"expected {describe(expected)}, got {describe(actual)}")


def _names_difference(wanted: Counter[str], got: Counter[str]) -> str:
    if not wanted or not got:
        return ""
    missing = ", ".join(sorted(wanted.keys() - got.keys()))
    extra = ", ".join(sorted(got.keys() - wanted.keys()))
    repeated = ", ".join(sorted(name for name in wanted if got[name] > wanted[name]))
    said = [f"missing {missing}"] if missing else []
    said += [f"not expected {extra}"] if extra else []
    said += [f"more than once: {repeated}"] if repeated and not said else []
    return "; ".join(said)


def _read_structure(tree: Tree) -> object:
    """Read a structure of plain containers, with 0 for each leaf; None for any other.

    A treedef's text is a Python literal, except that its leaves are written `*`.
    """
    try:
        return ast.literal_eval(tree.structure.replace("*", "0"))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _first_difference(wanted: object, got: object, path: str) -> Difference | None:
    """Return the first place in which two structures differ, and how."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return _dict_difference(wanted, got, path)
    if isinstance(wanted, list | tuple) and type(wanted) is type(got):
        assert isinstance(got, list | tuple)
        if len(wanted) != len(got):
            kind = type(wanted).__name__
            return Difference(path, f"expected a {kind} of length {len(wanted)}, got {len(got)}")
        items = zip(wanted, got, strict=True)
        found = (_first_difference(w, g, f"{path}[{n}]") for n, (w, g) in enumerate(items))
        return next(filter(None, found), None)
    if wanted == got:
        return None
    return Difference(path, f"expected {_item_words(wanted)}, got {_item_words(got)}")


def _dict_difference(
    wanted: dict[object, object], got: dict[object, object], path: str
) -> Difference | None:
    missing = [repr(key) for key in wanted if key not in got]
    extra = [repr(key) for key in got if key not in wanted]
    if missing or extra:
        said = [f"missing {', '.join(missing)}"] if missing else []
        said += [f"not expected {', '.join(extra)}"] if extra else []
        return Difference(path, "; ".join(said))
    found = (_first_difference(wanted[key], got[key], f"{path}[{key!r}]") for key in wanted)
    return next(filter(None, found), None)


def _item_words(item: object) -> str:
    if isinstance(item, list | tuple | dict):
        return f"a {type(item).__name__} of length {len(item)}"
    return "None" if item is None else "an array"


def _names(tree: Tree) -> Counter[str]:
    """Count the texts of a flat sequence of strings; empty for anything else."""
    atoms = [leaf.value for leaf in tree.leaves if isinstance(leaf.value, AtomValue)]
    if len(atoms) < len(tree.leaves) or any(atom.kind != "str" for atom in atoms):
        return Counter()
    return Counter(atom.text for atom in atoms)


def compare_types(expected: Tree, actual: Tree, weak: bool = True) -> Difference | None:
    """Return the first difference in structure, shape, dtype or, if asked, weak type, or None."""
    if expected.structure != actual.structure or len(expected.leaves) != len(actual.leaves):
        return compare(expected, actual)
    for wanted, got in zip(expected.leaves, actual.leaves, strict=True):
        theirs, ours = type_text(wanted.value), type_text(got.value)
        if theirs != ours if weak else theirs.lstrip("~") != ours.lstrip("~"):
            return Difference(wanted.path, f"expected {theirs}, got {ours}")
    return None


def difference_text(difference: Difference) -> str:
    """Say where and how two values differ."""
    return f"at {difference.path}: {difference.says}" if difference.path else difference.says


def find_non_finite(tree: Tree) -> Difference | None:
    """Return the first leaf that holds NaN or an infinity, or None."""
    for leaf in tree.leaves:
        if not isinstance(leaf.value, ArrayValue) or leaf.value.data is None:
            continue
        values = numbers(leaf.value)
        places = [index for index, value in enumerate(values) if not _is_finite(value)]
        if places:
            says = f"{len(places)} of {len(values)} elements are not finite"
            return Difference(leaf.path, says, tuple(places[:CAP_PLACES]), len(places))
    return None


def is_zero_throughout(tree: Tree) -> bool:
    """Return whether a tree has numbers, and all of them are zero."""
    arrays = [leaf.value for leaf in tree.leaves if isinstance(leaf.value, ArrayValue)]
    held = [numbers(array) for array in arrays if array.data is not None]
    return any(held) and not any(any(values) for values in held)


def _is_finite(value: Number) -> bool:
    if isinstance(value, complex):
        return isfinite(value.real) and isfinite(value.imag)
    return isfinite(value)


# ---------------------------------------------------------------- numbers


def numbers(array: ArrayValue) -> Sequence[Number]:
    """Return the elements in C order; an array without data has none."""
    return _decode(array, array.data or b"")


def _decode(array: ArrayValue, data: bytes) -> Sequence[Number]:
    """Look at the bytes as numbers, which are made only when they are looked at."""
    flat: Sequence[Number] = memoryview(data).cast(array.format)  # type: ignore[call-overload]
    if array.pairs:
        return [complex(*pair) for pair in zip(flat[::2], flat[1::2], strict=True)]
    return flat


def _differing(
    wanted: ArrayValue, got: ArrayValue, tolerance: Tolerance | None
) -> tuple[list[int], int]:
    places: list[int] = []
    count = 0
    rtol, atol = tolerance or tolerance_of(wanted.dtype)
    for start, left, right in _unequal_blocks(wanted, got):
        for offset, (a, b) in enumerate(zip(left, right, strict=True)):
            if a != b and not is_close(a, b, rtol, atol):
                count += 1
                if len(places) < CAP_PLACES:
                    places.append(start + offset)
    return places, count


def _unequal_blocks(
    wanted: ArrayValue, got: ArrayValue
) -> Iterator[tuple[int, Sequence[Number], Sequence[Number]]]:
    """Yield the blocks that are not equal byte for byte; large equal arrays cost almost nothing."""
    left, right = wanted.data or b"", got.data or b""
    sizes = [struct.calcsize(array.format) * (2 if array.pairs else 1) for array in (wanted, got)]
    same_kind = (wanted.format, wanted.pairs) == (got.format, got.pairs)
    if same_kind and left == right:
        return
    for start in range(0, prod(wanted.shape), BLOCK):
        a = left[start * sizes[0] : (start + BLOCK) * sizes[0]]
        b = right[start * sizes[1] : (start + BLOCK) * sizes[1]]
        if not same_kind or a != b:
            yield start, _decode(wanted, a), _decode(got, b)


def tolerance_of(dtype: str) -> Tolerance:
    """Return (rtol, atol) for a dtype: what rounding in it may cost a right program."""
    if dtype in _TOLERANCES:
        return _TOLERANCES[dtype]
    return _NARROW if dtype.startswith("float") else (0.0, 0.0)


def is_close(expected: Number, actual: Number, rtol: float, atol: float) -> bool:
    """Compare two numbers as `numpy.isclose` does, with NaN equal to NaN."""
    if isinstance(expected, complex) or isinstance(actual, complex):
        return _close_complex(complex(expected), complex(actual), rtol, atol)
    if isnan(expected) or isnan(actual):
        return isnan(expected) and isnan(actual)
    if isinf(expected) or isinf(actual):
        return expected == actual
    return abs(actual - expected) <= atol + rtol * abs(expected)


def _close_complex(expected: complex, actual: complex, rtol: float, atol: float) -> bool:
    if not (_is_finite(expected) and _is_finite(actual)):
        return is_close(expected.real, actual.real, 0, 0) and is_close(
            expected.imag, actual.imag, 0, 0
        )
    return abs(actual - expected) <= atol + rtol * abs(expected)


# ---------------------------------------------------------------- words


def begin_sentence(text: str) -> str:
    """Begin with a capital letter, unless the first word is a name, such as `f` or `max_n`."""
    first = text.partition(" ")[0].rstrip(",:;")
    is_word = first.isalpha() and (len(first) > 1 or first == "a")
    return text[:1].upper() + text[1:] if is_word else text


def type_text(value: ArrayValue | AtomValue) -> str:
    """Write a type as JAX does, `float32[3]`, a weak one with a leading `~`."""
    if isinstance(value, AtomValue):
        return value.kind
    if value.dtype in ("bool", "int", "float", "complex") and value.weak and not value.shape:
        return f"a Python {value.dtype}"
    return ("~" if value.weak else "") + f"{value.dtype}[{','.join(map(str, value.shape))}]"


def describe_leaf(value: ArrayValue | AtomValue) -> str:
    """Describe a leaf in a few words."""
    if isinstance(value, AtomValue):
        return value.text if value.kind == "str" else f"{value.kind} {value.text}"
    return type_text(value)


def describe(tree: Tree) -> str:
    """Describe a tree in a few words: its type if it is one leaf, else its structure."""
    if tree.structure == "*" and len(tree.leaves) == 1:
        return describe_leaf(tree.leaves[0].value)
    words = _container_words(tree)
    if words:
        return words
    if len(tree.structure) > LONGEST_STRUCTURE:
        return tree.structure[:LONGEST_STRUCTURE] + "…"
    return tree.structure


def _container_words(tree: Tree) -> str:
    """Describe a tuple, list or dict in words; empty for anything else."""
    value = _read_structure(tree)
    if tree.structure == "None":
        return "None"
    if not isinstance(value, tuple | list | dict):
        return ""
    kind = type(value).__name__
    if not value:
        return f"an empty {kind}"
    items = list(value.values()) if isinstance(value, dict) else list(value)
    if isinstance(value, dict):
        return f"a dict with {'keys' if len(value) > 1 else 'key'} {_listed(map(repr, value))}"
    if any(item != 0 or isinstance(item, tuple | list) for item in items):
        inner = [_kind_words(item) for item in items]
    else:
        inner = [describe_leaf(leaf.value) for leaf in tree.leaves]
    before, after = "[]" if isinstance(value, list) else "()"
    return f"a {kind} {before}{_listed(inner)}{after}"


def _kind_words(item: object) -> str:
    return "None" if item is None else "an array" if item == 0 else f"a {type(item).__name__}"


def _listed(words: Iterable[str]) -> str:
    shown = list(words)
    return ", ".join(shown[:MOST_ITEMS]) + (", …" if len(shown) > MOST_ITEMS else "")
