# expects: prng-key-reuse at 25
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, seed):
        self.rng = jax.random.PRNGKey(seed)
        self.step = jax.jit(self._step)

    def start(self, size):
        first, self.rng = jax.random.split(self.rng)
        self.w = jax.random.normal(first, (size,))

    def _step(self, w, rng, x, y):
        def loss(w):
            kept = jax.random.bernoulli(rng, 0.8, x.shape)
            return jnp.mean(((x * kept) @ w - y) ** 2)

        value, slope = jax.value_and_grad(loss)(w)
        return w - 0.1 * slope, value

    def fit(self, x, y, rounds):
        for _ in range(rounds):
            self.w, value = self.step(self.w, self.rng, x, y)
        return value


trainer = Trainer(0)
x = jax.random.normal(jax.random.key(5), (20, 3))
trainer.start(3)
print(trainer.fit(x, x.sum(axis=1), 5))
