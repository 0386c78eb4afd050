# expects: optimizer-state-reset at 26
# needs: optax
import jax
import jax.numpy as jnp
import optax

x = jnp.linspace(0.0, 1.0, 20)


class Fit:
    def __init__(self, params):
        self.params = params
        self.tx = optax.adam(optax.cosine_decay_schedule(0.1, 60))

        @jax.jit
        def step(params, opt_state):
            grads = jax.grad(lambda p: jnp.mean((p["slope"] * x + p["shift"] - 3.0 * x) ** 2))(
                params
            )
            updates, opt_state = self.tx.update(grads, opt_state)
            return optax.apply_updates(params, updates), opt_state

        self.step = step

    def run(self, steps):
        opt_state = self.tx.init(self.params)
        for _ in range(steps):
            self.params, opt_state = self.step(self.params, opt_state)


fit = Fit({"slope": jnp.array([0.1, 0.2]).mean(), "shift": jnp.array([0.5, 0.4]).mean()})
for part in range(6):
    fit.run(10)
    print(part, fit.params["slope"])
