# expects: schedule-for-transformation at 11
# needs: optax
import jax
import jax.numpy as jnp
import optax


def make(name, peak, steps):
    cosine = optax.cosine_decay_schedule(peak, steps)
    if name == "adam":
        return optax.adam(learning_rate=optax.scale_by_schedule(cosine))
    return optax.sgd(cosine, momentum=0.9)


optimizer = make("adam", 0.1, 20)
weights = jnp.ones(3)
state = optimizer.init(weights)
updates, state = optimizer.update(jax.grad(jnp.sum)(weights), state)
print(updates)
