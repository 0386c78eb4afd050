# expects: check values
# says: You take a span away from all spans around it. It is missing only in the one that it lies in
#     directly: the others have lost it with that one.
"""Takes a span away from every open span."""

from collections import Counter


def busiest(profile, plane, n):
    own = Counter()
    for line in profile.find_plane_with_name(plane).lines:
        open_spans = []
        # Sorted like this, a span comes after the one that it lies in.
        for span in sorted(line.events, key=lambda span: (span.start_ns, -span.duration_ns)):
            while open_spans and open_spans[-1].end_ns <= span.start_ns:
                open_spans.pop()
            for around in open_spans:
                own[around.name] -= span.duration_ns
            own[span.name] += span.duration_ns
            open_spans.append(span)
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:n]
