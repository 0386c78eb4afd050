# expects: loop-carry-structure-mismatch at 14
import jax
import jax.numpy as jnp


class Leapfrog:
    def advance(self, state, force):
        position, velocity = state
        velocity = velocity + 0.1 * force
        return position + 0.1 * velocity, velocity

    def body(self, state, force):
        position, velocity = self.advance(state, force)
        return position, velocity**2

    def run(self, forces):
        start = (jnp.zeros(2), jnp.ones(2))
        return jax.lax.scan(self.body, start, forces)


print(Leapfrog().run(jnp.ones((5, 2)))[1].shape)
