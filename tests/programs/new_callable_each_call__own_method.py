# expects: new-callable-each-call at 20
import jax
import jax.numpy as jnp


class Channel:
    def __init__(self, depth, drag):
        self.depth = depth
        self.drag = drag

    def _advance(self, height, flow):
        flow = flow - 0.1 * (jnp.roll(height, -1) - height) - self.drag * flow
        return height - 0.1 * self.depth * (flow - jnp.roll(flow, 1)), flow

    def energy(self, height):
        return jnp.mean(height**2)

    def run(self, height, flow, rounds):
        for _ in range(rounds):
            height, flow = jax.jit(self._advance)(height, flow)
        return self.energy(height)


channel = Channel(0.5, 0.01)
for start in (1.0, 2.0):
    print(channel.run(start * jnp.sin(jnp.arange(6.0)), jnp.zeros(6), 3))
