"""Grading without files or processes: names, rosters, points, copies, and tables for an LMS."""
