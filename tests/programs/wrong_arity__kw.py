# expects: wrong-arity at 7
class Opt:
    def step(self, g):
        return g


Opt().step(grad=1.0)
