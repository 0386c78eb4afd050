"""Makes a spare worker ready: imports the lesson's libraries, and uses jax once."""

from __future__ import annotations

from importlib import import_module

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.data.facts import BrokenLibrary

LATER = (
    "jaxtutor.worker.page_blocks",
    "jaxtutor.worker.stages",
    "jaxtutor.worker.watching.eval_trace",
)
"""The modules that requests need, with all that these import."""


def load() -> None:
    """Import what a request may need; a cold worker imports only what its own request needs."""
    for name in LATER:
        import_module(name)


def up() -> None:
    """Trace, compile and differentiate one small function, then clear jax's caches.

    Modules and code generators that load on first use stay loaded. The caches are cleared, so
    that the learner's program finds no entries in them.
    """

    def small(x: jax.Array) -> jax.Array:
        return jnp.where(x > 0, jnp.sin(x), 0.0).sum()

    load()
    x = jnp.asarray(np.ones((3, 7), np.float32))
    jax.make_jaxpr(small)(x)
    jax.jit(jax.grad(small))(x).block_until_ready()
    jax.jit(jax.vmap(small))(x).block_until_ready()
    jax.jit(small).lower(x).cost_analysis()
    jax.clear_caches()


def import_libraries(statements: tuple[str, ...]) -> BrokenLibrary | None:
    """Run import statements; return what the first that fails raised."""
    for statement in statements:
        try:
            exec(statement, {"__name__": "__libraries__"})
        except BaseException as error:  # a library may raise anything, and may exit
            return BrokenLibrary(statement, type(error).__name__, str(error))
    return None
