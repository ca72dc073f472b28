"""The demo's board: made once, in progress, and finished by whoever decides its last proposals."""

import uuid

import pytest

from curation.board import queries, services
from curation.board.models import Board, BoardEntry, BoardEvent
from curation.taxonomy.models import Category
from evaluation.management import demo_board
from tests.people import Role, person


@pytest.mark.django_db
def test_a_newcomer_decides_the_last_proposals_and_freezes_the_list():
    names = ("owner", "admin", "curator", "contributor", "annotator2")
    made = {name: person(name, None, *([Role.OWNER] if name == "owner" else [])) for name in names}
    for _ in range(2):  # the demo's data is made again at each start
        demo_board.fill(made)
    curator = made["curator"]
    shown = queries.board_page(curator, demo_board.SLUG)
    undecided = [entry for entry in shown["entries"] if entry["state"] == "proposed"]
    assert sorted(entry["name"]["en"] for entry in undecided) == ["dragon boat", "tangyuan", "zongzi"]
    assert (shown["agreement"]["proposers"], len(shown["entries"])) == (2, 10)
    assert BoardEvent.objects.exclude(action="propose").count() == 8
    assert BoardEvent.objects.filter(data__has_key="usual").count() == 3
    for entry in undecided:
        services.decide(
            actor=curator,
            entry_id=entry["id"],
            revision=entry["revision"],
            action="keep",
            client_key=uuid.uuid4(),
        )
    revision = Board.objects.get().revision
    services.freeze_board(actor=curator, benchmark_slug=demo_board.SLUG, revision=revision, client_key=uuid.uuid4())
    frozen = Category.objects.filter(benchmark__slug=demo_board.SLUG)
    assert frozen.count() == BoardEntry.objects.filter(state="kept").count() == 7
    assert frozen.get(slug="hot_pot").distance == "closest"
