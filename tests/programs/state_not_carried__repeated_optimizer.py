# expects: state-not-carried at 25
# needs: optax
import jax
import jax.numpy as jnp
import optax

rate = optax.warmup_cosine_decay_schedule(1e-5, 0.1, 5, 20)
tx = optax.inject_hyperparams(optax.adam)(learning_rate=rate)
x = jax.random.normal(jax.random.key(0), (16, 3))
weights = jnp.zeros(3)
start = tx.init(weights)


@jax.jit
def step(weights, state):
    def loss(w):
        return jnp.mean((x @ w - 1.0) ** 2)

    value, slope = jax.value_and_grad(loss)(weights)
    updates, state = tx.update(slope, state, weights)
    return optax.apply_updates(weights, updates), value, state


for k in range(20):
    weights, value, _ = step(weights, start)
    if k % 5 == 0:
        print(k, value)
