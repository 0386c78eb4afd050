# expects: units-stay-alike at 32
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(3)
images = jnp.asarray(rng.normal(size=(96, 16)), jnp.float32)
labels = jnp.asarray(rng.integers(0, 4, size=96))
sizes = [16, 12, 12, 4]


def init(sizes):
    return [
        {"weights": jnp.zeros((n, m)) + 0.05, "bias": jnp.zeros(m)}
        for n, m in zip(sizes[:-1], sizes[1:], strict=True)
    ]


def predict(layers, images):
    for layer in layers[:-1]:
        images = jax.nn.relu(images @ layer["weights"] + layer["bias"])
    return images @ layers[-1]["weights"] + layers[-1]["bias"]


def cross_entropy(layers, images, labels):
    scores = jax.nn.log_softmax(predict(layers, images))
    return -jnp.mean(jnp.take_along_axis(scores, labels[:, None], axis=1))


@jax.jit
def update(layers, images, labels):
    loss, slopes = jax.value_and_grad(cross_entropy)(layers, images, labels)
    return jax.tree.map(lambda w, s: w - 0.2 * s, layers, slopes), loss


layers = init(sizes)
for epoch in range(20):
    layers, loss = update(layers, images, labels)
print("loss", loss, "accuracy", jnp.mean(predict(layers, images).argmax(1) == labels))
