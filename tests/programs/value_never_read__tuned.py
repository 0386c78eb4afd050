# expects: value-never-read at 26
import jax
import jax.numpy as jnp


def walker(rate):
    def walk(x, key):
        return x - rate * x + 0.1 * jax.random.normal(key)

    return walk


def find_rate(walk, x):
    rate = 0.01
    for seed in range(5):
        x = walk(x, jax.random.key(seed))
        rate = rate * 1.5
    return x, rate


def main():
    walk = walker(0.01)
    x = walk(jnp.float32(3.0), jax.random.key(9))
    x, rate = find_rate(walk, x)
    print(f"rate {rate:.2f}")
    tuned = walker(rate)
    for seed in range(10, 20):
        x = walk(x, jax.random.key(seed))
    print(x)


main()
