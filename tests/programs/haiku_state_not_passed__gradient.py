# expects: haiku-state-not-passed at 18
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x):
    x = hk.BatchNorm(True, True, 0.9)(x, is_training=True)
    return hk.Linear(1)(x)


model = hk.without_apply_rng(hk.transform_with_state(forward))


def train(x, y):
    key = jax.random.key(0)
    params = model.init(key, x)
    grads = jax.grad(lambda p: jnp.mean((model.apply(p, x)[0] - y) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


print(len(train(jnp.ones((4, 3)), jnp.ones((4, 1)))))
