# expects: crashed|raised|failed: 
# It takes away what Python itself is made of.
import builtins

for name in ("len", "isinstance", "print", "open", "getattr", "type", "__import__"):
    setattr(builtins, name, None)


def safe_clip_positive(x):
    return x
