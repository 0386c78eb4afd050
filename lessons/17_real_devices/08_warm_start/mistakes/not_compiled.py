# expects: check ahead
# says: Your programs are compiled when they are called for the first time, and not before the
#     service begins.
"""Leaves the compilation to the first request."""

import jax


def warm_start(folder, f, specs):
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    return [jax.jit(f) for _ in specs]
