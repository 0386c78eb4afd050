"""Reads JAX's internals: where a tracer came from, and what is being traced or evaluated.

Only this folder uses `jax._src` or private attributes of tracers. If a JAX version moves them, its
functions return "not known" (None, False or an empty tuple) instead of raising.
"""
