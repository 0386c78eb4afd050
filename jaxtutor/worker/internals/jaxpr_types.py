"""Provides the types of programs without importing `jax.extend`.

That package imports Pallas, which takes longer than all of the modules that watch a submission. And
a program that forgot to import it would find it imported here, and not under Python.
"""

from __future__ import annotations

from typing import Any


def _find() -> tuple[Any, Any, Any, Any]:
    """Return the classes of programs, closed programs and literals, and what calls a program."""
    try:
        from jax._src import core
    except ImportError:  # internals moved
        from jax.extend import core  # type: ignore[no-redef]
    # since jax 0.12 one class is both
    closed = getattr(core, "ClosedJaxpr", core.Jaxpr)
    return core.Jaxpr, closed, core.Literal, core.jaxpr_as_fun


Jaxpr, ClosedJaxpr, Literal, jaxpr_as_fun = _find()
