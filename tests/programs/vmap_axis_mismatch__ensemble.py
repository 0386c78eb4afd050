# expects: vmap-axis-mismatch at 13
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_vmap
def make_members(key):
    return eqx.nn.Linear(2, 1, key=key)


@eqx.filter_vmap
def predict(model, points):
    return jax.vmap(model)(points)


members = make_members(jax.random.split(jax.random.key(0), 8))
print(predict(members, jnp.ones((20, 2))).std(axis=0).mean())
