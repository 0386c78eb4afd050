# expects: check values
# says: You count only the spans that have no other inside. A span with others inside has what they
#     leave over as its own time.
"""Counts the innermost spans alone."""

from collections import Counter


def busiest(profile, plane, n):
    own = Counter()
    for line in profile.find_plane_with_name(plane).lines:
        spans = list(line.events)
        for span in spans:
            inside = [s for s in spans if s is not span and span.start_ns <= s.start_ns and s.end_ns <= span.end_ns]
            if not inside:
                own[span.name] += span.duration_ns
    return own.most_common(n)
