# expects: shape-mismatch-matmul at 14
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_vmap
def make(key):
    return eqx.nn.MLP(2, 1, 8, 1, key=key)


def vote(models, points):
    return jax.vmap(models)(points).mean(0)


models = make(jax.random.split(jax.random.key(0), 5))
print(vote(models, jnp.ones((3, 2))))
