# expects: check values
# says: Your stack of open spans is shared by all lines. What runs on another line at the same time is
#     not inside.
"""Opens the stack once for all lines."""

from collections import Counter


def busiest(profile, plane, n):
    own = Counter()
    open_spans = []
    for line in profile.find_plane_with_name(plane).lines:
        # Sorted like this, a span comes after the one that it lies in.
        for span in sorted(line.events, key=lambda span: (span.start_ns, -span.duration_ns)):
            while open_spans and open_spans[-1].end_ns <= span.start_ns:
                open_spans.pop()
            if open_spans:  # meanwhile the span around this one was not at work itself
                own[open_spans[-1].name] -= span.duration_ns
            own[span.name] += span.duration_ns
            open_spans.append(span)
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:n]
