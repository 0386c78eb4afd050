"""Reads JAX's internals: where a tracer came from, and what is being traced or evaluated.

This is the only module that uses `jax._src` or private attributes of tracers. If a JAX version
moves them, the functions return "not known" (None, False or an empty tuple) instead of raising.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import logging
import os
import re
import sys
import sysconfig
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

import jax
import numpy as np

from jaxtutor.core.data.model import Frame, Span, Step
from jaxtutor.core.diagnosis.source import path_of
from jaxtutor.worker.positions import module_of, span_at

IsOwn = Callable[[str], bool]

MOST_STEPS = 12
MOST_VISITED = 20_000
_DUNDERS = re.compile(
    r"Tracer\.(__\w+__|item|tolist|tobytes|aval_property|_?\w*(bool|int|float|index|array)\w*)$"
)
_TRACER_LOCALS = ("tracer", "arg", "val", "self", "x", "i", "idx", "index", "shape")


# ---------------------------------------------------------------- locations


STRICT = "JAXTUTOR_STRICT"
"""The variable under which `unknown` raises: a test that sets it notices when internals move."""

TRACE_LOGGER = "jax._src.interpreters.partial_eval"
"""The logger on which JAX explains why it traces again, under `jax_explain_cache_misses`."""

TRACEBACK_FILTER = "jax._src.traceback_util."
"""Where the frames that JAX adds to every traceback come from."""

V = TypeVar("V")


def unknown(value: V) -> V:
    """Return what stands for a fact that this jax does not give; call it in an `except` block."""
    if STRICT in os.environ:
        raise  # noqa: PLE0704 - the exception that the caller is handling
    return value


_UNFILTERED = "__jaxtutor_unfiltered__"
"""The attribute of an exception that holds what JAX removed from its traceback."""


class _Removed:
    """What JAX removed from the traceback of an exception; pickled with the exception as None.

    `parts` has the whole traceback for the beginning of each filtered one, and `rest` the one of
    which nothing was left. It lives as long as the exception, so it keeps nothing else alive.
    """

    def __init__(self) -> None:
        self.parts: dict[int, tuple[TracebackType, TracebackType]] = {}
        self.rest: TracebackType | None = None

    def add(self, filtered: TracebackType | None, whole: TracebackType) -> None:
        """Remember one filtered traceback."""
        if filtered is None:
            self.rest = whole
        else:
            self.parts[id(filtered)] = (filtered, whole)

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(None), ()


def _dict_of(error: BaseException) -> dict[str, Any]:
    """Return an exception's attributes without running code of its class."""
    found: dict[str, Any] = BaseException.__dict__["__dict__"].__get__(error)
    return found


def _traceback_of(error: BaseException) -> TracebackType | None:
    found: TracebackType | None = BaseException.__dict__["__traceback__"].__get__(error)
    return found


def keep_unfiltered() -> bool:
    """Remember the frames that JAX removes from tracebacks, without changing its setting.

    Return False if this version of JAX does not allow it.
    """
    try:
        from jax._src import traceback_util

        internals: Any = traceback_util
        original = internals.filter_traceback
        if getattr(original, _UNFILTERED, False):
            return True
    except (ImportError, AttributeError):  # internals moved
        return unknown(False)

    def filter_traceback(whole: Any) -> Any:
        filtered = original(whole)
        error = sys.exc_info()[1]
        if error is not None and _traceback_of(error) is whole:
            _dict_of(error).setdefault(_UNFILTERED, _Removed()).add(filtered, whole)
        return filtered

    setattr(filter_traceback, _UNFILTERED, True)
    internals.filter_traceback = filter_traceback
    return True


def keeps_unfiltered() -> bool:
    """Return whether `keep_unfiltered` is in force."""
    try:
        from jax._src import traceback_util

        return bool(getattr(traceback_util.filter_traceback, _UNFILTERED, False))
    except (ImportError, AttributeError):  # internals moved
        return unknown(False)


