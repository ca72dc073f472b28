"""When a day's notifications are mailed."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

#: When the mail of a day is written, in its reader's zone.
DIGEST_HOUR: Final = time(8)
#: Older notifications are not mailed; a site whose workers were stopped for a weekend mails them on Monday.
MAILED_WITHIN: Final = timedelta(days=3)


def is_zone(name: str) -> bool:
    """Whether a name is a time zone of this machine."""
    return name in available_timezones()


def digest_due(now: datetime, zone: str) -> tuple[date, datetime] | None:
    """The day whose mail is due in a zone, and the moment up to which it lists notifications; None before eight.

    Args:
        now: The time, with a zone.
        zone: The reader's zone; an unknown one counts as UTC.
    """
    place = ZoneInfo(zone if is_zone(zone) else "UTC")
    day = now.astimezone(place).date()
    at = datetime.combine(day, DIGEST_HOUR, tzinfo=place)
    return (day, at) if at <= now else None
