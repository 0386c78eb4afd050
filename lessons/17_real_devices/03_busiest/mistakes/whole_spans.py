# expects: check values
# says: You add whole spans up. The time inside a loop is counted for its body, and once more for
#     the loop.
"""Does not take the inner spans away."""

from collections import Counter


def busiest(profile, plane, n):
    own = Counter()
    for line in profile.find_plane_with_name(plane).lines:
        open_spans = []
        # Sorted like this, a span comes after the one that it lies in.
        for span in sorted(line.events, key=lambda span: (span.start_ns, -span.duration_ns)):
            while open_spans and open_spans[-1].end_ns <= span.start_ns:
                open_spans.pop()
            own[span.name] += span.duration_ns
            open_spans.append(span)
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:n]
