"""The pure room: data and decisions, without files, clocks, processes or jax."""
