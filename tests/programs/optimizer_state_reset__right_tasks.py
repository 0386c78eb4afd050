# expects: nothing
# needs: optax
import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-2)


@jax.jit
def step(params, opt_state, x):
    grads = jax.grad(lambda p: jnp.mean((p - x) ** 2))(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state


def fit(params, x):
    opt_state = optimizer.init(params)
    for _ in range(20):
        params, opt_state = step(params, opt_state, x)
    return params


params = jnp.zeros(3)
for n in range(4):
    x = jax.random.normal(jax.random.key(n), (3,))
    params = fit(params, x)
best = min(float(jnp.sum(fit(params, jnp.ones(3)) ** 2)) for _ in range(2))
print(params, best)
