# expects: grad-wrong-argnum at 24
# needs: optax
import jax
import jax.numpy as jnp
import optax


def heights(params, days):
    return params["rate"] * days + params["start"]


def mean_error(predicted, measured):
    return jnp.mean(jnp.abs(predicted - measured))


params = {"rate": jnp.array(1.0), "start": jnp.array(0.0)}
optimizer = optax.adam(1e-2)
state = optimizer.init(params)
days, measured = jnp.arange(5.0), jnp.array([2.0, 3.5, 5.0, 6.0, 8.0])

for _ in range(3):
    predicted = heights(params, days)
    # the predictions are numbers here, and nothing leads back to the parameters
    grads = jax.grad(mean_error)(predicted, measured)
    updates, state = optimizer.update(grads, state)
    params = optax.apply_updates(params, updates)
print(mean_error(heights(params, days), measured))
