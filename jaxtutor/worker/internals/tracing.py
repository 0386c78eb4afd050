"""What is being traced now: by which transformation, and with which arguments."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Any

from jaxtutor.worker.internals.moved import unknown
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import debug_info

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


def is_tracing() -> bool:
    """Return True if any transformation is tracing a function, `grad` of one operation included."""
    try:
        from jax._src import core as internals

        return not internals.trace_state_clean()
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
