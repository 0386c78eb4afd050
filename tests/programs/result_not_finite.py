# expects: result-not-finite at 7
import jax
import jax.numpy as jnp


def divergence(p, q):
    return jnp.sum(p * (jnp.log(p) - jnp.log(q)), axis=-1)


@jax.jit
def mean_divergence(labels, logits):
    return divergence(jax.nn.one_hot(labels, 3), jax.nn.softmax(logits)).mean()


mean_divergence(jnp.array([0, 2, 1]), jnp.ones((3, 3)))
