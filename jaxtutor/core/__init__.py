"""Pure data and decisions: no files, clock, processes or jax."""
