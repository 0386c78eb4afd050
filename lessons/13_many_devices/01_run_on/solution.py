"""Run on."""


def run_on(x):
    """Return x with every element doubled."""
    return 2 * x  # a Python number is weakly typed: x keeps its dtype
