"""Watches files, and schedules checks behind a session."""
