# expects: not-a-jax-type at 27
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Residual(eqx.Module):
    inner: eqx.nn.MLP

    def __init__(self, size, *, key):
        self.inner = eqx.nn.MLP(size, size, 2 * size, 1, activation=jax.nn.silu, key=key)

    def __call__(self, x):
        return x + self.inner(x)


def stack(size, depth, key):
    return eqx.filter_vmap(lambda k: Residual(size, key=k))(jax.random.split(key, depth))


@eqx.filter_jit
def run(layers, x):
    def step(x, layer):
        return layer(x), jnp.linalg.norm(x)

    return jax.lax.scan(step, x, layers)


out, norms = run(stack(4, 3, jax.random.key(0)), jnp.ones(4))
print(out.shape, norms.shape)
