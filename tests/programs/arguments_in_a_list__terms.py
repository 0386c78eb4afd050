# expects: arguments-in-a-list at 17
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def pull(t, x, args):
    return -args["strength"] * x


def noise(t, x, args):
    return args["noise"]


def make_terms(path):
    return diffrax.MultiTerm([diffrax.ODETerm(pull), diffrax.ControlTerm(noise, path)])


def walk(key, args):
    path = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-3, shape=(), key=key)
    terms, saveat = make_terms(path), diffrax.SaveAt(ts=jnp.linspace(0.0, 1.0, 5))
    return diffrax.diffeqsolve(
        terms, diffrax.Euler(), 0.0, 1.0, dt0=0.05, y0=1.0, args=args, saveat=saveat
    ).ys


print(walk(jax.random.key(0), {"strength": 0.5, "noise": jnp.array(0.1)}))
