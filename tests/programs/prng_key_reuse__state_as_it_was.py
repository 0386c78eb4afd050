# expects: prng-key-reuse at 8
import jax

jax.config.update("jax_debug_key_reuse", True)


def draw(state):
    return state, jax.random.uniform(state)


state, first = draw(jax.random.key(0))
state, second = draw(state)
print(first, second)
