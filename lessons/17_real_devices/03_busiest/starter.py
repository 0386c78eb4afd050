"""Where the time of a step goes: the names in a profile that take longest themselves."""

from collections import Counter


def busiest(profile, plane, n):
    """Return the n names on this plane that take longest themselves, as (name, nanoseconds)."""
    own = Counter()
    for line in profile.find_plane_with_name(plane).lines:
        for span in line.events:
            # TODO: a span covers those that lie inside it, and their time is counted twice.
            own[span.name] += span.duration_ns
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:n]
