# expects: matrix-beyond-precision at 13
import jax
import jax.numpy as jnp


def readings(key, n):
    pressure = 101.3 + 2.0 * jax.random.normal(key, (n,))
    strain = 3e-3 * jax.random.normal(jax.random.key(1), (n,))
    return jnp.stack([pressure, strain, jnp.ones(n)], axis=1), 0.02 * pressure + 80.0 * strain


design, response = readings(jax.random.key(0), 500)
fit, _, rank, _ = jnp.linalg.lstsq(design, response)
print([f"{float(c):.6f}" for c in fit], int(rank))
