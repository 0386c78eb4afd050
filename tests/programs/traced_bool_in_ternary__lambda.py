# expects: traced-bool-in-ternary at 5
import jax


relu = jax.jit(lambda x: x if x > 0 else 0.0)
relu(3.0)
