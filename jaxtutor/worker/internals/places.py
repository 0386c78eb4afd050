"""Where an equation or an operation comes from: the learner's code, a library, or JAX itself."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from itertools import takewhile
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import jax

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals.moved import unknown
from jaxtutor.worker.positions import span_at

IsOwn = Callable[[str], bool]

_PASSED_OVER = re.compile(r"[/\\](jax|jaxlib|jaxtutor[/\\]worker)[/\\]")


@cache
def exclude(folder: str) -> None:
    """Leave the frames of a folder out of what JAX says of a program, as it does with its own."""
    try:
        from jax._src import source_info_util as internals

        internals.register_exclusion(folder + os.sep)
    except Exception:  # internals moved
        unknown(None)


def library_call(info: Any) -> str:
    """Return the function outside of JAX that an equation came from, from JAX's record."""
    try:
        codes, _ = info.traceback.raw_frames()
    except Exception:  # internals moved, or no traceback was kept
        return ""
    return next((c.co_qualname for c in codes if not _PASSED_OVER.search(c.co_filename)), "")


def calling_site(is_own: IsOwn) -> tuple[int, int]:
    """Return a number pair for the learner's expression that is running now."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return (id(frame.f_code), frame.f_lasti) if frame is not None else (0, 0)


def calling_library(is_own: IsOwn) -> str:
    """Return the function outside of JAX that is evaluating an operation now."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _PASSED_OVER.search(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None or is_own(frame.f_code.co_filename):
        return ""
    return frame.f_code.co_qualname


def is_wrapper(file: str) -> bool:
    """Return True for a file of a library whose compiled functions call the learner's."""
    return file.endswith(("equinox/_jit.py", "nnx/transforms/compilation.py"))


