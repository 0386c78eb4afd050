# expects: prng-key-reuse at 22
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dropout(0.5, deterministic=False)(nn.Dense(8)(x))
        return nn.Dense(1)(x)


model = Net()
init_key, drop_key, mask_key = jax.random.split(jax.random.key(0), 3)
params = model.init({"params": init_key, "dropout": drop_key}, jnp.ones((4, 2)))


def train(params, key):
    def step(params, x):
        loss = lambda p: jnp.mean(model.apply(p, x, rngs={"dropout": key}) ** 2)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss)(params)), None

    return jax.lax.scan(step, params, jnp.ones((5, 4, 2)))[0]


print(jax.tree.map(jnp.shape, jax.jit(train)(params, mask_key)))