def unfiltered(error: BaseException) -> Iterator[TracebackType]:
    """Yield the levels of a traceback, with those that JAX removed from it."""
    found = _dict_of(error).get(_UNFILTERED)
    removed = found if isinstance(found, _Removed) else _Removed()
    level = _traceback_of(error)
    while level is not None:
        level = removed.parts.get(id(level), (level, level))[1]
        yield level
        level = level.tb_next
    level = removed.rest
    while level is not None:
        yield level
        level = level.tb_next


def backend_is_started() -> bool:
    """Return whether the program has started a backend of JAX."""
    try:
        from jax._src import xla_bridge

        return bool(xla_bridge.backends_are_initialized())
    except (ImportError, AttributeError):  # internals moved
        return unknown(True)


def array_type() -> Any | None:
    """Return the class of JAX's arrays, without making one: that would start a backend."""
    try:
        from jax._src.array import ArrayImpl
    except ImportError:  # internals moved
        return unknown(None)
    return ArrayImpl


class _AsIf:
    """Another object's attributes, with some of them replaced."""

    def __init__(self, original: Any, **replaced: Any) -> None:
        self.__dict__.update(replaced)
        self._original = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


class _Setting:
    """A setting of JAX that has one value for a part of JAX, whatever the program has chosen."""

    def __init__(self, setting: Any, value: Any) -> None:
        self._setting = setting
        self.value = value

    def __call__(self, *given: Any) -> Any:
        return self._setting(*given)


def watch_promotions(note: Callable[[Sequence[tuple[int, ...]]], None]) -> Callable[[], None]:
    """Call `note` with the shapes of each rank promotion. Return a function that undoes it.

    The program's own choice, to allow them, to warn or to raise, stays in force.
    """
    try:
        from jax._src.numpy import util

        module: Any = util
        config, warn_or_raise = module.config, module._rank_promotion_warning_or_error
        setting = config.numpy_rank_promotion
    except (ImportError, AttributeError):  # internals moved: nothing is observed
        return unknown(lambda: None)

    def promoted(name: str, shapes: Sequence[tuple[int, ...]]) -> None:
        note(shapes)
        if setting.value != "allow":
            with _replaced(module, config=config):
                warn_or_raise(name, shapes)

    seen = _AsIf(config, numpy_rank_promotion=_Setting(setting, "seen"))
    module.config, module._rank_promotion_warning_or_error = seen, promoted

    def undo() -> None:
        module.config, module._rank_promotion_warning_or_error = config, warn_or_raise

    return undo


@contextmanager
def _replaced(owner: Any, **values: Any) -> Iterator[None]:
    before = {name: getattr(owner, name) for name in values}
    owner.__dict__.update(values)
    try:
        yield
    finally:
        owner.__dict__.update(before)


