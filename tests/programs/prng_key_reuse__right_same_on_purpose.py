# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def policy(params, key, state):
    return params * state + 0.1 * jax.random.normal(key, state.shape)


@jax.jit
def update(online, target, key, state):
    # Both networks see the same noise, and the gradient repeats the draw.
    wanted = policy(target, key, state)
    loss = jax.checkpoint(lambda p: jnp.mean((policy(p, key, state) - wanted) ** 2))
    return online - 0.1 * jax.grad(loss)(online)


class Experiment:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def run(self, rate):
        weight = 0.0
        for _ in range(3):
            self.key, sub = jax.random.split(self.key)
            weight += rate * jax.random.normal(sub)
        return weight


online = target = jnp.ones(3)
key = jax.random.key(0)
for n in range(4):
    online = update(online, target, jax.random.fold_in(key, n), jnp.ones(3))
print(online.shape, [Experiment(1).run(rate) > 0 for rate in (0.1, 0.2, 0.3)])
