# expects: nothing
import jax
import jax.numpy as jnp


@jax.custom_vjp
def root(a, guess):
    def improve(carry):
        x, _ = carry
        return 0.5 * (x + a / x), jnp.max(jnp.abs(x * x - a))

    start = (guess, jnp.array(jnp.inf, guess.dtype))
    return jax.lax.while_loop(lambda carry: carry[1] > 1e-6, improve, start)[0]


def root_fwd(a, guess):
    x = root(a, guess)
    return x, x


def root_bwd(x, g):
    return 0.5 * g / x, jnp.zeros_like(x)


root.defvjp(root_fwd, root_bwd)


def loss_of(params, x):
    a = jax.nn.softplus(x * params["w"]) + 0.5
    guess = jnp.exp(params["g"]) + 0.1 * a
    return jnp.sum(root(a, guess) ** 3)


params = {"w": jnp.array(0.5), "g": jnp.array(0.1)}
for _ in range(3):
    grads = jax.grad(loss_of)(params, jnp.array([0.4, 1.0]))
    params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
print(params["w"])
