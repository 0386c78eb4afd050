# expects: argmax-over-all at 9
import jax
import jax.numpy as jnp


@jax.jit
def accuracy(w, x, labels):
    scores = predict(w, x)
    right = jnp.argmax(scores) == labels
    return jnp.mean(right)


def predict(w, x):
    return x @ w


print(accuracy(jnp.eye(3), jnp.eye(3), jnp.arange(3)))
