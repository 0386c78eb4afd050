# expects: differences-below-precision at 7
import jax
import jax.numpy as jnp


def to_half(batch):
    return jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), batch)


@jax.jit
def embed(table, batch):
    rows = table[batch["tokens"].astype(int)]
    return (rows * batch["weights"][..., None]).sum(1)


table = jax.random.normal(jax.random.key(0), (1000, 8)).astype(jnp.bfloat16)
tokens = jax.random.randint(jax.random.key(1), (4, 12), 300, 1000)
batch = to_half({"tokens": tokens, "weights": jnp.ones((4, 12))})
print(embed(table, batch).shape)
