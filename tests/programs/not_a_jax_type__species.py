# expects: not-a-jax-type at 19
import jax
import jax.numpy as jnp

CHARGES = {"Na": 1.0, "Cl": -1.0}


def energy(cell):
    charges = jnp.array([CHARGES[name] for name in cell["species"]])
    r = cell["position"]
    distance = jnp.sqrt(jnp.sum((r[:, None] - r[None]) ** 2, -1) + jnp.eye(len(r)))
    pairs = charges[:, None] * charges[None] / distance
    return jnp.sum(jnp.triu(pairs, 1))


def relax(cell, rate, rounds):
    position = cell["position"]
    for _ in range(rounds):
        forces = jax.grad(energy)({**cell, "position": position})
        position = position - rate * forces["position"]
    return position


cell = {"species": ("Na", "Cl"), "position": jnp.array([[0.0, 0.0], [1.5, 0.2]])}
print(relax(cell, 0.1, 2))
