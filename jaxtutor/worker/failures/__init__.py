"""Describes an exception that the learner's code raised, as plain data; `failure` is the entry."""
