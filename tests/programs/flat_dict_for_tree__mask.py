# expects: flat-dict-for-tree at 11
# needs: flax optax
import flax.traverse_util as tu
import jax.numpy as jnp
import optax

weights = {"body": {"kernel": jnp.ones((2, 2)), "bias": jnp.ones(2)}, "head": {"kernel": jnp.ones(2)}}


def is_decayed(weights):
    return {path: not path.endswith("bias") for path in tu.flatten_dict(weights, sep="/")}


tx = optax.chain(optax.sgd(0.1), optax.masked(optax.add_decayed_weights(0.01), is_decayed))
memory = tx.init(weights)
print(tx.update(weights, memory, weights)[0]["head"])
