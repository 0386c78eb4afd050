# expects: none-argument at 17
import jax
import jax.numpy as jnp


def block(w, x):
    return x + jnp.tanh(x @ w), jnp.abs(x).mean()


def scaled(x):
    return x / jnp.sqrt(jnp.sum(x**2))


def network(blocks, x, skip):
    for n, w in enumerate(blocks):
        if n in skip:
            out = (None, 0.0)
        else:
            out = block(w, scaled(x))
        x = out[0]
    return x


blocks = [jnp.eye(3)] * 4
print(jax.jit(network, static_argnames="skip")(blocks, jnp.ones(3), skip=()))
print(jax.jit(network, static_argnames="skip")(blocks, jnp.ones(3), skip=(1,)))
