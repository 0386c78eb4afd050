# expects: parameter-never-changes at 31
# needs: optax
import jax
import jax.numpy as jnp
import optax

times = jnp.linspace(0.0, 3.0, 30)
heights = 2.0 * jnp.exp(-0.7 * times)


def loss(params):
    return jnp.mean((params["height"] * jnp.exp(-params["decay"] * times) - heights) ** 2)


late = optax.join_schedules([optax.constant_schedule(0.0), optax.constant_schedule(0.05)], [5000])
tx = optax.multi_transform(
    {"now": optax.adam(0.05), "late": optax.adam(late)}, {"height": "now", "decay": "late"}
)
params = {"height": jnp.array([0.5, 0.6])[0], "decay": jnp.array(0.1)}
state = tx.init(params)


@jax.jit
def step(params, state):
    grads = jax.grad(loss)(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state


for _ in range(40):
    params, state = step(params, state)
