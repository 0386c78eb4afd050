# expects: zero-gradient at 22
# needs: optax
import jax
import jax.numpy as jnp
import optax


def start(key):
    one, two = jax.random.split(key)
    return {"hidden": jax.random.normal(one, (3, 8)), "last": jax.random.normal(two, (8, 2))}


def logits(params, points):
    return jnp.tanh(points @ params["hidden"]) @ params["last"]


def loss(params, points, labels):
    """Return the cross entropy of a small network, with a share of smoothing."""
    scores = logits(params, points)
    wanted = optax.smooth_labels(jax.nn.one_hot(labels, 2), 0.1)
    # The labels are compared with themselves.
    return optax.softmax_cross_entropy(wanted, wanted).mean()


tx = optax.sgd(0.1)


@jax.jit
def step(params, state, points, labels):
    value, slopes = jax.value_and_grad(loss)(params, points, labels)
    updates, state = tx.update(slopes, state)
    return optax.apply_updates(params, updates), state, value


points = jax.random.normal(jax.random.key(1), (32, 3))
labels = (points.sum(axis=1) > 0).astype(jnp.int32)
params = start(jax.random.key(0))
state = tx.init(params)
for _ in range(8):
    params, state, value = step(params, state, points, labels)
print(value)
