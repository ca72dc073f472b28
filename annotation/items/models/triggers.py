"""Triggers of items and revisions: what holds whatever the services do."""

from __future__ import annotations

from typing import Final

import pgtrigger

# When a transaction ends, an accepted item of the peer track has a colleague's star on the accepted revision.
VOUCHED: Final = pgtrigger.Trigger(
    name="vouched",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("state", "accepted_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    timing=pgtrigger.Deferred,
    condition=pgtrigger.Q(new__track="peer", new__state="accepted"),
    func=(
        "if not exists (select from annotation_verdict v where v.item_id = new.id and v.revision_no = new.accepted_no "
        "and v.stage = 'peer' and v.outcome = 'star') then "
        "raise exception using errcode = 'restrict_violation', "
        "message = 'item ' || new.id || ': no star on revision ' || new.accepted_no; end if; return null;"
    ),
)

PICTURE_NOT_CLEAR: Final = "item_picture_clear"
PICTURE_CHANGED: Final = "item_revision_of_version"


def _refuse(constraint: str) -> str:
    return f"raise exception using errcode = 'check_violation', constraint = '{constraint}', message = '{constraint}';"


# When a transaction ends, all people of a judging have passed the accepted revision of an item of the panel track.
PASSED: Final = pgtrigger.Trigger(
    name="passed",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("state", "accepted_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    timing=pgtrigger.Deferred,
    condition=pgtrigger.Q(new__track="panel", new__state="accepted"),
    func=(
        "if not exists (select from annotation_judging j where j.item_id = new.id and j.revision_no = new.accepted_no "
        "and j.outcome = 'passed') then "
        "raise exception using errcode = 'restrict_violation', "
        "message = 'item ' || new.id || ': no panel passed revision ' || new.accepted_no; end if; return null;"
    ),
)


# Nothing is annotated before the tick. Teams work on what the contributor alone ticked, too.
_TICKED = "(i.pii_clear_by_id is not null or i.shared_at is not null and {track} = 'peer')"
ON_CLEAR_PICTURE: Final = pgtrigger.Trigger(
    name="picture_clear",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        f"perform from curation_image i where i.id = new.image_id and {_TICKED.format(track='new.track')} for share; "
        f"if not found then {_refuse(PICTURE_NOT_CLEAR)} end if; return new;"
    ),
)
ON_CURRENT_PICTURE: Final = pgtrigger.Trigger(
    name="picture_current",
    operation=pgtrigger.Insert,
    when=pgtrigger.Before,
    func=(
        "perform from annotation_item t join curation_image i on i.id = t.image_id where t.id = new.item_id "
        f"and i.redaction_no = new.picture_no and {_TICKED.format(track='t.track')}; "
        f"if not found then {_refuse(PICTURE_CHANGED)} end if; return new;"
    ),
)


# The people who worked on the other item of a double before the copy was made are kept from the copy. The lock waits
# for those who submit it at this moment.
COPY_MADE: Final = pgtrigger.Trigger(
    name="copy_made",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    condition=pgtrigger.Q(new__copy_no=1),
    func=(
        "perform from annotation_item o where o.image_id = new.image_id and o.kind = new.kind and o.slot = new.slot "
        "and o.copy_no = 0 for no key update; "
        "insert into annotation_doublehand (image_id, kind, slot, person_id, copy_no) "
        "select distinct o.image_id, o.kind, o.slot, r.author_id, 0 from annotation_item o "
        "join annotation_itemrevision r on r.item_id = o.id "
        "where o.image_id = new.image_id and o.kind = new.kind and o.slot = new.slot and o.copy_no = 0 "
        "on conflict do nothing; return null;"
    ),
)
# No one writes both items of a double, not even a correction: that would make their agreement worthless.
ONE_OF_DOUBLE: Final = pgtrigger.Trigger(
    name="one_of_double",
    operation=pgtrigger.Insert,
    when=pgtrigger.After,
    declare=[("mine", "record"), ("other", "smallint")],
    func=(
        "select i.image_id, i.kind, i.slot, i.copy_no into mine from annotation_item i where i.id = new.item_id "
        "and exists (select from annotation_item t where t.image_id = i.image_id and t.kind = i.kind "
        "and t.slot = i.slot and t.copy_no <> i.copy_no); "
        "if not found then return null; end if; "
        "insert into annotation_doublehand (image_id, kind, slot, person_id, copy_no) "
        "values (mine.image_id, mine.kind, mine.slot, new.author_id, mine.copy_no) on conflict do nothing; "
        "select h.copy_no into other from annotation_doublehand h where h.image_id = mine.image_id "
        "and h.kind = mine.kind and h.slot = mine.slot and h.person_id = new.author_id; "
        "if other <> mine.copy_no then raise exception using errcode = 'restrict_violation', "
        "message = 'copy_by_another_person: person ' || new.author_id || ' wrote the other item on picture ' || "
        "mine.image_id; end if; return null;"
    ),
)


# When a transaction ends, an accepted item of the pair track has a passed round on the accepted revision, or a person
# who inspects has judged it right.
CLICKED: Final = pgtrigger.Trigger(
    name="clicked",
    operation=pgtrigger.Insert | pgtrigger.UpdateOf("state", "accepted_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    timing=pgtrigger.Deferred,
    condition=pgtrigger.Q(new__track="pair", new__state="accepted"),
    func=(
        "if not exists (select from annotation_judging j where j.item_id = new.id and j.revision_no = new.accepted_no "
        "and j.outcome = 'passed') and not exists (select from annotation_verdict v where v.item_id = new.id "
        "and v.revision_no = new.accepted_no and v.stage = 'inspection' and v.outcome = 'right') then "
        "raise exception using errcode = 'restrict_violation', "
        "message = 'item ' || new.id || ': no one confirmed revision ' || new.accepted_no; end if; return null;"
    ),
)

# What rests on an item learns whether its base still holds, whatever statement changes the accepted revision.
BASE_MOVED: Final = pgtrigger.Trigger(
    name="base_moved",
    operation=pgtrigger.UpdateOf("accepted_no"),  # type: ignore[no-untyped-call]
    when=pgtrigger.After,
    condition=pgtrigger.Q(old__accepted_no__df=pgtrigger.F("new__accepted_no")),
    func=(
        "update annotation_itembase set current = (base_no is not distinct from new.accepted_no) "
        "where base_item_id = new.id and current <> (base_no is not distinct from new.accepted_no); return null;"
    ),
)
