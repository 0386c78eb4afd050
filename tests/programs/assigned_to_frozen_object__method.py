# expects: assigned-to-frozen-object at 15
# needs: flax
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Buffer:
    data: jax.Array
    size: int

    def add(self, row):
        index = self.size % self.data.shape[0]
        self.data = self.data.at[index].set(row)
        self.size += 1
        return self


buffer = Buffer(jnp.zeros((4, 2)), 0)
for n in range(3):
    buffer = buffer.add(jnp.full(2, float(n)))
print(buffer.size, buffer.data.sum())
