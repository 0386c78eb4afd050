# expects: parameter-never-changes at 22
# needs: optax
import jax
import jax.numpy as jnp
import optax

keys = jax.random.split(jax.random.key(0), 4)
params = {
    "body": {"w": jax.random.normal(keys[0], (4, 8)), "b": 0.1 * jax.random.normal(keys[1], (8,))},
    "head": {"w": jax.random.normal(keys[2], (8, 3))},
}


def loss(params, x, y):
    hidden = jnp.tanh(x @ params["body"]["w"] + params["body"]["b"])
    logits = hidden @ params["head"]["w"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


labels = {
    "body": {"w": "keep", "b": "fit"},
    "head": {"w": "keep"},
}
tx = optax.multi_transform({"fit": optax.sgd(0.1), "keep": optax.set_to_zero()}, labels)
state = tx.init(params)


@jax.jit
def step(params, state, x, y):
    grads = jax.grad(loss)(params, x, y)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state


x = jax.random.normal(keys[3], (32, 4))
y = jnp.argmax(x[:, :3], axis=1)
for _ in range(12):
    params, state = step(params, state, x, y)
