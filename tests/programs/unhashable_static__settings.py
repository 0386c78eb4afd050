# expects: unhashable-static at 24
import dataclasses
import functools

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Solver:
    rounds: int = 3
    rate: float = 0.1


class Problem:
    @staticmethod
    @functools.partial(jax.jit, static_argnames="solver")
    def solve(x, solver):
        return jax.lax.fori_loop(0, solver.rounds, lambda i, x: x - solver.rate * jnp.sin(x), x)


def main():
    start = jnp.ones(3)
    return Problem.solve(start, solver=Solver(rounds=5))


print(main())
