"""Grading of many submissions, and the gates of a lesson."""
