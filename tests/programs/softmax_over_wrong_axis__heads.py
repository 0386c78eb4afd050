# expects: softmax-over-wrong-axis at 9
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k)
    weights = jax.nn.softmax(scores / 2.0, axis=0)
    return jnp.einsum("hqk,hkd->hqd", weights, v)


q, k, v = (jax.random.normal(key, (4, 4, 4)) for key in jax.random.split(jax.random.key(0), 3))
print(attend(q, k, v).sum())
