"""Runs a worker process.

    python -m jaxtutor.worker OPTIONS

OPTIONS is an encoded `WorkerOptions`.
"""

from __future__ import annotations

from jaxtutor.worker import process_limits, serving

serving.serve_one(process_limits.take_options())