def place_of(equation: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's expression that an equation of a jaxpr came from."""
    try:
        return own_frame(equation.source_info, is_own)
    except Exception:  # internals moved, or no traceback was kept
        return None


def own_codes(info: Any, is_own: IsOwn) -> list[CodeType]:
    """Return the learner's code in an equation's source record, innermost first."""
    try:
        return [code for code in info.traceback.raw_frames()[0] if is_own(code.co_filename)]
    except Exception:  # internals moved, or no traceback was kept
        return []


def frames_of(info: Any, is_own: IsOwn) -> list[Frame]:
    """Return the learner's frames in an equation's source record, innermost first."""
    try:
        return own_frames(info.traceback, is_own)
    except Exception:  # internals moved, or no traceback was kept
        return []


_NEUTRAL = tuple(
    os.path.realpath(path) + os.sep
    for path in (
        Path(jax.__file__).parent,
        Path(__file__).parents[2],
        sysconfig.get_path("stdlib"),
    )
)
"""The folders of JAX, of this package and of Python: their frames belong to whose code calls."""


def is_librarys(info: Any, is_own: IsOwn) -> bool:
    """Return whether a library built on JAX, and not the learner's own code, made an equation."""
    try:
        codes, _ = info.traceback.raw_frames()
    except Exception:  # internals moved, or no traceback was kept
        return False
    for file in (code.co_filename for code in codes):
        if is_own(file):
            return False
        if not is_neutral(file):
            return True
    return False


def is_neutral(file: str) -> bool:
    """Return whether a file belongs to JAX, to this package, or to Python."""
    is_installed = f"{os.sep}site-packages{os.sep}" in file
    return file.startswith(("<", *_NEUTRAL[: 2 if is_installed else None]))


def own_caller(frame: FrameType | None, is_own: IsOwn) -> FrameType | None:
    """Return the innermost of the learner's frames, from a frame outwards."""
    while frame is not None and not is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def frame_outside_map(frame: FrameType | None) -> FrameType | None:
    """Return the frame that called the innermost function made by `vmap`, from a frame outwards."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "vmap_f" and is_neutral(code.co_filename):
            return frame.f_back
        frame = frame.f_back
    return None


def map_around(info: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's call of the innermost function made by `vmap` around an equation.

    None if another library maps, or none was recorded.
    """
    try:
        codes, lastis = info.traceback.raw_frames()
        names = [(code.co_name == "vmap_f" and is_neutral(code.co_filename)) for code in codes]
        outside = names.index(True) + 1
        while is_neutral(codes[outside].co_filename) and not is_own(codes[outside].co_filename):
            outside += 1
        code = codes[outside]
        span = span_at(code, lastis[outside]) if is_own(code.co_filename) else None
    except Exception:  # internals moved, or no map
        return None
    return Frame(code.co_filename, code.co_name, span) if span is not None else None


def is_branch_test(info: Any, is_own: IsOwn) -> bool:
    """Return whether JAX made an equation for a `cond` or `switch` that the learner calls."""
    try:
        codes, _ = info.traceback.raw_frames()
    except Exception:  # internals moved, or no traceback was kept
        return False
    files = [code.co_filename for code in takewhile(lambda it: not is_own(it.co_filename), codes)]
    return all(map(is_neutral, files)) and any(f.endswith("conditionals.py") for f in files)


def predicate_of_branch() -> Any | None:
    """Return for which examples a mapped branch is meant that JAX evaluates now, for all.

    None if no such branch is evaluated.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "_cond_batching_rule" and is_neutral(frame.f_code.co_filename):
            return frame.f_locals.get("predicate")
        frame = frame.f_back
    return None


def library_entry(info: Any, function: str, is_own: IsOwn) -> Frame | None:
    """Return the learner's call of another library that led to an equation.

    It is the first one in a function of the learner's, or in what that calls.
    """
    try:
        codes, lastis = info.traceback.raw_frames()
        own = [n for n, code in enumerate(codes) if is_own(code.co_filename)]
        body = max(n for n in own if codes[n].co_name == function)
        inside = [n for n in range(body) if n not in own and not is_neutral(codes[n].co_filename)]
        entry = min(n for n in own if n > inside[-1])
        span = span_at(codes[entry], lastis[entry])
    except Exception:  # internals moved, or no such call
        return None
    return Frame(codes[entry].co_filename, codes[entry].co_name, span) if span is not None else None


def leaves_being_mapped(frame: FrameType) -> list[Any] | None:
    """Return the leaves for which `jax.tree.map` calls the function that runs in a frame."""
    outer = frame.f_back
    if outer is not None and outer.f_code.co_name == "<genexpr>":
        outer = outer.f_back
    if outer is None or not is_neutral(outer.f_code.co_filename):
        return None
    names = {"tree_map": "leaves", "tree_map_with_path": "keypath_leaves"}
    leaves = outer.f_locals.get(names.get(outer.f_code.co_name, ""))
    return leaves if isinstance(leaves, list) else None


def site_of(frame: FrameType | None) -> tuple[str, Any]:
    """Return the site whose probability NumPyro computes in a frame: its name, and its value.

    The name is empty if there is none.
    """
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith("numpyro."):
            site = frame.f_locals.get("site")
            if type(site) is dict and site.get("type") == "sample":
                return str(site.get("name", "")), site.get("value")
        frame = frame.f_back
    return "", None


def direct_caller(frame: FrameType | None, is_own: IsOwn) -> FrameType | None:
    """Return the learner's frame that calls JAX; None if another library stands between them."""
    while frame is not None and not is_own(frame.f_code.co_filename):
        file = frame.f_code.co_filename
        if not is_neutral(file) and not is_wrapper(file):
            return None
        frame = frame.f_back
    return frame


def is_librarys_now(is_own: IsOwn) -> bool:
    """Return whether a library built on JAX evaluates an operation now."""
    try:
        from jax._src import source_info_util as internals

        return is_librarys(internals.current(), is_own)
    except Exception:  # internals moved
        return unknown(False)


def current_place(is_own: IsOwn) -> tuple[Frame | None, bool]:
    """Return the learner's expression being evaluated now, and whether this is a backward pass."""
    try:
        from jax._src import source_info_util as internals

        info = internals.current()
        return own_frame(info, is_own), "transpose" in str(info.name_stack)
    except Exception:  # internals moved
        return unknown((None, False))


def is_differentiating() -> bool:
    """Return whether the operation being evaluated now is one that JAX differentiates."""
    try:
        from jax._src import source_info_util as internals

        return "jvp" in str(internals.current().name_stack)
    except Exception:  # internals moved
        return unknown(True)


def own_frames(traceback: Any, is_own: IsOwn) -> list[Frame]:
    """Return the learner's frames in a traceback recorded by JAX, innermost first."""
    codes, lastis = traceback.raw_frames()
    found = []
    for code, lasti in zip(codes, lastis, strict=True):
        if is_own(code.co_filename):
            span = span_at(code, lasti)
            if span is not None:
                found.append(Frame(code.co_filename, code.co_name, span))
    return found


def own_frame(info: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's innermost frame in JAX's record of a place, if there is one."""
    return next(iter(own_frames(info.traceback, is_own)), None) if info is not None else None


def source_line(info: Any, file: str) -> int | None:
    """Return the line of `file` that an equation came from, or None if it is not known."""
    try:
        frames = own_frames(info.traceback, lambda name: name == file)
    except Exception:  # this version of jax records its sources differently
        return unknown(None)
    return frames[-1].span.line if frames else None


def is_promotion(info: Any, is_own: IsOwn) -> bool:
    """Return whether an operand was converted for the sake of another one, and not on demand.

    JAX's own functions and those of Flax convert operands to a common dtype in `promote_dtype(s)`.
    """
    try:
        codes, _ = info.traceback.raw_frames()
        names = {code.co_name for code in takewhile(lambda it: not is_own(it.co_filename), codes)}
    except Exception:  # internals moved, or no traceback was kept
        return False
    return any(name.startswith("promote_dtype") for name in names) or not names & _CONVERTING


_CONVERTING = {"astype", "asarray", "array", "convert_element_type"}
