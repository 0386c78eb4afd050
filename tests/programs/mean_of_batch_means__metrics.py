# expects: mean-of-batch-means at 26
# needs: optax
import jax
import jax.numpy as jnp
import numpy as np
import optax


def compute_metrics(logits, labels):
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return {"loss": loss, "accuracy": jnp.mean(jnp.argmax(logits, -1) == labels)}


@jax.jit
def eval_step(w, batch):
    return compute_metrics(batch["image"] @ w, batch["label"])


def evaluate(w, images, labels, size):
    collected = {"loss": [], "accuracy": []}
    for start in range(0, len(labels), size):
        rows = slice(start, start + size)
        metrics = eval_step(w, {"image": images[rows], "label": labels[rows]})
        for name, value in metrics.items():
            collected[name].append(float(value))
    return {name: np.mean(values) for name, values in collected.items()}


images = jax.random.normal(jax.random.key(0), (70, 4))
labels = jnp.argmax(images[:, :3], -1)
print(evaluate(jnp.eye(4, 3), images, labels, 32))
