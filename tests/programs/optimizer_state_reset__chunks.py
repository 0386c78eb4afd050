# expects: optimizer-state-reset at 24
# needs: optax
import jax
import jax.numpy as jnp
import optax

x = jnp.linspace(0.0, 1.0, 20)
y = 3.0 * x - 1.0
optimizer = optax.adam(optax.exponential_decay(1e-2, transition_steps=50, decay_rate=0.5))


def loss(params):
    return jnp.mean((params["w"] * x + params["b"] - y) ** 2)


@jax.jit
def step(params, opt_state):
    grads = jax.grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state


def solve(params, epochs):
    opt_state = optimizer.init(params)
    for _ in range(epochs):
        params, opt_state = step(params, opt_state)
    return params


params = {"w": jnp.zeros(()), "b": jnp.zeros(())}
for _ in range(5):
    params = solve(params, 40)
    print(loss(params))
