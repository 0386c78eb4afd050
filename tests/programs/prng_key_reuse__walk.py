# expects: prng-key-reuse at 12
import jax


def move(place, key):
    return place + jax.random.normal(key, (2,))


key = jax.random.key(11)
place = 0.0
for _ in range(5):
    place = move(place, key)
