# expects: new-callable-each-call at 8
# needs: diffrax
import diffrax
import jax.numpy as jnp


def end(rate):
    term = diffrax.ODETerm(lambda t, y, args: -rate * y)
    solution = diffrax.diffeqsolve(term, diffrax.Euler(), 0.0, 1.0, 0.1, jnp.array(1.0))
    return solution.ys[-1]


print([float(end(jnp.float32(n))) for n in range(8)])
