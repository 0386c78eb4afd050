# expects: prng-key-reuse at 20
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Block(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear
    dropout: eqx.nn.Dropout

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.first, self.second = eqx.nn.Linear(4, 8, key=a), eqx.nn.Linear(8, 8, key=b)
        self.dropout = eqx.nn.Dropout(0.5)

    def __call__(self, x, key):
        h = self.dropout(jax.nn.relu(self.first(x)), key=key)
        return self.dropout(jax.nn.relu(self.second(h)), key=key)


@eqx.filter_jit
def total(block, x, key):
    keys = jax.random.split(key, len(x))
    return jnp.sum(jax.vmap(block)(x, keys))


model_key, data_key, mask_key = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(data_key, (6, 4))
print(total(Block(model_key), x, mask_key))
