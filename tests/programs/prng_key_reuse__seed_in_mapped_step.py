# expects: prng-key-reuse at 8
import jax
import jax.numpy as jnp


@jax.jit
def act(values):
    explore_key, choice_key = jax.random.split(jax.random.PRNGKey(0))
    other = jax.random.randint(choice_key, (), 0, 4)
    explore = jax.random.bernoulli(explore_key, 0.5)
    return jnp.where(explore, other, jnp.argmax(values))


values = jax.random.uniform(jax.random.PRNGKey(1), (10, 4))
print(jax.vmap(act)(values))