def explain_misses(note: Callable[[str], None]) -> Callable[[], None]:
    """Call `note` with each of JAX's explanations why it traces again. Return an undo function.

    They are logged only if the program itself turns them on (`jax_explain_cache_misses`).
    """
    try:
        from jax._src import linear_util, util

        modules: list[Any] = [linear_util, util]
        configs = [module.config for module in modules]
        setting = configs[0].explain_cache_misses
    except (ImportError, AttributeError):  # internals moved: nothing is observed
        return unknown(lambda: None)

    def is_wanted(record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if "CACHE MISS" in text:
            note(text)
            if not setting.value:
                return False
        return level > logging.NOTSET or logger.parent is None or is_enabled(record)

    def is_enabled(record: logging.LogRecord) -> bool:
        return logger.parent is not None and logger.parent.isEnabledFor(record.levelno)

    for module, config in zip(modules, configs, strict=True):
        module.config = _AsIf(config, explain_cache_misses=_Setting(setting, True))
    logger = logging.getLogger(TRACE_LOGGER)
    level = logger.level
    logger.setLevel(logging.WARNING)  # even if the program silences the loggers above it
    logger.addFilter(is_wanted)

    def undo() -> None:
        logger.removeFilter(is_wanted)
        logger.setLevel(level)
        for module, config in zip(modules, configs, strict=True):
            module.config = config

    return undo


def public_module(name: str) -> str:
    """Return the public name of a module of JAX that defines exceptions."""
    return name.replace("jax._src.errors", "jax.errors")


# ---------------------------------------------------------------- tracers


def is_tracer(value: object) -> bool:
    """Return True if `value` is a tracer, without running code of its class."""
    return issubclass(type(value), jax.core.Tracer)


def aval_text(value: Any) -> str:
    """Return the type of a tracer or an array as JAX writes it."""
    try:
        return str(jax.typeof(value))
    except Exception:  # an aval that cannot be written must not hide the failure itself
        return ""


def tracers_in(value: object, depth: int = 2) -> Iterator[Any]:
    """Yield the tracers in a value or in a small container of values."""
    if is_tracer(value):
        yield value
    elif depth and type(value) in (tuple, list):
        for item in list(value)[:64]:  # type: ignore[call-overload]
            yield from tracers_in(item, depth - 1)
    elif depth and type(value) is slice:
        for item in (value.start, value.stop, value.step):
            yield from tracers_in(item, depth - 1)


def has_escaped(tracer: Any, frames: Sequence[FrameType]) -> bool:
    """Return True if a tracer's trace had ended: no frame of the traceback was running it."""
    trace = getattr(tracer, "_trace", None)
    library = [f for f in frames if str(f.f_globals.get("__name__", "")).startswith("jax.")]
    held = (value for frame in library for value in frame.f_locals.values())
    return trace is not None and not any(value is trace for value in held)


_WRITTEN = re.compile(r"(?:Tracer\(|traced array with shape )~?(\w+(?:<\w+>)?\[[^\]]*\])")


def find_tracer(frames: Sequence[FrameType], is_own: IsOwn, message: str) -> Any | None:
    """Find the tracer at fault in the live frames of a traceback.

    `frames` are ordered outermost first. The library's innermost frames are searched first, and the
    learner's frames not at all. A tracer whose type appears in the message takes precedence.
    """
    library: list[FrameType] = []
    for frame in reversed(frames):
        if is_own(frame.f_code.co_filename):
            break
        library.append(frame)
    found = [t for frame in library for t in _tracer_candidates(frame)]
    written = set(_WRITTEN.findall(message))
    found = [t for t in found if aval_text(t).lstrip("~") in written] or found
    ours = [t for t in found if _is_traced_from(t, is_own)]
    return (ours or found or [None])[0]


def _tracer_candidates(frame: FrameType) -> Iterator[Any]:
    names = frame.f_locals
    if _DUNDERS.search(frame.f_code.co_qualname) and is_tracer(names.get("self")):
        yield names["self"]
        return
    for name in _TRACER_LOCALS:
        if name in names:
            yield from tracers_in(names[name])
    for name, value in names.items():
        if name not in _TRACER_LOCALS:
            yield from tracers_in(value)


def _is_traced_from(tracer: Any, is_own: IsOwn) -> bool:
    """Return True if the function being traced belongs to the learner, not to a library."""
    place = traced_place(tracer)
    return place is None or is_own(place[1])


def traced_place(tracer: Any) -> tuple[str, str, int] | None:
    """Return name, file and line of the function whose trace a tracer belongs to."""
    dbg = debug_info(tracer)
    return parse_place(getattr(dbg, "func_src_info", None))


def parse_place(text: object) -> tuple[str, str, int] | None:
    """Parse JAX's `name at file:line`."""
    match = re.fullmatch(r"(\S+) at (.*):(\d+)", text) if isinstance(text, str) else None
    return (match[1], match[2], int(match[3])) if match else None


def debug_info(tracer: Any) -> Any | None:
    """Return JAX's record of the function that a tracer, possibly nested, belongs to."""
    for _ in range(8):
        dbg = getattr(tracer, "_debug_info", None)
        if dbg is not None:
            return dbg
        inner = getattr(tracer, "primal", None)
        tracer = inner if is_tracer(inner) else getattr(tracer, "val", None)
        if not is_tracer(tracer):
            return None
    return None


# The first part of the qualified name of the library function that calls the learner's function.
_TRANSFORMATIONS = {
    "_cpp_pjit": "jit",
    "_python_pjit": "jit",
    "grad": "grad",
    "value_and_grad": "grad",
    "vjp": "grad",
    "linearize": "grad",
    "jacrev": "grad",
    "jacfwd": "grad",
    "hessian": "grad",
    "jvp": "grad",
    "vmap": "vmap",
    "pmap": "pmap",
    "scan": "scan",
    "associative_scan": "scan",
    "map": "scan",
    "fori_loop": "fori_loop",
    "while_loop": "while_loop",
    "cond": "cond",
    "switch": "switch",
    "checkpoint": "checkpoint",
    "custom_jvp": "custom_jvp",
    "custom_vjp": "custom_vjp",
    "make_jaxpr": "make_jaxpr",
    "eval_shape": "eval_shape",
    "shard_map": "shard_map",
    "_shard_map": "shard_map",
}


def traced_by(frames: Sequence[FrameType], is_own: IsOwn) -> tuple[str | None, str | None]:
    """Return the innermost transformation on the stack and the learner's function it traces."""
    followed: FrameType | None = None
    for frame in reversed(frames):
        if is_own(frame.f_code.co_filename):
            followed = frame
            continue
        named = _transformation(frame)
        if named is not None and followed is not None:
            return named, followed.f_code.co_name
    return None, None


def transformation_of(tracer: Any) -> str | None:
    """Return the transformation that made a tracer, from its class or from JAX's record."""
    kind = type(tracer).__name__
    if kind == "BatchTracer":
        return "vmap"
    if kind in ("JVPTracer", "LinearizeTracer"):
        return "grad"
    named = getattr(debug_info(tracer), "traced_for", None)
    return named if isinstance(named, str) else None


def _transformation(frame: FrameType) -> str | None:
    if not str(frame.f_globals.get("__name__", "")).startswith("jax."):
        return None
    return _TRANSFORMATIONS.get(frame.f_code.co_qualname.partition(".")[0])


def is_staging() -> bool:
    """Return True if a function is being traced into a program.

    Its side effects then happen once, not on every call.
    """
    try:
        from jax._src import core as internals

        return type(internals.trace_ctx.trace).__name__ == "DynamicJaxprTrace"
    except Exception:  # internals moved
        return unknown(False)


def call_being_traced() -> tuple[Any, tuple[Any, ...]] | None:
    """Return the function that jit is tracing now, and the values it was called with."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        names = frame.f_locals
        if frame.f_code.co_name in ("cache_miss", "_infer_params") and "args" in names:
            function = names.get("fun")
            return function, (*names["args"], *dict(names.get("kwargs") or {}).values())
        frame = frame.f_back
    return None


def arguments_being_traced() -> tuple[Any, dict[str, Any], frozenset[str]] | None:
    """Return the function that jit is tracing now, its arguments by name, and the static ones."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        names = frame.f_locals
        if frame.f_code.co_name == "_infer_params" and "fun" in names and "ji" in names:
            try:
                return _bind(names["fun"], names["args"], names.get("kwargs") or {}, names["ji"])
            except Exception:  # internals moved, or a function without a signature
                return None
        frame = frame.f_back
    return None


def _bind(
    function: Any, args: Sequence[Any], kwargs: dict[str, Any], jitted: Any
) -> tuple[Any, dict[str, Any], frozenset[str]]:
    signature = inspect.signature(function)
    bound = signature.bind(*args, **kwargs)
    names = list(signature.parameters)
    positions = [names[n] for n in jitted.static_argnums if -len(names) <= n < len(names)]
    return function, dict(bound.arguments), frozenset((*positions, *jitted.static_argnames))


def is_constant_zero(value: Any) -> bool:
    """Return True if a tracer stands for zeros that do not depend on any argument."""
    for _ in range(4):
        literal: Any = getattr(value, "val", None)
        if type(literal).__name__ == "Literal":
            return not np.any(np.asarray(literal.val))
        parent = getattr(value, "parent", None)
        name = getattr(getattr(parent, "primitive", None), "name", "")
        if parent is None or name not in ("broadcast_in_dim", "convert_element_type"):
            return False
        value = parent.in_tracers[0]
    return False


_PASSED_OVER = re.compile(r"[/\\](jax|jaxlib|jaxtutor[/\\]worker)[/\\]")


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


def values_given(frame: FrameType, place: Frame) -> dict[str, Any]:
    """Return the names and attributes that a call in a frame is given, with their values."""
    module = module_of(place.file)
    call = module.node_at(place.span) if module is not None else None
    if isinstance(call, ast.Expr):
        call = call.value
    given = [*call.args, *(k.value for k in call.keywords)] if isinstance(call, ast.Call) else []
    found = {path: value_of(frame, path) for node in given if (path := path_of(node)) is not None}
    return {path: value for path, value in found.items() if value is not MISSING}


MISSING = object()
"""Stands for a name or attribute that has no value."""


def value_of(frame: FrameType, path: str) -> Any:
    """Return the value of a name or of plain attributes in a frame; no code of a class runs."""
    first, *attributes = path.split(".")
    value = frame.f_locals.get(first, frame.f_globals.get(first, MISSING))
    for name in attributes:
        held = inspect.getattr_static(value, name, MISSING)
        value = MISSING if hasattr(type(held), "__get__") else held
    return value


def program_place(jaxpr: Any) -> tuple[str, str, int] | None:
    """Return name, file and line of the function that a program was traced from."""
    return parse_place(getattr(getattr(jaxpr, "debug_info", None), "func_src_info", None))


_RANDOM_FILES = re.compile(r"[/\\]jax[/\\]_src[/\\](random|prng)\b")


def draws_numbers(jaxpr: Any) -> bool:
    """Return whether a program is one of those with which JAX draws random numbers."""
    where = program_place(jaxpr)
    return where is not None and _RANDOM_FILES.search(where[1]) is not None


def identity_of_key(key: Any) -> tuple[object | None, object]:
    """Return a value that identifies a key, and an object to keep alive while it is used.

    A traced key is identified by its variable, any other key by its bits. The identity is None if
    the value is not a single key.
    """
    try:
        if is_tracer(key):
            variable = getattr(key, "val", None)
            return (
                (None, None)
                if variable is None or is_tracer(variable)
                else (id(variable), variable)
            )
        data = getattr(key, "_base_array", key)  # reading it through JAX would count as a use
        return (np.asarray(data).tobytes(), None) if np.ndim(data) == 1 else (None, None)
    except Exception:  # not a key at all, or internals moved
        return None, None


# ---------------------------------------------------------------- evaluation


def watch_evaluation(
    evaluate: Callable[[Callable[[], Any], Any, Sequence[Any], Any], Any],
) -> tuple[Callable[[bool], None], Callable[[], None]]:
    """Call `evaluate(original, primitive, args, params)` in place of every evaluation.

    A compiled program is passed the first time it is called with arguments of given types. Return a
    function that turns it off and on for single operations, and one that ends it for programs.
    """
    try:
        from jax._src import core, pjit

        kind: Any = core.EvalTrace
        compiled: Any = pjit
        original, call, jit = kind.process_primitive, pjit._pjit_call_impl_python, pjit.jit_p
    except (ImportError, AttributeError):  # internals moved: nothing is observed
        return unknown((lambda _: None, lambda: None))

    def process_primitive(self: Any, primitive: Any, args: Any, params: Any, /) -> Any:
        given = list(args)
        return evaluate(lambda: original(self, primitive, given, params), primitive, given, params)

    def call_compiled(*args: Any, **params: Any) -> Any:
        return evaluate(lambda: call(*args, **params), jit, args, params)

    def watch_single(is_on: bool) -> None:
        kind.process_primitive = process_primitive if is_on else original

    watch_single(True)
    compiled._pjit_call_impl_python = call_compiled

    def undo_compiled() -> None:
        compiled._pjit_call_impl_python = call

    return watch_single, undo_compiled


def see_every_call(is_wanted: Callable[[], bool]) -> Callable[[], None]:
    """Keep JAX from calling a program without Python while `is_wanted()`. Return an undo function.

    It is asked after each call that Python has seen.
    """
    try:
        from jax._src import pjit

        module: Any = pjit
        original = module._get_fastpath_data
    except (ImportError, AttributeError):  # internals moved: later calls are not seen
        return unknown(lambda: None)

    def get_fastpath_data(*args: Any, **options: Any) -> Any:
        return None if is_wanted() else original(*args, **options)

    module._get_fastpath_data = get_fastpath_data

    def undo() -> None:
        module._get_fastpath_data = original

    return undo


def evaluating() -> AbstractContextManager[Any]:
    """Return a context in which operations are evaluated, even during a transformation."""
    try:
        from jax._src import core

        return core.set_current_trace(core.eval_trace)
    except (ImportError, AttributeError):  # internals moved: leave it unchanged
        return unknown(nullcontext())


def keep_programs(kept: Any) -> bool:
    """Make JAX use `kept`, which has `get` and `put`, as its cache of compiled programs.

    Return False if this version of JAX does not allow it.
    """
    try:
        from jax._src import compilation_cache

        internals: Any = compilation_cache
        if not (hasattr(internals, "_cache") and hasattr(internals, "_cache_initialized")):
            return False
        internals.reset_cache()
        internals._cache, internals._cache_initialized = kept, True
    except (ImportError, AttributeError):  # internals moved: every program is compiled
        return unknown(False)
    return True


def place_of(equation: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's expression that an equation of a jaxpr came from."""
    try:
        return _own_frame(equation.source_info, is_own)
    except Exception:  # internals moved, or no traceback was kept
        return None


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
        Path(__file__).parent.parent,
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


def site_of(frame: FrameType | None) -> str:
    """Return the name of the site whose probability NumPyro computes in a frame; empty if none."""
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith("numpyro."):
            site = frame.f_locals.get("site")
            if type(site) is dict and site.get("type") == "sample":
                return str(site.get("name", ""))
        frame = frame.f_back
    return ""


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
        return _own_frame(info, is_own), "transpose" in str(info.name_stack)
    except Exception:  # internals moved
        return unknown((None, False))


# ---------------------------------------------------------------- origins


def origin(
    tracer: Any,
    is_own: IsOwn,
    frames: Sequence[FrameType] = (),
    calls: Sequence[FrameType] = (),
) -> tuple[Step, ...]:
    """Follow a tracer back to an argument, with one step for each of the learner's expressions.

    The argument comes first. The result is empty if JAX does not record the origin. `frames` are
    the learner's; `calls` are all, and lead out of the functions that a library jits.
    """
    try:
        return _elide(_merge(list(_steps(_outermost(tracer, is_own, calls), is_own, frames))))
    except Exception:  # internals moved
        return unknown(())


def created_at(tracer: Any, is_own: IsOwn) -> Frame | None:
    """Return the learner's frame in which a tracer was made."""
    try:
        return _own_frame(_source_of(tracer), is_own)
    except Exception:  # internals moved
        return unknown(None)


def _outermost(tracer: Any, is_own: IsOwn, calls: Sequence[FrameType]) -> Any:
    """Return what a library passed to its own jit for a tracer, as long as this is another tracer.

    JAX does not record it. It is known if the tracer stands for an argument of the library's
    function, and one tracer only among the values it was called with has the same type.
    """
    for _ in range(MOST_STEPS):
        root = _path(tracer, is_own, ())[0]
        place = traced_place(root)
        if place is None or is_own(place[1]) or _recorded_argument(root) is None:
            return tracer
        passed = _passed_to(place, calls)
        same = {id(t): t for t in passed if aval_text(t) == aval_text(root) and t is not root}
        if len(same) != 1:
            return tracer
        tracer = next(iter(same.values()))
    return tracer


def _passed_to(place: tuple[str, str, int], calls: Sequence[FrameType]) -> list[Any]:
    """Return the tracers among the arguments with which a function was called that jit traces."""
    for frame in reversed(calls):
        names = frame.f_locals
        if frame.f_code.co_name != "_infer_params" or "args" not in names:
            continue
        function = names.get("fun")
        inner = inspect.unwrap(function) if callable(function) else None
        code = getattr(inner, "__code__", None)
        if code is not None and (code.co_filename, code.co_firstlineno) == place[1:]:
            leaves = jax.tree.leaves((names["args"], names.get("kwargs")))
            return [leaf for leaf in leaves if is_tracer(leaf)]
    return []


def _steps(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> Iterator[Step]:
    for node in _path(tracer, is_own, frames):
        argument = _argument(node, is_own, frames)
        if argument is not None:
            yield argument
            continue
        place = _own_frame(_source_of(node), is_own)
        if place is not None:
            yield Step(_text(place), aval_text(node), place.file, place.span)


def _path(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> list[Any]:
    """Return the shortest chain of tracers from an argument, or another root, to `tracer`."""
    came_from: dict[int, Any] = {id(tracer): None}
    queue = deque([tracer])
    roots: list[Any] = []
    while queue and len(came_from) < MOST_VISITED:
        node = queue.popleft()
        inputs = list(_inputs(node)) or list(_named_inputs(node, is_own, frames))
        if not inputs:
            roots.append(node)
        for item in inputs:
            if id(item) not in came_from:
                came_from[id(item)] = node
                queue.append(item)
    arguments = [r for r in roots if _argument(r, is_own, frames) is not None]
    root = (arguments or roots or [tracer])[0]
    chain = [root]
    while came_from[id(chain[-1])] is not None:
        chain.append(came_from[id(chain[-1])])
    return chain


def _inputs(tracer: Any) -> Iterator[Any]:
    """Yield the tracers that a tracer was computed from, or the one that it wraps."""
    parent = getattr(tracer, "parent", None)
    if parent is not None:
        for item in parent.in_tracers:
            if is_tracer(item) and not _is_literal(item):
                yield item
        return
    yield from _wrapped(tracer)


def _named_inputs(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> Iterator[Any]:
    """Yield the tracers named in the expression that made a tracer, by their current values.

    `vmap` needs this because it records no equations. A name bound on a later line is not an input.
    """
    place = (
        _own_frame(_source_of(tracer), is_own) if type(tracer).__name__ == "BatchTracer" else None
    )
    module = module_of(place.file) if place is not None else None
    node = module.node_at(place.span) if module is not None and place is not None else None
    if place is None or node is None:
        return
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    for frame in frames:
        code = frame.f_code
        if (code.co_filename, code.co_name) != (place.file, place.function):
            continue
        for value in (frame.f_locals.get(name) for name in names):
            if is_tracer(value) and value is not tracer and _is_before(value, place, is_own):
                yield value


def _is_before(tracer: Any, place: Frame, is_own: IsOwn) -> bool:
    made = _own_frame(_source_of(tracer), is_own)
    return made is None or made.function != place.function or made.span.line < place.span.line


def _is_literal(tracer: Any) -> bool:
    return type(getattr(tracer, "val", None)).__name__ == "Literal"


def _source_of(tracer: Any) -> Any | None:
    for inner in _unwrapped(tracer):
        for name in ("parent", "_line_info", "source_info"):
            info = getattr(inner, name, None)
            info = getattr(info, "source_info", info)
            if getattr(info, "traceback", None) is not None:
                return info
    return None


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


def _own_frame(info: Any, is_own: IsOwn) -> Frame | None:
    return next(iter(own_frames(info.traceback, is_own)), None) if info is not None else None


def _argument(tracer: Any, is_own: IsOwn, frames: Sequence[FrameType]) -> Step | None:
    """Return the argument that a root tracer represents, from JAX's record or from a frame."""
    if getattr(tracer, "parent", None) is not None or _is_literal(tracer):
        return None
    name = _recorded_argument(tracer)
    place = traced_place(tracer)
    if name is not None and place is not None and is_own(place[1]):
        return Step(name, aval_text(tracer), place[1], _parameter_span(place, name))
    for frame in frames:
        held = _held_argument(tracer, frame)
        if held is not None:
            code = frame.f_code
            where = (code.co_name, code.co_filename, code.co_firstlineno)
            return Step(held[0], aval_text(held[1]), where[1], _parameter_span(where, held[0]))
    return None


def _recorded_argument(tracer: Any) -> str | None:
    names = getattr(getattr(tracer, "_debug_info", None), "arg_names", None)
    invars = getattr(getattr(getattr(tracer, "_trace", None), "frame", None), "invars", None)
    if names is None or invars is None:
        return None
    variable = getattr(tracer, "val", None)
    for position, invar in enumerate(invars):
        if invar is variable or getattr(invar, "val", None) is variable:
            name = names[position] if position < len(names) else None
            return name if name and not name.startswith("dyn_args_") else None
    return None


def _held_argument(tracer: Any, frame: FrameType) -> tuple[str, Any] | None:
    """Return the parameter of a frame that holds a tracer or a wrapper of it."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    for name in code.co_varnames[:count]:
        for path, value in _leaves(name, frame.f_locals.get(name)):
            if any(inner is tracer for inner in _unwrapped(value)):
                return path, value
    return None


def _leaves(path: str, value: object, depth: int = 3) -> Iterator[tuple[str, object]]:
    if is_tracer(value):
        yield path, value
    elif depth and type(value) is dict:
        for key, item in list(value.items())[:64]:
            if type(key) in (str, int):
                yield from _leaves(f"{path}[{key!r}]", item, depth - 1)
    elif depth and type(value) in (tuple, list):
        for position, item in enumerate(list(value)[:64]):  # type: ignore[call-overload]
            yield from _leaves(f"{path}[{position}]", item, depth - 1)


def _unwrapped(tracer: Any) -> Iterator[Any]:
    for _ in range(8):
        yield tracer
        inner = next(iter(_wrapped(tracer)), None)
        if inner is None:
            return
        tracer = inner


def _wrapped(tracer: Any) -> Iterator[Any]:
    for name in ("primal", "val", "tangent"):
        inner = getattr(tracer, name, None)
        if is_tracer(inner):
            yield inner
            return


def _parameter_span(place: tuple[str, str, int], name: str) -> Span | None:
    module = module_of(place[1])
    function = module.function_at(place[0], place[2]) if module else None
    base = re.match(r"\w+", name)
    if module is None or function is None or base is None:
        return None
    arguments = function.args
    for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if arg.arg == base[0]:
            return module.span(arg)
    return None


def _text(place: Frame) -> str:
    module = module_of(place.file)
    node = module.node_at(place.span) if module is not None else None
    if module is not None and isinstance(node, ast.For):
        return module.text(node.iter)
    return module.text(place.span) if module else linecache.getline(place.file, place.span.line)


def _merge(steps: list[Step]) -> list[Step]:
    """Keep only the last of consecutive steps at the same expression."""
    kept: list[Step] = []
    for step in steps:
        if kept and (kept[-1].file, kept[-1].span) == (step.file, step.span) and step.span:
            kept.pop()
        kept.append(step)
    return kept


def _elide(steps: list[Step]) -> tuple[Step, ...]:
    if len(steps) <= MOST_STEPS:
        return tuple(steps)
    return (*steps[: MOST_STEPS // 2], *steps[-MOST_STEPS // 2 :])


def source_line(info: Any, file: str) -> int | None:
    """Return the line of `file` that an equation came from, or None if it is not known."""
    try:
        frames = own_frames(info.traceback, lambda name: name == file)
    except Exception:  # this version of jax records its sources differently
        return unknown(None)
    return frames[-1].span.line if frames else None
