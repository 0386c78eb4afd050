# expects: check kept
# says: Your folder stays empty: JAX keeps only programs that took a second to compile, unless you
#     lower that limit.
"""Names the folder and nothing else."""

import jax


def warm_start(folder, f, specs):
    jax.config.update("jax_compilation_cache_dir", folder)
    return [jax.jit(f).lower(*spec).compile() for spec in specs]
