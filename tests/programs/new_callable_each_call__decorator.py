# expects: new-callable-each-call at 6
import jax


def train(x):
    @jax.jit
    def step(v):
        return v * 0.5

    return step(x)


for _ in range(4):
    train(1.0)
