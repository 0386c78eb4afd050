"""Runs the cells of the prompt in one process that keeps the learner's names."""
