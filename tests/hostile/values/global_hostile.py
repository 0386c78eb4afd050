# expects: raised: TracerBoolConversionError
# Holds objects that raise for everything beside a mistake in the function.
class Odd:
    def __getattribute__(self, *rest):
        raise RuntimeError('leave me alone')

    def __repr__(self, *rest):
        raise RuntimeError('leave me alone')

    def __eq__(self, *rest):
        raise RuntimeError('leave me alone')

    def __hash__(self, *rest):
        raise RuntimeError('leave me alone')

    def __bool__(self, *rest):
        raise RuntimeError('leave me alone')

    def __len__(self, *rest):
        raise RuntimeError('leave me alone')

    def __iter__(self, *rest):
        raise RuntimeError('leave me alone')

    def __call__(self, *rest):
        raise RuntimeError('leave me alone')

    def __str__(self, *rest):
        raise RuntimeError('leave me alone')


odd = Odd()
safe = [Odd(), Odd()]


def safe_clip_positive(x):
    local = odd
    if x[0] < odd.limit if False else x[0] < 0:
        return local
    return safe[0] if odd is local else x
