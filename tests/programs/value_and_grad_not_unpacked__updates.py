# expects: value-and-grad-not-unpacked at 13
# needs: optax
import jax
import jax.numpy as jnp
import optax

tx = optax.chain(optax.clip(1.0), optax.adam(1e-2))


@jax.jit
def step(weights, memory):
    slope = jax.grad(lambda w: jnp.sum(w["w"] ** 2))(weights)
    change = tx.update(slope, memory, weights)
    return optax.apply_updates(weights, change), memory


weights = {"w": jnp.ones(3), "b": jnp.zeros(())}
print(step(weights, tx.init(weights)))
