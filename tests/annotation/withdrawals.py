"""Withdrawing and restoring pictures, as far as their items are concerned."""

import uuid

from curation.images.models import Image, Takedown


def withdraw(image: Image, by) -> None:
    """Withdraw a picture; ``follow_pictures`` excludes its items."""
    no = Takedown.objects.filter(image=image).count() + 1
    Takedown.objects.create(image=image, no=no, by=by, state_from=image.state, reason="rights", client_key=uuid.uuid4())
    Image.objects.filter(pk=image.pk).update(state="withdrawn")


def restore(image: Image, by) -> None:
    """Restore a withdrawn picture; ``follow_pictures`` readmits its items."""
    no = Takedown.objects.filter(image=image).count() + 1
    Takedown.objects.create(image=image, no=no, restored=True, by=by, state_from="withdrawn", client_key=uuid.uuid4())
    Image.objects.filter(pk=image.pk).update(state="accepted")
