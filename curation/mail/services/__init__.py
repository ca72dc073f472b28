"""Writes to addresses, and sending mail."""

from curation.mail.services.addresses import confirm_address, remove_address, set_address
from curation.mail.services.sending import send_mails

__all__ = ["confirm_address", "remove_address", "send_mails", "set_address"]
