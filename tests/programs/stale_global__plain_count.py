# expects: stale-global at 9
import jax
import jax.numpy as jnp


@jax.jit
def cool(energies):
    global calls
    calls = calls + 1
    temperature = 1.0 / jnp.log(calls)
    return jax.nn.softmax(-energies / temperature)


calls = 1
energies = jnp.arange(3.0)
for _ in range(5):
    weights = cool(energies)
print(weights)
