"""Uses Python's own function, which looks at one number after another."""


def warmest(degrees):
    return max(degrees)
