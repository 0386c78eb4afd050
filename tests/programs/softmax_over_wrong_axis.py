# expects: softmax-over-wrong-axis at 10
import jax
import jax.numpy as jnp


def attention(params, x):
    q, k, v = (x @ params[name] for name in "qkv")
    scores = jnp.einsum("bid,bjd->bij", q, k) / 2.0
    scores = jnp.where(jnp.tril(jnp.ones((3, 3), bool)), scores, -1e9)
    weights = jax.nn.softmax(scores, axis=1)
    return jnp.einsum("bij,bjd->bid", weights, v)


@jax.jit
def loss(params, x):
    return jnp.mean(attention(params, x) ** 2)


keys = jax.random.split(jax.random.key(0), 4)
params = {name: jax.random.normal(key, (4, 4)) for name, key in zip("qkv", keys)}
jax.grad(loss)(params, jax.random.normal(keys[3], (2, 3, 4)))
