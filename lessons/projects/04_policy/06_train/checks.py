"""Checks for the training."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Uses

STATIC = ("updates", "n", "length")
UPDATES, N, LENGTH = 40, 32, 100
LEAST = 80
"""The least mean number of steps at the end of UPDATES updates; 12 keys reached 95 or more."""


def in_two(answer):
    """Return parameters and steps; raise TypeError where the answer is not a pair."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("train returns two things, (params, steps)")
    return answer


def subject(module):
    """Train, and return what holds for every key."""

    def facts(key, updates, n, length):
        params, steps = in_two(module.train(key, updates, n, length))
        return {"steps": jnp.shape(steps)[0], "tables": len(jax.tree.leaves(params))}

    @functools.cache
    def run():
        """Return the steps of a short training, and those of episodes with its last parameters."""

        def both(key):
            params, steps = in_two(module.train(key, UPDATES, N, LENGTH))
            policy = functools.partial(module.sample, params)
            alive = module.play(policy, jax.random.key(8), 100, LENGTH)[2]
            return params, steps, alive.sum(axis=1).mean()

        return jax.tree.map(np.asarray, jax.jit(both)(jax.random.key(1)))

    facts.run = run
    facts.observed = functools.cache(lambda: observe(module, jax.random.key(5)))
    facts.observed_again = functools.cache(lambda: observe(module, jax.random.key(6)))
    return facts


EXAMPLES = [
    Call(jax.random.key(0), 2, 3, 4).gives({"steps": 2, "tables": 8}),
    Call(jax.random.key(1), 3, 2, 5).gives({"steps": 3, "tables": 8}),
]

WATCHED = 20
"""Updates whose parts are looked at."""
STALE, OTHER_RETURNS = 1e6, 1e4
"""What a fault adds to the sum that `observe` returns; the squares of 1 to 20 make 2870."""


def observe(module, key):
    """Return a sum that shows what train passes to its parts, the steps, and a key used twice.

    The parts are replaced, so that nothing has to be trained. The only parameter holds the sum. The
    policy chooses it as its action, so that the loss sees with which parameters was played.
    """

    def play(policy, key, n, length):
        action = policy(key, jnp.zeros(4))
        alive = jax.random.bernoulli(key, 0.5, (n, length))
        return jnp.zeros((n, length, 4)), jnp.full((n, length), action), alive

    def loss(params, states, actions, alive, returns):
        total, later = jax.lax.stop_gradient(params["p"]), 0.0
        expected = []
        for step in reversed(range(alive.shape[1])):
            later = 0.02 * alive[:, step] + 0.98 * later
            expected.insert(0, later)
        stale = jnp.abs(actions - total).max() > 0.5
        other = jnp.abs(returns - jnp.stack(expected, axis=1)).max() > 1e-4
        return params["p"] * (STALE * stale + OTHER_RETURNS * other)

    def adam_update(grads, state, params, count):
        state = state + count**2 + grads["p"]
        return {"p": state}, state

    functions = {"play": play, "loss": loss, "adam_update": adam_update}
    functions["init"] = lambda key: {"p": 0 * jax.random.uniform(key)}
    functions["sample"] = lambda params, key, state: params["p"]
    functions["adam_init"] = lambda params: jnp.float32(0)
    own = {name: getattr(module, name) for name in functions}
    train = getattr(module.train, "__wrapped__", module.train)
    try:
        for name, function in functions.items():
            setattr(module, name, function)
        run = jax.jit(lambda key: train(key, WATCHED, 4, 8))
        params, steps = in_two(run(key))
        reused = key_reuse(run)
    finally:
        for name, function in own.items():
            setattr(module, name, function)
    return float(params["p"]), np.asarray(steps), reused


def key_reuse(run):
    """Return what the guard of jax says, or None.

    It takes the keys of a scan under `vmap` for used, so it cannot look at real episodes. It also
    takes `keys[i]` in a loop for the same key in all rounds; `chance` looks at that.
    """
    try:
        with jax.debug_key_reuse(True):
            run(jax.random.key(7))
    except jax.errors.KeyReuseError as error:
        said = str(error).splitlines()[0]
        return None if "repeatedly" in said else said
    return None


def keys_once(facts):
    """Return whether the parameters and the episodes use a key twice."""
    return facts.observed()[2]


def finite(facts):
    """Return whether a parameter is not finite after a short training."""
    params, _, _ = facts.run()
    if all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(params)):
        return None
    return "a parameter is NaN or infinite after the training"


def chance(facts):
    """Return whether different keys play the same episodes, or the updates of one key do."""
    _, steps, _ = facts.observed()
    if len(set(steps.tolist())) <= 5:
        return "all updates play with the same keys"
    same = np.array_equal(steps, facts.observed_again()[1])
    return "different keys play the same episodes" if same else None


def count_steps(facts):
    """Return what is wrong with the steps of each update."""
    _, steps, _ = facts.observed()
    if 2.5 < steps.mean() < 6.5:  # also if chance is the same in all updates
        return None
    return f"of 8 steps, 4 count on average; the answer says {steps.mean():.2f}"


def current(facts):
    """Return whether an update plays with other parameters than its own."""
    total, _, _ = facts.observed()
    return "the policy has other parameters than the loss" if total >= STALE else None


def right_returns(facts):
    """Return whether the loss gets other returns than those of the episodes."""
    total, _, _ = facts.observed()
    if total % STALE < OTHER_RETURNS:
        return None
    return "the returns are not the discounted sums of `1 - DISCOUNT` for each step that counts"


def carried(facts):
    """Return what is wrong with the state and the numbers that Adam gets."""
    total, _, _ = facts.observed()
    if total == WATCHED**2:
        return "what Adam remembers is lost between two updates"
    if total in (0, sum(i**2 for i in range(1, WATCHED + 1))):
        return None  # 0: these are the first parameters, which `last` finds
    return "the numbers of the updates are not 1, 2, 3 and so on"


def learns(facts):
    """Return how many steps the pole is balanced at the beginning and at the end."""
    _, steps, _ = facts.run()
    if not 14 < steps[0] < 34:
        return f"the first update has {steps[0]:.0f} steps on average; by chance there are about 22"
    reached = steps[-5:].mean()
    if reached > LEAST:
        return None
    return f"after {UPDATES} updates the pole is balanced for {reached:.0f} steps, not {LEAST}"


def last(facts):
    """Return how many steps the pole is balanced with the parameters of the answer."""
    _, _, reached = facts.run()
    if reached > LEAST:
        return None
    return f"with the parameters that train returns, the pole is balanced for {reached:.0f} steps"


PROPERTIES = [
    Uses([Call(jax.random.key(0), 3, 2, 4)], ("scan", "while"), says="The updates are one loop."),
    SameSize(
        [Call(jax.random.key(0), 3, 2, 4), Call(jax.random.key(0), 30, 2, 4)],
        says="Thirty updates take no more equations than three.",
    ),
    Custom("keys", "No random key is used twice.", keys_once),
    Custom("finite", "All parameters stay finite.", finite),
    Custom("steps", "The steps of an update are the mean number of those that count.", count_steps),
    Custom("chance", "Each update plays with keys of its own.", chance),
    Custom("current", "Each update plays with its own parameters.", current),
    Custom("returns", "The loss gets the returns of the episodes.", right_returns),
    Custom("carried", "Each update goes on from what the one before left.", carried),
    Custom("learns", f"After {UPDATES} updates the pole stands for {LEAST} steps.", learns),
    Custom("last", "The parameters that it returns are the last ones.", last),
]
