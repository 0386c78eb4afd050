# expects: none-argument at 12
import jax.numpy as jnp


def centred(rows):
    return rows - jnp.mean(jnp.stack(rows), axis=0)


kept = []
for n in range(3):
    row = jnp.arange(2.0) + n
    rows = kept.append(row)
print(centred(rows))
