# expects: flat-dict-for-tree at 10
# needs: flax optax
import jax.numpy as jnp
import optax
from flax.traverse_util import flatten_dict

weights = {"table": {"rows": jnp.ones(3)}, "top": {"kernel": jnp.ones(2), "bias": jnp.ones(1)}}
groups = {path: "slow" if path[0] == "table" else "fast" for path in flatten_dict(weights)}
parts = {"slow": optax.sgd(0.01), "fast": optax.sgd(0.1)}
tx = optax.multi_transform(parts, groups)
memory = tx.init(weights)
print(tx.update(weights, memory)[0]["top"])
