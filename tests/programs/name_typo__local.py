# expects: name-typo at 4
def f(x):
    result = x + 1
    return reslut


f(1)
