# expects: prng-key-reuse at 9
import jax
import jax.numpy as jnp


def reset(key):
    card_key, _ = jax.random.split(key)
    cards = jax.random.permutation(card_key, 12)
    return {"cards": cards, "turn": jnp.int32(0), "key": jax.random.key(0)}


def deal(game):
    key, sub = jax.random.split(game["key"])
    return {"cards": jax.random.permutation(sub, 12), "turn": game["turn"] + 1, "key": key}


@jax.jit
def play(keys):
    games = jax.vmap(reset)(keys)
    return jax.lax.scan(lambda g, _: (jax.vmap(deal)(g), g["cards"]), games, None, length=4)


games, dealt = play(jax.random.split(jax.random.key(5), 6))
print(games["turn"], len({tuple(c) for c in dealt[3].tolist()}), "different hands of 6")
