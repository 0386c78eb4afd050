# expects: gradients-not-cleared at 16
import jax
import jax.numpy as jnp


def loss_of(w, x, y):
    return jnp.mean((x @ w["slope"] + w["bias"] - y) ** 2)


class Trainer:
    def __init__(self, w):
        self.w = w
        self.grads = jax.tree.map(jnp.zeros_like, w)

    def backward(self, x, y):
        self.grads = jax.tree.map(jnp.add, self.grads, jax.grad(loss_of)(self.w, x, y))

    def step(self, rate):
        self.w = jax.tree.map(lambda p, g: p - rate * g, self.w, self.grads)


x = jax.random.normal(jax.random.key(0), (32, 3))
y = x @ jnp.array([1.0, -1.0, 2.0])
trainer = Trainer({"bias": jnp.zeros(1), "slope": jnp.zeros(3)})
for _ in range(10):
    trainer.backward(x, y)
    trainer.step(0.05)
print(trainer.w)
