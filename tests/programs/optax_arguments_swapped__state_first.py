# expects: optax-arguments-swapped at 17
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(p, x):
    return ((x @ p) ** 2).mean()


params = jnp.ones(3)
opt = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-2))
opt_state = opt.init(params)
for _ in range(2):
    g = jax.grad(loss)(params, jnp.ones((4, 3)))
    updates, opt_state = opt.update(opt_state, g, params)
    params = optax.apply_updates(params, updates)
