# expects: crashed|raised|timed_out: 
# It recurses without an end in a thread with a small stack.
import sys
import threading

sys.setrecursionlimit(10**8)
threading.stack_size(64 * 1024)


def f(n):
    return f([n]) + sorted([n], key=f)[0]


thread = threading.Thread(target=f, args=(0,))
thread.start()
thread.join()
