# expects: parameters-in-another-order at 16
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Interval:
    def __init__(self, low, high, unit):
        self.low, self.high, self.unit = low, high, unit

    def tree_flatten(self):
        return (self.low, self.high), {"unit": self.unit}

    # Builds the interval again.
    @classmethod
    def tree_unflatten(cls, children, aux_data):
        low, high = children
        return cls(low, high, aux_data["unit"])


@jax.jit
def width(interval):
    return interval.high - interval.low


print(width(Interval(jnp.array(1.0), jnp.array(3.0), "m")))
