# expects: stack-for-last-entry at 11
import jax
import jax.numpy as jnp


@jax.jit
def classify(w, x):
    start = jnp.zeros((64, 32))

    def cell(h, row):
        return jnp.tanh(row @ w + h), jnp.tanh(row @ w + h)

    _, states = jax.lax.scan(cell, start, x)
    return jnp.argmax(states[-1], axis=-1)


x = jax.random.normal(jax.random.key(0), (2000, 64, 4))
print(classify(jnp.ones((4, 32)), x)[:3])
