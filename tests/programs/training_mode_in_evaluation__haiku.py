# expects: training-mode-in-evaluation at 21
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


@hk.transform
def net(x, is_training):
    x = hk.dropout(hk.next_rng_key(), 0.5 * is_training, x)
    return hk.Linear(1)(x)


def loss(params, key, x):
    return jnp.mean((net.apply(params, key, x, True) - 1.0) ** 2)


x = jnp.ones((4, 3))
params = net.init(jax.random.key(0), x, False)
grads = jax.grad(loss)(params, jax.random.key(1), x)
print(net.apply(params, jax.random.key(2), x, True), jax.tree.map(jnp.shape, grads))
