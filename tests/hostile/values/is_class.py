# expects: raised: TypeError
# Is a class.


class safe_clip_positive:
    def __init__(self, x):
        self.x = x
