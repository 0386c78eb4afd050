# expects: loop-carry-structure-mismatch at 6
import jax


def halve(i, height):
    return height / 2.0, None


print(jax.lax.fori_loop(0, 4, halve, 8.0))
