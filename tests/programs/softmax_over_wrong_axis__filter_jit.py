# expects: softmax-over-wrong-axis at 13
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_jit
def attend(layer, x):
    rows, _ = x.shape
    parts = jax.vmap(layer)(x).reshape(rows, 3, 2, -1)
    q, k, v = parts[:, 0], parts[:, 1], parts[:, 2]
    weights = jax.nn.softmax(jnp.einsum("qhd,khd->hqk", q, k), axis=1)
    return jnp.einsum("hqk,khd->qhd", weights, v)


a, b = jax.random.split(jax.random.key(0))
print(attend(eqx.nn.Linear(8, 24, key=a), jax.random.normal(b, (7, 8))).shape)
