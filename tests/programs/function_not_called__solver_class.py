# expects: function-not-called at 22
# needs: diffrax
import diffrax
import jax.numpy as jnp

SOLVERS = {"explicit": diffrax.Heun, "implicit": diffrax.Kvaerno5}


class Reactor:
    def __init__(self, rate):
        self.rate = rate

    def __call__(self, t, y, args):
        return -self.rate * y


def run(reactor, y0, method="explicit"):
    terms = diffrax.ODETerm(reactor)
    save = diffrax.SaveAt(t1=True)
    return diffrax.diffeqsolve(
        terms,
        SOLVERS[method],
        t0=0.0,
        t1=1.0,
        dt0=0.1,
        y0=y0,
        saveat=save,
    )


print(run(Reactor(2.0), jnp.ones(3)).ys)
