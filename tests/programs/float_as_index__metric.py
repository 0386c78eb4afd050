# expects: float-as-index at 13
# needs: flax
import jax.numpy as jnp
import numpy as np
from flax import nnx

table = np.array([[0.2, 1.5, 1.0], [2.5, 0.1, 0.0], [0.3, 0.9, 1.0]], np.float32)
accuracy = nnx.metrics.Accuracy()


def evaluate(logits, answers):
    accuracy.reset()
    accuracy.update(logits=logits, labels=answers)
    return accuracy.compute()


print(evaluate(jnp.asarray(table[:, :2]), jnp.asarray(table[:, 2])))
