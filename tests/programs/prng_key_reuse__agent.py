# expects: prng-key-reuse at 18
import jax
import jax.numpy as jnp


@jax.jit
def noisy_step(w, key):
    noise = 0.1 * jax.random.normal(key, w.shape)
    return w - 0.01 * (w + noise)


class Agent:
    def __init__(self, key):
        self.w = jnp.ones(3)
        self.key = key

    def update(self):
        self.w = noisy_step(self.w, self.key)
        return self.w

    def act(self):
        return jax.random.categorical(self.key, self.w)


agent = Agent(jax.random.PRNGKey(3))
for _ in range(10):
    agent.update()
print(agent.w)
