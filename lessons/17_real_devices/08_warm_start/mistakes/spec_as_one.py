# expects: list-argument at 10
"""Passes the tuple as one argument."""

import jax


def warm_start(folder, f, specs):
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    return [jax.jit(f).lower(spec).compile() for spec in specs]
