# expects: passed: checks pass
# It listens on a socket, in a thread and in a child, for ever.
import os
import socket
import threading

import jax.numpy as jnp

server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=server.accept, daemon=True).start()
if os.fork() == 0:
    os.setsid()
    server.accept()


def safe_clip_positive(x):
    return jnp.where(x < 0, 0, x)
