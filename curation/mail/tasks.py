"""The Celery task of mail."""

from celery import shared_task

from curation.mail.services import delete_ended_mails, send_mails


@shared_task(name="curation.send_mails")
def send_due_mails(**_: object) -> None:
    """Send the mails that are due."""
    send_mails()


@shared_task(name="curation.sweep_mails")
def sweep_mails(**_: object) -> None:
    """Delete the rows of mails that ended long ago."""
    delete_ended_mails()
