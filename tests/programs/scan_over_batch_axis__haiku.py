# expects: scan-over-batch-axis at 12
# needs: haiku optax
import haiku as hk
import jax
import jax.numpy as jnp
import optax


def network(series):
    core = hk.LSTM(10)
    start = core.initial_state(series.shape[0])
    outputs, _ = hk.dynamic_unroll(core, series, start)
    return hk.Linear(1)(outputs[:, -1])[:, 0]


model = hk.without_apply_rng(hk.transform(network))
series = jnp.sin(jnp.linspace(0, 6, 5 * 20)).reshape(5, 20, 1)
target = series[:, -1, 0]
params = model.init(jax.random.key(0), series[:, :-1])
tx = optax.adam(1e-2)
state = tx.init(params)


@jax.jit
def step(params, state):
    def loss_fn(params):
        return jnp.mean((model.apply(params, series[:, :-1]) - target) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


for _ in range(3):
    params, state, loss = step(params, state)
print(bool(jnp.isfinite(loss)))
