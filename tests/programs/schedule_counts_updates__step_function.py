# expects: schedule-counts-updates at 24
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(w, x):
    return jnp.mean((x @ w - 1.0) ** 2)


def run_epoch(w, state, optimizer, x):
    @jax.jit
    def step(w, state, batch):
        updates, state = optimizer.update(jax.grad(loss)(w, batch), state)
        return optax.apply_updates(w, updates), state

    for start in range(0, len(x), 4):
        w, state = step(w, state, x[start : start + 4])
    return w, state


def train(x, epochs=5):
    schedule = optax.linear_schedule(0.1, 0.0, epochs)
    optimizer = optax.sgd(schedule)
    w = jnp.zeros(2)
    state = optimizer.init(w)
    for _ in range(1, epochs + 1):
        w, state = run_epoch(w, state, optimizer, x)
    return w


print(train(jnp.arange(32.0).reshape(16, 2) / 32))
