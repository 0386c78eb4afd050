# expects: integer-overflow at 12
import jax
import jax.numpy as jnp
import numpy as np

orders = np.array([5_000_000_001, 5_000_000_002, 9_294_967_297], dtype=np.int64)
amounts = np.array([1.0, 2.0, 3.0], dtype=np.float32)


def load(ids, values):
    # The ids of the shop have more than 32 bits.
    return jnp.asarray(ids), jnp.asarray(values)


@jax.jit
def total_of(ids, values, wanted):
    return jnp.sum(jnp.where(ids == wanted, values, 0.0))


ids, values = load(orders, amounts)
print(total_of(ids, values, ids[0]))
