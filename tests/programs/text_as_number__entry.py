# expects: text-as-number at 10
import json

import jax

settings = json.loads('{"members": "4", "width": 3}')


def members(key, settings):
    return jax.random.split(key, settings["members"])


print(members(jax.random.key(0), settings).shape)
