# expects: check values
# says: Your times are a millionth of the expected ones: the problem asks for nanoseconds.
"""Returns milliseconds."""

from collections import Counter


def busiest(profile, plane, n):
    own = Counter()
    for line in profile.find_plane_with_name(plane).lines:
        open_spans = []
        # Sorted like this, a span comes after the one that it lies in.
        for span in sorted(line.events, key=lambda span: (span.start_ns, -span.duration_ns)):
            while open_spans and open_spans[-1].end_ns <= span.start_ns:
                open_spans.pop()
            if open_spans:  # meanwhile the span around this one was not at work itself
                own[open_spans[-1].name] -= span.duration_ns
            own[span.name] += span.duration_ns
            open_spans.append(span)
    own = Counter({name: time / 1e6 for name, time in own.items()})
    return sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))[:n]
