# expects: scan-over-scalar at 11
import jax
import jax.numpy as jnp


def deepest(depths, unit):
    def compare(record, item):
        depth, factor = item
        return jnp.maximum(record, depth * factor), None

    return jax.lax.scan(compare, 0.0, (depths, unit))[0]


print(deepest(jnp.array([10.0, 42.0]), 0.5))
