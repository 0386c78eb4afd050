# expects: raised: RuntimeError
# Has a __getattr__ in the module that raises.


def __getattr__(name):
    raise RuntimeError(f'no {name}')
