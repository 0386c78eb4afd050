"""The room that owns jax: it runs one submission in its own process and reports facts."""
