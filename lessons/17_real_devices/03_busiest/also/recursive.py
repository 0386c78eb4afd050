"""Finds for each span the shortest one around it."""


def busiest(profile, plane, n):
    """Return the n names on this plane that take longest themselves, as (name, nanoseconds)."""
    own = {}
    for line in profile.find_plane_with_name(plane).lines:
        spans = [(it.start_ns, it.end_ns, it.name) for it in line.events]
        for place, (start, end, name) in enumerate(spans):
            own[name] = own.get(name, 0.0) + end - start
            around = [
                (stop - begin, other)
                for at, (begin, stop, other) in enumerate(spans)
                if at != place and begin <= start and end <= stop
            ]
            if around:
                own[min(around)[1]] = own.get(min(around)[1], 0.0) - (end - start)
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:n]
