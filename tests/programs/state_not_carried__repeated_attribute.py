# expects: state-not-carried at 28
import jax
import jax.numpy as jnp


@jax.jit
def filtered(position, belief, measured):
    gain = belief["variance"] / (belief["variance"] + 0.1)
    after = {
        "mean": belief["mean"] + gain * (measured - belief["mean"]),
        "variance": (1 - gain) * belief["variance"],
    }
    return (position + 0.1 * after["mean"], after), jnp.abs(measured - after["mean"])


class Tracker:
    def __init__(self):
        self.position = jnp.zeros(2)
        self.belief = {"mean": jnp.zeros(2), "variance": jnp.ones(2)}

    def follow(self, measured):
        (self.position, belief), error = self.compute(measured)
        return error

    def compute(self, measured):
        # The belief of the last measurement is lost.
        # So each one starts from the prior.
        return filtered(self.position, self.belief, measured)


tracker = Tracker()
print([tracker.follow(jnp.array([1.0 + n, 2.0])) for n in range(4)], tracker.belief)
