# expects: none-argument at 17
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def oscillator(t, y, args):
    stiffness, damping = args
    place, speed = y
    return jnp.stack([speed, -stiffness * place - damping * speed])


@jax.grad
def final_place(parameters):
    term = diffrax.ODETerm(oscillator)
    solution = diffrax.diffeqsolve(term, diffrax.Heun(), 0.0, 1.0, 0.1, jnp.array([1.0, 0.0]))
    return solution.ys[-1, 0] * parameters[0]


print(final_place((2.0, 0.1)))
