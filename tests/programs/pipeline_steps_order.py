# expects: pipeline-steps-order at 8
# needs: grain
import grain
import jax.numpy as jnp
import numpy as np

rows = [{"x": np.full(2, n, np.float32)} for n in range(8)]
batches = grain.MapDataset.source(rows).batch(4).shuffle(seed=1)
for batch in batches:
    print(jnp.mean(batch["x"]))
