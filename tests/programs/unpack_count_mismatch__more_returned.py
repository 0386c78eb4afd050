# expects: unpack-count-mismatch at 26
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, rate):
        self.rate = rate

    def loss(self, params, x, y):
        return jnp.mean((x @ params - y) ** 2)

    def step(self, params, momentum, x, y):
        loss, grads = jax.value_and_grad(self.loss)(params, x, y)
        momentum = 0.9 * momentum + grads
        params = params - self.rate * momentum
        return params, momentum, loss


def main():
    trainer = Trainer(0.1)
    step = jax.jit(trainer.step)
    x, y = jnp.ones((8, 3)), jnp.ones(8)
    params, momentum = jnp.zeros(3), jnp.zeros(3)
    for _ in range(3):
        params, momentum = trainer.step(params, momentum, x, y)
    print(params, step)


main()
