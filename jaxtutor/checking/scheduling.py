"""Predicts how well a lesson is remembered and when to review it, with the FSRS scheduler."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter

from jaxtutor.core.learning.reviews import Rating, Recall

LONGEST = 365
"""Days. No review is scheduled later than a year ahead."""


def forecast(lesson: str, seen: Iterable[tuple[datetime, Rating]], now: datetime) -> Recall:
    """Return when a lesson is due, given when it was seen and how well it was remembered.

    Lessons are spaced by days, so the scheduler's learning steps of minutes are switched off. Its
    random spread is too, so that repeated calls agree.
    """
    import fsrs  # takes 140 ms, which only this command needs to pay

    scheduler = fsrs.Scheduler(
        learning_steps=(), relearning_steps=(), maximum_interval=LONGEST, enable_fuzzing=False
    )
    ratings = {rating.name.lower(): rating for rating in fsrs.Rating}
    card = fsrs.Card(card_id=1)
    count = 0
    for when, rating in sorted(seen, key=itemgetter(0)):  # a clock may have been set back
        card, _ = scheduler.review_card(card, ratings[rating], when)
        count += 1
    chance = scheduler.get_card_retrievability(card, now)
    return Recall(lesson, card.due, round(chance, 4), count - 1)
