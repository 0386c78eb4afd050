"""Computes statistics of a learner's attempts: progress, activity, reviews."""
