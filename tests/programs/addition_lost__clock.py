# expects: addition-lost at 10
import jax
import jax.numpy as jnp


@jax.jit
def simulate(start, dt):
    def step(_, state):
        time, x = state
        time += dt
        return time, x + dt * jnp.sin(x)

    return jax.lax.fori_loop(0, 40, step, (start, 1.0))


print(simulate(1.7e9, 0.5))
