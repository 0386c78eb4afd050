# expects: array-lacks-axis at 8
import jax
import jax.numpy as jnp


def log_likelihood(logits, labels):
    log_p = jax.nn.log_softmax(logits)
    chosen = jnp.take_along_axis(log_p, labels, axis=1)
    return chosen[:, 0].sum()


logits = jax.random.normal(jax.random.key(0), (5, 3))
print(jax.jit(log_likelihood)(logits, jnp.array([0, 2, 1, 1, 0])) < 0)
