"""Asking models through the ledger; budgets and offers."""

from curation.calls.services.asking import ask_structured, ask_text
from curation.calls.services.ledger import CallRequest, mark_lost_calls, pay
from curation.calls.services.limits import is_due, postpone
from curation.calls.services.spending import add_offer, set_spending, withdraw_offer
from curation.calls.services.totals import check_call_totals

__all__ = [
    "CallRequest",
    "add_offer",
    "ask_structured",
    "ask_text",
    "check_call_totals",
    "is_due",
    "mark_lost_calls",
    "pay",
    "postpone",
    "set_spending",
    "withdraw_offer",
]
