# expects: lifted-transform-without-size at 8
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp

options = {"variable_axes": {"params": 0}, "split_rngs": {"params": True}}
Members = nn.vmap(nn.Dense, in_axes=None, out_axes=0, **options)


@jax.jit
def spread(x):
    predictions, _ = Members(2).init_with_output(jax.random.key(3), x)
    return predictions.std(axis=0)


print(spread(jnp.ones((4, 3))))
