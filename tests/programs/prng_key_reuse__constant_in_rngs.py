# expects: prng-key-reuse at 23
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Model(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dropout(0.5)(nn.relu(nn.Dense(8)(x)), deterministic=not train)
        return nn.Dense(1)(x)


model, tx = Model(), optax.adam(1e-2)


@jax.jit
def step(params, state, x, y):
    def loss(params):
        return jnp.mean(
            (model.apply(params, x, True, rngs={"dropout": jax.random.key(7)}) - y) ** 2
        )

    updates, state = tx.update(jax.grad(loss)(params), state)
    return optax.apply_updates(params, updates), state


x, y = jnp.ones((4, 2)), jnp.ones((4, 1))
params = model.init(jax.random.key(0), x, False)
state = tx.init(params)
for _ in range(3):
    params, state = step(params, state, x, y)
print(state[0].count)
