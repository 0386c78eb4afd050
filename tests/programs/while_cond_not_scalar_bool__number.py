# expects: while-cond-not-scalar-bool at 5
import jax


jax.lax.while_loop(lambda x: x, lambda x: x - 1, 3)
