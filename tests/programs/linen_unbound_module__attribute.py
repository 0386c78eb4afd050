# expects: linen-unbound-module at 18
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Matching(nn.Module):
    def setup(self):
        self.users = nn.Embed(6, 3)
        self.items = nn.Embed(9, 3)

    def __call__(self, user, item):
        return (self.users(user) * self.items(item)).sum(-1)


def best_items(model, variables, user):
    scores = model.items.embedding @ model.users.embedding[user]
    return jnp.argsort(-scores)[:3]


def main():
    model = Matching()
    ids = jnp.arange(4)
    variables = model.init(jax.random.key(0), ids, ids)
    print(best_items(model, variables, 2))


main()
