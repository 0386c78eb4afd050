# expects: vmap-non-array at 16
import jax
import jax.numpy as jnp


def leap(state, push, world):
    place, speed = state
    speed = speed + world["dt"] * (push - world["drag"] * speed)
    return place + world["dt"] * speed, speed


world = {"dt": jnp.array(0.1), "drag": jnp.array(0.2)}
state = (jnp.zeros(5), jnp.ones(5))
pushes = jnp.linspace(0.0, 1.0, 5)

leaps = jax.vmap(leap)
print(leaps(state, pushes, world)[0])
