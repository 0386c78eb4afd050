"""Shows diagnoses where JAX programs run: in notebooks, in pytest, and below a traceback."""
