"""Names the folder by the function for it."""

import jax
from jax.experimental.compilation_cache import compilation_cache


def warm_start(folder, f, specs):
    compilation_cache.set_cache_dir(str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    compiled = jax.jit(f)
    return [compiled.trace(*spec).lower().compile() for spec in specs]
