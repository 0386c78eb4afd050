# expects: gradient-not-conjugated at 26
# needs: optax
import jax
import jax.numpy as jnp
import numpy as np
import optax

rng = np.random.default_rng(11)
signal = jnp.asarray(rng.normal(size=(20, 8)) + 1j * rng.normal(size=(20, 8)))
measured = jnp.abs(signal @ jnp.asarray(rng.normal(size=8) + 1j * rng.normal(size=8))) ** 2


def misfit(params):
    field = signal @ params["amplitudes"]
    return jnp.mean((jnp.abs(field) ** 2 - measured) ** 2) + params["offset"] ** 2


params = {
    "amplitudes": jnp.asarray(rng.normal(size=8) + 1j * rng.normal(size=8)),
    "offset": jnp.float32(0.5),
}
tx = optax.adam(3e-2)
opt_state = tx.init(params)
losses = []
for _ in range(30):
    value, grads = jax.value_and_grad(misfit)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    losses.append(float(value))
print(losses[0], losses[-1])
