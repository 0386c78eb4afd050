# expects: lax-dtypes-differ at 9
import jax
import jax.numpy as jnp
from jax import lax


def record(history, item):
    step, value = item
    return lax.dynamic_update_slice(history, value[None], (step,)), value


history = jnp.zeros(4, jnp.bfloat16)
print(lax.scan(record, history, (jnp.arange(4), jnp.linspace(0.0, 1.0, 4)))[0])
