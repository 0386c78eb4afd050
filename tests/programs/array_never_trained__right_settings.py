# expects: nothing
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Oscillator(eqx.Module):
    weights: jax.Array
    damping: float
    step: float
    gain: jax.Array
    shift: float = 0.0

    def __init__(self, damping):
        self.weights = jnp.ones(3)
        self.damping = damping
        self.step = 0.05
        self.gain = jnp.array(1.0)

    def __call__(self, x):
        for _ in range(3):
            x = x - self.step * (self.gain * jnp.tanh(self.weights * x) + self.damping * x)
        return x + self.shift


@eqx.filter_jit
def fit(model, x):
    grads = eqx.filter_grad(lambda model: jnp.mean((model(x) - 0.5 * x) ** 2))(model)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))


model = Oscillator(0.1)
for _ in range(10):
    model = fit(model, jnp.array([1.0, 2.0, 3.0]))
print(model.weights)
