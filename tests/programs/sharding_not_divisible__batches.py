# expects: sharding-not-divisible at 17
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_num_cpu_devices", 2)


class Loader:
    def __init__(self, rows, size):
        self.rows, self.size = rows, size
        mesh = Mesh(np.array(jax.devices()), ("batch",))
        self.split = NamedSharding(mesh, P("batch"))

    def put(self, batch):
        return jax.tree.map(lambda part: jax.device_put(part, self.split), batch)

    def __iter__(self):
        for start in range(0, len(self.rows), self.size):
            rows = self.rows[start : start + self.size]
            yield self.put({"x": rows, "y": rows.sum(1)})


total = 0.0
for batch in Loader(np.ones((11, 3), np.float32), 4):
    total += jnp.sum(batch["x"]) - jnp.sum(batch["y"])
print(total)
