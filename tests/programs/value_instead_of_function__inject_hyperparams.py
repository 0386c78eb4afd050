# expects: value-instead-of-function at 10
# needs: optax
import jax
import jax.numpy as jnp
import optax


def tuned(rate):
    inner = optax.linear_schedule(rate, 0.0, 50)
    return optax.inject_hyperparams(optax.sgd(inner, momentum=0.9))


weights = jnp.arange(3.0)
optimizer = tuned(0.1)
state = optimizer.init(weights)
steps, state = optimizer.update(jax.grad(lambda w: jnp.sum(w**2))(weights), state)
print(state.hyperparams["learning_rate"], steps)
