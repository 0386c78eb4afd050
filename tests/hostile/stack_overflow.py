# expects: crashed|raised: 
# It lifts the limit of recursion, and recurses through C until the stack is used up.
# or: timed_out: still running after
import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr([self])


repr(Deep())


def f(n):
    return f(n + 1)


f(0)
