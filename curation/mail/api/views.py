"""HTTP of a person's own address."""

from __future__ import annotations

from curation.core.api.operations import command, query
from curation.core.api.throttles import LinkTries
from curation.core.api.views import OperationView
from curation.core.operations import Entry
from curation.mail import queries, services
from curation.mail.api import serializers as s
from curation.people.rules import MEMBERS


class MailboxView(OperationView):
    """The person's own address."""

    get = query("mail_show", queries.mailbox_answer, MEMBERS, entry=Entry.SIGNED_IN, by_token=False, shows="mail")
    patch = command(
        "digest_set",
        services.set_digest,
        s.DigestInput,
        MEMBERS,
        then=queries.updated_mailbox,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="mail",
    )


class AddressView(OperationView):
    """Naming an address, and removing it."""

    post = command(
        "address_set",
        services.set_address,
        s.AddressInput,
        MEMBERS,
        then=queries.updated_mailbox,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="mail",
    )


class AddressRemoveView(OperationView):
    """Removing one's address."""

    post = command(
        "address_remove",
        services.remove_address,
        s.NoInput,
        MEMBERS,
        then=queries.updated_mailbox,
        entry=Entry.SIGNED_IN,
        by_token=False,
        changes="mail",
    )


class AddressConfirmView(OperationView):
    """Verifying an address by the link that was sent to it."""

    throttle_classes = (LinkTries,)

    post = command(
        "address_confirm",
        services.confirm_address,
        s.MailLinkInput,
        {},
        then=queries.confirmed_address,
        entry=Entry.LINK,
        by_token=False,
        changes="mail",
    )


class MailStopView(OperationView):
    """Ending the mails about notifications by the link in one."""

    throttle_classes = (LinkTries,)

    post = command(
        "mail_stop", services.stop_mails, s.MailLinkInput, {}, entry=Entry.LINK, by_token=False, changes="mail"
    )
