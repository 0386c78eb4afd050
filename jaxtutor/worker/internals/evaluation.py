"""Operations as they are evaluated, the programs that are called, and the cache they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from jaxtutor.worker.internals.moved import unknown


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
        caches = (module._cpp_pjit_cache_fun_only, module._cpp_pjit_cache_explicit_attributes)
    except (ImportError, AttributeError):  # internals moved: later calls are not seen
        return unknown(lambda: None)
    refused: dict[int, Any] = {}

    def get_fastpath_data(executable: Any, *args: Any, **options: Any) -> Any:
        if is_wanted():
            refused[id(executable)] = executable
            return None
        if refused.pop(id(executable), None) is not None:
            # A call that was refused once goes through Python until JAX forgets it.
            for cache in caches:
                cache.clear()
        return original(executable, *args, **options)

    module._get_fastpath_data = get_fastpath_data

    def undo() -> None:
        module._get_fastpath_data = original
        refused.clear()

    return undo


def watch_waits(note: Callable[[], None]) -> Callable[[], None]:
    """Call `note` when the value of an array is read or waited for. Return an undo function."""
    kind = array_type()
    value, wait = getattr(kind, "_value", None), getattr(kind, "block_until_ready", None)
    if not isinstance(value, property) or value.fget is None or wait is None:  # internals moved
        return unknown(lambda: None)
    read = value.fget

    def noted_value(array: Any) -> Any:
        note()
        return read(array)

    def block_until_ready(array: Any) -> Any:
        note()
        return wait(array)

    def put(value: Any, wait: Any) -> None:
        setattr(kind, "_value", value)  # noqa: B010 -- the class is not known to the type checker
        setattr(kind, "block_until_ready", wait)  # noqa: B010

    put(property(noted_value), block_until_ready)
    return lambda: put(value, wait)


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


@contextmanager
def compiling_with(kept: Any) -> Iterator[None]:
    """Let JAX use `kept`, as in `keep_programs`, for what it compiles in this context.

    Where a person has chosen a cache of their own, that one is used.
    """
    try:
        from jax._src import compilation_cache, config

        internals: Any = compilation_cache
        own = {name: getattr(internals, name) for name in _CACHE_STATE}
        at_once: Any = config.persistent_cache_min_compile_time_secs(0.0)
        has_own_cache = config.compilation_cache_dir.value is not None
    except (ImportError, AttributeError):  # internals moved: every program is compiled
        own, has_own_cache = unknown({}), False
    if not own or has_own_cache:
        yield
        return
    vars(internals).update(zip(_CACHE_STATE, (kept, True, True, True), strict=True))
    try:
        with at_once:
            yield
    finally:
        vars(internals).update(own)


_CACHE_STATE = ("_cache", "_cache_initialized", "_cache_checked", "_cache_used")
"""The variables of JAX's module for its cache of compiled programs."""
