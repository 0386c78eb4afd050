# expects: result-not-finite at 8
import jax
import jax.numpy as jnp


def surprise(scores, chosen):
    weights = jnp.exp(scores)
    total = jnp.log(jnp.sum(weights, axis=-1))
    return total - scores[jnp.arange(2), chosen]


@jax.jit
def climb(scores):
    return scores + 60 * jnp.eye(2), surprise(scores, jnp.array([1, 1])).mean()


scores = jnp.zeros((2, 2))
for _ in range(4):
    scores, loss = climb(scores)
print(f"loss {loss:.2f}")
