# expects: zero-gradient at 9
import jax
import jax.numpy as jnp
from jax import tree_util


def loss(params, x, key):
    on = jax.nn.sigmoid(x @ params["encoder"])
    code = jax.random.bernoulli(key, on).astype(jnp.float32)
    return jnp.mean((code @ params["decoder"] - x) ** 2)


@jax.jit
def step(params, x, key):
    value, slopes = jax.value_and_grad(loss)(params, x, key)
    return tree_util.tree_map(lambda p, g: p - 0.1 * g, params, slopes), value


keys = jax.random.split(jax.random.key(0), 4)
params = {
    "encoder": jax.random.normal(keys[0], (5, 3)),
    "decoder": jax.random.normal(keys[1], (3, 5)),
}
x = jax.random.normal(keys[2], (20, 5))
for n in range(4):
    params, value = step(params, x, jax.random.fold_in(keys[3], n))
print(value)
