# expects: prng-key-reuse at 10
import jax

jax.config.update("jax_debug_key_reuse", True)


def draw(state):
    key, sub = jax.random.split(state)
    x = jax.random.uniform(sub)
    return sub, x


state = jax.random.key(0)
state, first = draw(state)
state, second = draw(state)
print(first, second)
