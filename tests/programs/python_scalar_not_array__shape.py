# expects: python-scalar-not-array at 3
def n_of(x):
    return x.shape[0]


def f(x):
    return n_of(x)


f(3)
