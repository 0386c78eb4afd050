# expects: training-mode-in-evaluation at 51
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    layer: eqx.nn.Linear
    drop: eqx.nn.Dropout

    def __init__(self, key):
        self.layer = eqx.nn.Linear(2, 1, key=key)
        self.drop = eqx.nn.Dropout(0.5)

    def __call__(self, x, key):
        return self.layer(self.drop(x, key=key))[0]


def outputs(net, x, key):
    return jax.vmap(net)(x, jax.random.split(key, len(x)))


def distances(net, x, y, key):
    return jnp.abs(outputs(net, x, key) - y)


@eqx.filter_jit
def step(net, x, y, key):
    def squares(net):
        return jnp.mean((outputs(net, x, key) - y) ** 2)

    slopes = eqx.filter_grad(squares)(net)
    return eqx.apply_updates(net, jax.tree.map(lambda g: -0.1 * g, slopes))


@eqx.filter_jit
def evaluate(net, x, y, key):
    errors = distances(net, x, y, key)
    return errors.mean()


def main():
    first, second, third = jax.random.split(jax.random.key(0), 3)
    net, rate = Net(first), 3
    x = jax.random.normal(second, (8, 2))
    for number in range(rate):
        net = step(net, x, x.sum(axis=1), jax.random.fold_in(third, number))

    keys = jax.random.fold_in(third, rate)
    print(evaluate(net, x, x.sum(axis=1), keys) > 0)


main()
