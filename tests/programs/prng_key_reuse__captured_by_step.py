# expects: prng-key-reuse at 20
import jax
import jax.numpy as jnp


class Langevin:
    """Moves particles by forces and by noise."""

    def __init__(self, temperature, seed):
        self.temperature = temperature
        self.key = jax.random.key(seed)
        self.move = jax.jit(self._move)

    def energy(self, x):
        return jnp.sum((x**2 - 1.0) ** 2)

    def _move(self, x, velocity):
        force = -jax.grad(self.energy)(x)
        kick = jnp.sqrt(2.0 * self.temperature * 0.01)
        noise = kick * jax.random.normal(self.key, x.shape)
        velocity = 0.9 * velocity + 0.01 * force + noise
        return x + 0.1 * velocity, velocity


system = Langevin(0.3, seed=2)
x = jnp.linspace(-1.5, 1.5, 12).reshape(4, 3)
velocity = jnp.zeros_like(x)
energies = []
for _ in range(40):
    x, velocity = system.move(x, velocity)
    energies.append(float(system.energy(x)))
print(energies[0], energies[-1])
