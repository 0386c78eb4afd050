# expects: check kept
# says: Your folder stays empty: JAX keeps only programs that took a second to compile, unless you
#     lower that limit.
"""Lowers the limit of bytes, and not that of seconds."""

import jax


def warm_start(folder, f, specs):
    jax.config.update("jax_compilation_cache_dir", folder)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return [jax.jit(f).lower(*spec).compile() for spec in specs]
