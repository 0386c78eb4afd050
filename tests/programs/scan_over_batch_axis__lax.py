# expects: scan-over-batch-axis at 15
import jax
import jax.numpy as jnp


@jax.jit
def encode(params, texts):
    def cell(hidden, x):
        both = jnp.concatenate([hidden, x], axis=-1)
        hidden = jnp.tanh(both @ params["w"])
        return hidden, hidden

    batch = texts.shape[0]
    start = jnp.zeros((batch, 4))
    last, hidden = jax.lax.scan(cell, start, texts)
    return last


params = {"w": jnp.ones((7, 4)) * 0.1}
print(encode(params, jnp.ones((6, 10, 3))).shape)
