# expects: dict-key-order at 18
import jax
import jax.numpy as jnp


def init():
    return {"query": jnp.ones((2, 2)), "key": jnp.zeros((2, 2))}


@jax.jit
def slopes(params, x):
    return jax.tree.leaves(jax.grad(lambda p: jnp.sum(x @ p["query"] @ p["key"]))(params))


params = init()
x = jnp.eye(2)
grads = slopes(params, x)
params = {k: p - 0.1 * g for (k, p), g in zip(params.items(), grads)}
print(sorted(params))
