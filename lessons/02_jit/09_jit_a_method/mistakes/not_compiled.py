# expects: check traces-once
# says: Your layer is traced again although the shapes are the same. Compile one function, once,
#     that receives everything it needs.
"""Compiles nothing."""


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return self.w @ x + self.b
