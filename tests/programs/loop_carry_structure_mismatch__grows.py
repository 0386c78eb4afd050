# expects: loop-carry-structure-mismatch at 8
import jax


def double(i, powers):
    """Append the next power of two."""
    powers.append(2.0 * i)
    return powers


print(jax.lax.fori_loop(0, 4, double, []))
