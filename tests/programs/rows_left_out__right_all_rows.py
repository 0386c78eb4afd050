# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np

BATCH = 32
numbers = np.random.default_rng(0)
labels = np.repeat(np.arange(4), (40, 40, 40, 30))
points = numbers.normal(size=(150, 5)).astype(np.float32) + labels[:, None]


def loss(params, x, y):
    scores = jax.nn.log_softmax(x @ params["w"] + params["b"])
    return -jnp.take_along_axis(scores, y[:, None], axis=1).mean()


@jax.jit
def step(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def epochs(count):
    full = len(points) // BATCH * BATCH
    for _ in range(count):
        order = numbers.permutation(len(points))[:full]
        yield from order.reshape(-1, BATCH)


params = {"w": jnp.zeros((5, 4)), "b": jnp.zeros(4)}
for rows in epochs(15):
    params = step(params, points[rows], labels[rows])
predicted = jnp.argmax(points @ params["w"] + params["b"], axis=1)
