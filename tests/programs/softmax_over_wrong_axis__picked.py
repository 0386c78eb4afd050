# expects: softmax-over-wrong-axis at 8
import jax
import jax.numpy as jnp


def log_probabilities(logits):
    shifted = logits - logits.max(axis=0)
    return shifted - jnp.log(jnp.exp(shifted).sum(axis=0))


@jax.jit
def loss(w, x, labels):
    picked = jnp.take_along_axis(log_probabilities(x @ w), labels[:, None], axis=1)
    return -picked.mean()


loss(jnp.ones((4, 3)), jnp.ones((6, 4)), jnp.array([0, 1, 2, 0, 1, 2]))
