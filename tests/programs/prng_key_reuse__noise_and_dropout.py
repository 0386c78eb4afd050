# expects: prng-key-reuse at 24
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def network(x):
    return hk.Linear(1)(hk.dropout(hk.next_rng_key(), 0.2, jax.nn.relu(hk.Linear(8)(x))))


model = hk.transform(network)


def noisy(key, x):
    return x + 0.1 * jax.random.normal(key, x.shape)


@jax.jit
def step(params, key, x, y):
    seen = noisy(key, x)

    def loss(params):
        return jnp.mean((model.apply(params, key, seen)[:, 0] - y) ** 2)

    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params))


init_key, data_key, step_key = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(data_key, (16, 3))
params = model.init(init_key, x)
for n in range(3):
    params = step(params, jax.random.fold_in(step_key, n), x, x[:, 0])
print(jax.tree.map(jnp.shape, params))
