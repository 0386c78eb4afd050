# expects: value-instead-of-function at 10
import jax
import jax.numpy as jnp


def equation_of_motion(lagrangian, state, t=None):
    q, q_t, q_tt = jnp.split(state, 3)
    tau = (
        (jax.hessian(lagrangian, 1)(q, q_t, q_tt)) @ q_tt
        + (jax.jacobian(jax.jacobian(lagrangian, 1)(q, q_t, q_tt), 0)(q, q_t, q_tt)) @ q_t
        - jax.grad(lagrangian, 0)(q, q_t, q_tt)
    )
    return jnp.array([tau])


def lagrangian(q, q_t, q_tt):
    assert q.shape == (1,)
    return jnp.sum(q_t**2 - q**2)


x1 = jnp.array([-0.014481014, -0.006125233, -0.11634781])
equation_of_motion(lagrangian, x1)
