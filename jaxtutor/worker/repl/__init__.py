"""Owns the worker behind the prompt: one process that keeps the learner's names."""
