# expects: schedule-for-transformation at 9
# needs: optax
import jax.numpy as jnp
import optax

def schedule(step):
    return 1e-2 * 0.99 ** step

tx = optax.chain(optax.clip(1.0), optax.adam(1.0), schedule)
state = tx.init(jnp.zeros(3))
