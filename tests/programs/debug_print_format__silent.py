# expects: debug-print-format at 8
import jax


@jax.jit
def grow(colony):
    colony = 2 * colony
    jax.debug.print(f"colony: {colony}")
    return colony


grow(3)
