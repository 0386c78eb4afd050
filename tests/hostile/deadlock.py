# expects: timed_out: still running after
# It waits for a lock that it holds.
import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
