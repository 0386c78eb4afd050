# expects: prng-key-reuse at 19
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def path(start, key):
    noise = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=(), key=key)
    terms = diffrax.MultiTerm(
        diffrax.ODETerm(lambda t, y, args: -y),
        diffrax.ControlTerm(lambda t, y, args: 0.5, noise),
    )
    solution = diffrax.diffeqsolve(terms, diffrax.Euler(), 0.0, 1.0, 0.1, start)
    return solution.ys[-1]


starts = jnp.arange(4.0)
ends = jax.vmap(path, in_axes=(0, None))(starts, jax.random.key(0))
print(ends.shape)
