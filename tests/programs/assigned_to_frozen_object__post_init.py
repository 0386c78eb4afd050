# expects: assigned-to-frozen-object at 14
# needs: flax
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Grid:
    size: int = struct.field(pytree_node=False)
    points: jax.Array = None

    def __post_init__(self):
        self.points = jnp.linspace(0.0, 1.0, self.size)


grid = Grid(5)
print(grid.points.sum())
