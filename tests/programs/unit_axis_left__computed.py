# expects: unit-axis-left at 11
# needs: optax
import jax
import jax.numpy as jnp
import optax


def evidence(rates, seen):
    # one number for each site
    log_rates = jnp.log(rates)
    return optax.losses.squared_error(jnp.expand_dims(log_rates, 0), seen).sum()


print(jax.value_and_grad(evidence)(jnp.array([1.0, 2.0]), jnp.array([0.0, 1.0])))
