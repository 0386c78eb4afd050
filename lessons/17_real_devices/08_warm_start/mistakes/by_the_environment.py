# expects: check kept
# says: Your folder is named in the environment, which JAX has read when it was imported.
"""Sets variables that nobody reads any more."""

import os

import jax


def warm_start(folder, f, specs):
    os.environ["JAX_COMPILATION_CACHE_DIR"] = folder
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    return [jax.jit(f).lower(*spec).compile() for spec in specs]
