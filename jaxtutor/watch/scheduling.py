"""Predicts how well a lesson or a cause is remembered, and when to review it, with FSRS."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from operator import itemgetter

from jaxtutor.core.learning.drills import CauseRecord
from jaxtutor.core.learning.reviews import Rating, Recall

LONGEST = 365
"""Days. No review is scheduled later than a year ahead."""


def forecast(slug: str, seen: Iterable[tuple[datetime, Rating]], now: datetime) -> Recall:
    """Return when a lesson or cause is due, given when it was seen and how well it was remembered.

    They are spaced by days, so the scheduler's learning steps of minutes are switched off. Its
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
    return Recall(slug, card.due, round(chance, 4), count - 1)


def forecast_causes(records: Iterable[CauseRecord], now: datetime) -> list[Recall]:
    """Return when each cause is due for a drill; one that was met and never drilled is due."""
    return [_forecast_cause(record, now) for record in records]


def _forecast_cause(record: CauseRecord, now: datetime) -> Recall:
    found = forecast(record.cause, record.seen, now)
    reviews = len(record.drilled)
    due = found.due if reviews else record.met[-1]
    return Recall(record.cause, due, found.chance, reviews)
