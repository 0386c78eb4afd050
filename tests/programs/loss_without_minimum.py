# expects: loss-without-minimum at 21
# needs: optax
import jax
import jax.numpy as jnp
import optax

inputs = jnp.sin(jnp.arange(96.0)).reshape(32, 3)
labels = jax.nn.one_hot(jnp.arange(32) % 4, 4)
tx = optax.adam(1e-2)


def cross_entropy(params, batch):
    x, y = batch
    hidden = jax.nn.relu(x @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    logits = hidden @ params["out"]["kernel"] + params["out"]["bias"]
    return -jnp.mean(jnp.sum(y * logits, axis=-1))


@jax.jit
def update(params, state, batch):
    loss, grads = jax.value_and_grad(cross_entropy)(params, batch)
    changes, state = tx.update(grads, state)
    return optax.apply_updates(params, changes), state, loss


params = {
    "hidden": {"kernel": jnp.cos(jnp.arange(24.0)).reshape(3, 8), "bias": jnp.zeros(8)},
    "out": {"kernel": jnp.sin(jnp.arange(32.0)).reshape(8, 4), "bias": jnp.zeros(4)},
}
state = tx.init(params)
for n in range(100):
    rows = jax.random.randint(jax.random.fold_in(jax.random.key(1), n), (16,), 0, 32)
    params, state, loss = update(params, state, (inputs[rows], labels[rows]))
