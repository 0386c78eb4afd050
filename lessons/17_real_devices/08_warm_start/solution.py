"""A start without compiling: programs that an earlier process has kept."""

import jax


def warm_start(folder, f, specs):
    """Return f compiled for each of specs; keep the programs in folder for the next process."""
    jax.config.update("jax_compilation_cache_dir", folder)
    # By default, what takes less than a second to compile is not kept.
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    return [jax.jit(f).lower(*spec).compile() for spec in specs]
