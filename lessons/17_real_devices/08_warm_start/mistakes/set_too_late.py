# expects: check kept
# says: Your settings come after the compilation. They count for what is compiled from then on.
"""Compiles first."""

import jax


def warm_start(folder, f, specs):
    programs = [jax.jit(f).lower(*spec).compile() for spec in specs]
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    return programs
