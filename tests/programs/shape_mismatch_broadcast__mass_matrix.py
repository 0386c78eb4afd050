# expects: shape-mismatch-broadcast at 19
# needs: blackjax
import blackjax
import jax
import jax.numpy as jnp


class Chain:
    def __init__(self, target, start):
        self.target, self.start = target, start

    def run(self, key, steps):
        metric = jnp.ones(len(self.start))
        kernel = blackjax.nuts(self.target, 0.1, metric)
        state = kernel.init(self.start)
        step = jax.jit(kernel.step)
        drawn = []
        for k in jax.random.split(key, steps):
            state, _ = step(k, state)
            drawn.append(state.position["rate"])
        return drawn


start = {"rate": jnp.zeros(3), "level": jnp.zeros(())}
print(Chain(lambda p: -jnp.sum(p["rate"] ** 2) - p["level"] ** 2, start).run(jax.random.key(0), 3))
