# expects: host-buffer-reused at 11
import jax
import jax.numpy as jnp
import numpy as np

batch = np.empty((4, 32), dtype=np.float32)
device = jax.devices()[0]
kept = {}
for day in range(6):
    np.copyto(batch, day)
    kept[day] = jax.device_put(batch, device)
print(sum(jnp.mean(x) for x in kept.values()))
