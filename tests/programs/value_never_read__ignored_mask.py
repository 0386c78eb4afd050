# expects: value-never-read at 17
import jax
import jax.numpy as jnp


def attend(q, k, v, mask):
    scores = q @ k.T / jnp.sqrt(q.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ v


def positions_below(length, size):
    return jnp.arange(size)[None, :] < length


@jax.jit
def block(x, length):
    mask = positions_below(length, x.shape[0])
    return attend(x, x, x, mask)


print(block(jnp.eye(5, 4), 3))
