# expects: raised|failed: 
# It traces every line, in all threads, and its tracer raises in its own function.
import sys
import threading


def tracer(frame, event, arg):
    if frame.f_code.co_name == "safe_clip_positive":
        raise RuntimeError("traced")
    return tracer


sys.settrace(tracer)
threading.settrace(tracer)


def safe_clip_positive(x):
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
