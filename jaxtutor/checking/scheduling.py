"""Owns the forecast of memory: when a lesson is due again, by the FSRS scheduler."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter

from jaxtutor.core.learning.reviews import Rating, Recall

LONGEST = 365
"""Days after which anything is looked at again."""


def forecast(lesson: str, seen: Iterable[tuple[datetime, Rating]], now: datetime) -> Recall:
    """Tell when a lesson is due, from when it was seen and how well it was known each time.

    Days are what lessons are spaced by, so the scheduler's steps of minutes are left out, and so
    is its random spread: the answer is the same whenever it is asked for.
    """
    import fsrs  # 140 ms, which only this command need pay

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
