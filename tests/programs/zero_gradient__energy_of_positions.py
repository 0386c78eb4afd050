# expects: zero-gradient at 15
import jax
import jax.numpy as jnp


def potential(positions):
    """Return the energy of springs between neighbours."""
    return 0.5 * jnp.sum((positions[1:] - positions[:-1] - 1.0) ** 2)


def energy(positions, velocities, masses):
    """Return the energy of a chain."""
    springs = potential(positions)
    moving = 0.5 * jnp.sum(masses * velocities**2)
    total = moving + 0.5 * jnp.sum(masses * velocities**2)
    return total


@jax.jit
def update(state, masses):
    force = -jax.grad(energy)(state["x"], state["v"], masses)
    velocities = state["v"] + 0.1 * force / masses
    return {"x": state["x"] + 0.1 * velocities, "v": velocities}


chain = {"x": jnp.array([0.0, 1.5, 2.0]), "v": jnp.array([0.1, 0.0, -0.1])}
masses = jnp.ones(3)
for _ in range(4):
    chain = update(chain, masses)
print(chain["x"])
