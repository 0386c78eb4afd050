# expects: differences-below-precision at 14
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def period(days):
    return jnp.median(jnp.diff(days))


def load(path):
    days = np.linspace(2_459_000.5, 2_459_003.5, 200)
    return jnp.array(days), path


days, _ = load("night.csv")
print(period(days))
