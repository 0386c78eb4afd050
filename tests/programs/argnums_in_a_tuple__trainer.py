# expects: argnums-in-a-tuple at 10
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, loss, rate):
        self.rate = rate
        # One argument only.
        self.grad = jax.value_and_grad(loss, argnums=[1])

    def step(self, x, params):
        value, grads = self.grad(x, params)
        return value, jax.tree.map(self.move, params, grads)

    def move(self, param, grad):
        return param - self.rate * grad


def loss(x, params):
    return jnp.sum(params["scale"] * x)


print(Trainer(loss, 0.1).step(jnp.ones(2), {"scale": jnp.ones(2)}))
