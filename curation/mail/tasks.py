"""The Celery task of mail."""

from celery import shared_task

from curation.mail.services import send_mails


@shared_task(name="curation.send_mails")
def send_due_mails(**_: object) -> None:
    """Send the mails that are due."""
    send_mails()
