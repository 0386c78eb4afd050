# expects: text-as-number at 9
import argparse

import jax
import jax.numpy as jnp


parser = argparse.ArgumentParser()
parser.add_argument("--hidden-size", default="16")
parser.add_argument("--seed", type=int, default=0)


class Config:
    def __init__(self, args):
        self.args = args
        self.key = jax.random.key(args.seed)

    def weights(self):
        args = self.args
        return jax.random.normal(self.key, (4, args.hidden_size)) * jnp.sqrt(0.5)


print(Config(parser.parse_args([])).weights().shape)
