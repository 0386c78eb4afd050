# expects: prng-key-reuse at 20
import jax
import jax.numpy as jnp


def observe(key, place):
    return place + 0.1 * jax.random.normal(key, place.shape)


@jax.jit
def perturb(key, seen):
    return seen * (1.0 + 0.2 * jax.random.normal(key, seen.shape))


def experiment(key, place):
    begin = place
    for _ in range(2):
        begin = 0.5 * begin
    seen = observe(key, begin)
    return perturb(key, seen)


print(experiment(jax.random.key(3), jnp.arange(4.0)))
