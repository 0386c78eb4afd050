# expects: check not-run
# says: Your answer runs `f` with zeros so that it is compiled. A program is kept when it has been
#     compiled, and what it does when it runs is not for the start of a service.
"""Warms up by calling."""

import jax
import jax.numpy as jnp


def warm_start(folder, f, specs):
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    programs = []
    for spec in specs:
        run = jax.jit(f)
        run(*jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), spec))
        programs.append(run)
    return programs
