# expects: scan-over-python-list at 19
import jax
import jax.numpy as jnp


def make_blocks(key, depth, width):
    keys = jax.random.split(key, depth)
    return [
        {"weight": jax.random.normal(k, (width, width)) / width, "bias": jnp.zeros(width)}
        for k in keys
    ]


def encode(blocks, tokens):
    def apply_block(hidden, block):
        update = jax.nn.gelu(hidden @ block["weight"] + block["bias"])
        return hidden + update, None

    return jax.lax.scan(apply_block, tokens, blocks)[0]


print(encode(make_blocks(jax.random.key(0), 3, 4), jnp.ones((2, 4))))
