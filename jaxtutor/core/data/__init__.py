"""Defines the data that the shell, the core and the worker exchange.

Everything here is frozen and can be sent over a pipe.
"""
