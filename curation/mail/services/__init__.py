"""Writes to addresses, and sending mail."""

from curation.mail.services.addresses import confirm_address, remove_address, set_address
from curation.mail.services.digests import plan_mails, set_digest, stop_mails
from curation.mail.services.sending import delete_ended_mails, send_mails

__all__ = [
    "confirm_address",
    "delete_ended_mails",
    "plan_mails",
    "remove_address",
    "send_mails",
    "set_address",
    "set_digest",
    "stop_mails",
]
