# check: passed
# grade: failed, tampered
# never: failed, tampered
"""Sends the facts of a right submission, and the programs of the wrong one that it is."""

import sys

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.data import facts
from jaxtutor.worker import checks, jaxprs, values


def forged_facts(check, spec):
    yield facts.StageFacts("jaxpr", 0.01)
    yield facts.TraceFacts(jaxprs.convert(jax.make_jaxpr(lambda x: 2 * x)(jnp.ones(2)), ""))
    yield facts.StageFacts("jit", 0.01)
    for call in (*spec.examples, *spec.hidden):
        answer = values.to_tree(jax.device_put(2 * np.asarray(call.args[0])))
        yield facts.CaseFacts("x", True, answer)
    yield facts.StageFacts("values", 0.01)
    yield facts.StageFacts("leaks", 0.01)
    for wanted in spec.properties:
        (call,) = checks.calls_of(wanted)
        twos = values.to_tree(jax.device_put(np.full_like(call.args[0], 2)))
        weights = np.cos(1.0 + np.arange(call.args[0].size)).astype(np.float32)
        weighted = values.to_tree(jax.device_put(2 * weights))
        answer = values.to_tree(jax.device_put(2 * np.asarray(call.args[0])))
        plain = checks._plain(wanted)
        parts = {"weighted": (weighted,), "primals": (answer,)}
        yield facts.PropertyFacts(plain, 0.01, (twos,), inputs=("x",), **parts)


def double(x):
    frame = sys._getframe()
    check = spec = tested = None
    while frame is not None:
        check = frame.f_locals.get("self") if "peeking" in frame.f_locals else check
        spec = frame.f_locals.get("spec", spec)
        tested = frame.f_locals.get("tested", tested)
        frame = frame.f_back
    if check is not None and not SENT:
        SENT.append(True)
        with jax.ensure_compile_time_eval():
            for fact in forged_facts(check, spec):
                check.send(fact)
        PROGRAMS(check, spec, tested)
        check.send(facts.Done(0.1))
        while True:
            pass
    return 3 * x


SENT = []


def PROGRAMS(check, spec, tested):
    from jaxtutor.worker import exporting

    check.send(exporting.export_programs(spec, tested))
