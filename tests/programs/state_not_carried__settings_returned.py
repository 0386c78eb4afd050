# expects: nothing
import jax
import jax.numpy as jnp


def averaged(means, x):
    return jax.tree.map(lambda m: 0.9 * m + 0.1 * jnp.mean(x, axis=0), means)


@jax.jit
def guarded(w, means, x):
    later = averaged(means, x)
    is_fine = jnp.all(jnp.isfinite(x))
    means = jax.tree.map(lambda new, old: jnp.where(is_fine, new, old), later, means)
    return w, means


@jax.jit
def evaluated(means, x):
    later = averaged(means, x)
    shift = sum(jnp.sum((a - b) ** 2) for a, b in zip(means.values(), later.values(), strict=True))
    return means, shift


def falls(carry, _):
    settings, height, speed = carry
    speed = speed - settings["gravity"] * settings["dt"] - settings["drag"] * speed
    height = height + speed * settings["dt"]
    return (settings, height, speed), height * settings["scale"]


@jax.jit
def planned(state, actions):
    def imagined(state, action):
        state = jax.tree.map(lambda s: s + action, state)
        return state, -(state["place"] ** 2) - state["speed"] ** 2

    _, rewards = jax.lax.scan(imagined, state, actions)
    return state, jnp.sum(rewards)


x = jax.random.normal(jax.random.key(0), (8, 2))
w, means = guarded(jnp.ones(2), {"low": jnp.zeros(2), "high": jnp.ones(2)}, x)
means, shift = evaluated(means, x)
settings = {"gravity": 9.8, "dt": 0.1, "drag": 0.2, "scale": 2.0}
(_, height, _), heights = jax.lax.scan(falls, (settings, 10.0, 0.0), None, length=5)
state, reward = planned({"place": 0.0, "speed": 1.0}, jnp.ones(3))
print(w, means, shift, height, heights, state, reward)
