# expects: carry-returned-unchanged at 18
import jax
import jax.numpy as jnp


def drift(particles, dt):
    return {
        "place": particles["place"] + dt * particles["speed"],
        "speed": particles["speed"] - dt * particles["place"],
    }


def tick(carry, dt):
    particles, elapsed = carry
    moved = drift(particles, dt)
    energy = jnp.sum(particles["place"] ** 2 + particles["speed"] ** 2)
    report = {"energy": energy, "elapsed": elapsed}
    return (particles, elapsed + dt), report


particles = {"place": jnp.array([1.0, 2.0]), "speed": jnp.zeros(2)}
steps = jnp.full(10, 0.1)
(particles, elapsed), report = jax.jit(lambda p: jax.lax.scan(tick, (p, 0.0), steps))(particles)
print(particles, elapsed)
