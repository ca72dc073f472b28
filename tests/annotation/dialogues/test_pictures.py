"""Whose work shows a picture gets its file, by a role that does nothing else, too: who clicks, answers, questioned."""

import pytest

from annotation.tracks.access import holds_picture
from curation.core.errors import NotFound
from curation.images.access import rendition_for
from tests.annotation import pairs
from tests.annotation.talks import begun, dialogue_world, finished, talker

pytestmark = pytest.mark.django_db


def gets(who, image) -> bool:
    file = image.renditions.get(role="view")
    assert who.may(image.benchmark_id, "media_show")
    try:
        return rendition_for(who, image.pk, file.pk, "view", assigned=holds_picture) == file
    except NotFound:
        return False


def test_who_clicks_gets_the_picture_of_their_seat():
    item = pairs.written(pairs.pair_world())
    assert not gets(pairs.clicker(1), item.image)
    pairs.take(pairs.clicker(1))
    assert gets(pairs.clicker(1), item.image)
    assert not gets(pairs.clicker(2), item.image)


def test_who_answers_gets_the_picture_at_once_and_who_questions_at_the_end():
    dialogue_world()
    dialogue = begun()
    assert [gets(talker(n), dialogue.image) for n in (1, 2)] == [False, True]
    finished(dialogue)
    assert [gets(talker(n), dialogue.image) for n in (1, 2)] == [True, True]
