# expects: wrong-arity at 16
# needs: optax
import jax
import jax.numpy as jnp
import optax


class Fit:
    def __init__(self):
        self.tx = optax.lbfgs()

    def run(self, w, steps):
        state = self.tx.init(w)
        for _ in range(steps):
            loss, grads = jax.value_and_grad(self.loss)(w)
            delta, state = self.tx.update(grads, state, w)
            w = optax.apply_updates(w, delta)
        return w

    def loss(self, w):
        return ((w - 1) ** 2).sum()


print(Fit().run(jnp.zeros(3), 3))
