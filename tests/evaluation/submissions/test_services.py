"""Submitting predictions: what is stored, scored and rejected, how often, and who lists it."""

import json
import time
import uuid
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.releases.errors import ReleaseWithdrawn
from annotation.releases.models import Release
from curation.core.errors import (
    ActionNotAllowed,
    ClientKeyReused,
    NotFound,
    OperationNotAllowed,
    StorageUnavailable,
)
from curation.core.models import AuditEvent, Job
from curation.core.stores import Folder
from curation.people.models import Notice
from evaluation.scoring.queries import entries
from evaluation.submissions import queries, services
from evaluation.submissions.access import Submitter
from evaluation.submissions.errors import (
    ReleaseNotScorable,
    SubmissionEmpty,
    SubmissionFileNotKept,
    SubmissionHidden,
    SubmissionLimit,
    SubmissionProfileUnsuited,
    SubmissionRefusedLimit,
    SubmissionStorageLimit,
    SubmissionTooLarge,
    SubmissionTotalLimit,
)
from evaluation.submissions.models import Submission
from evaluation.submissions.tasks import score_submission
from tests.evaluation.accepted import accepted_item, frozen_release, protocol, set_of
from tests.evaluation.submissions.predictions import (
    picture,
    release_of_choices,
    right,
    rows,
    scored,
    submit,
    texts,
    world_with_release,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def counts() -> list[int]:
    return [model.objects.count() for model in (Submission, Job, AuditEvent)]


def files_in(folder) -> int:
    return sum(path.is_file() for name in ("submissions", "incoming") for path in (folder / name).rglob("*"))


def test_correct_answers_score_in_both_directions():
    team, release = world_with_release()
    found = scored(team.contributor, release, right())
    assert (found.state, found.fault, found.listed) == ("scored", None, False)
    told = queries.submission_detail(team.contributor, found.pk)["report"]
    assert [(f["scope"], f["metric"], f["value"], f["n"]) for f in told["figures"]] == [
        (scope, metric, 1.0, n) for scope, n in (("t2i", 6), ("i2t", 3)) for metric in ("R@1", "R@5", "R@10")
    ]
    assert (told["n_expected"], told["n_scored"], told["n_missing"]) == (9, 9, 0)
    assert {b["by"]: [g["group"] for g in b["groups"]] for b in told["breakdowns"]} == {
        "category": ["lantern"],
        "distance": ["closest"],
    }
    assert told["least_group"] == 0


def test_files_and_runs_are_broken_down_by_the_groups_in_the_records():
    team, _ = world_with_release(1)  # the category's group is "closest" now
    item = accepted_item(team, 8)
    fields = {"item": item.label, "image": picture(8), "category": "lantern", "split": "test", "captions": texts(8)}
    release = frozen_release(team, [item], number=2, records={item.pk: fields | {"distance": "moderate"}})
    rows = list(queries.gold_rows(release.kinds.get()))
    assert {row.fields["distance"] for row in rows} == {"moderate"}
    assert [(e.category, e.distance) for e in entries(set_of(release))] == [("lantern", "moderate")]


@pytest.mark.parametrize(("least", "groups"), [(None, []), (3, ["lantern"]), (4, [])])
def test_small_groups_of_withheld_splits_have_no_figures(least, groups):
    content = protocol("x")
    content["release"] |= {"withheld": ["test"]}
    content |= {"publication": {"least_group": least}} if least else {}
    team, release = world_with_release(content=content)
    found = scored(team.contributor, release, right())
    for reader in (team.contributor, team.admin):
        report = queries.submission_detail(reader, found.pk)["report"]
        assert [g["group"] for b in report["breakdowns"] if b["by"] == "category" for g in b["groups"]] == groups
        assert (report["least_group"], report["figures"][0]["value"]) == (least or 20, 1.0)


def test_choices_are_scored_by_the_letters_of_the_releases_files():
    team, _ = world_with_release(1)
    release = release_of_choices(team)
    expects = queries.submissions_page(team.contributor, release.pk, page_size=10)["requirements"]
    assert (expects["open"], expects["expected"], expects["profiles"][0]["name"]) == (True, 2, "cvqa-mcq/generated")
    template = queries.template(team.contributor, release.pk).content.decode()
    asked = [json.loads(line) for line in template.splitlines()]
    letters = ["ABCD"[[option["local"] for option in row["options"]].index("RIGHT")] for row in asked]
    right_rows = [row | {"response": letter} for row, letter in zip(asked, letters, strict=True)]
    for profile in ("cvqa-mcq/generated", "tcc-mcq/robust", "vistai-mcq/official"):
        data = rows(right_rows[0], right_rows[1] | {"response": "ABCD"[("ABCD".index(letters[1]) + 1) % 4]})
        if profile == "vistai-mcq/official":
            data = data.replace(b'"response": "', b'"response": "Answer: ')
        found = scored(team.contributor, release, data, profile=profile)
        report = queries.submission_detail(team.contributor, found.pk)["report"]
        assert [(f["metric"], f["value"], f["n"]) for f in report["figures"]] == [("accuracy", 0.5, 2)]
        assert {b["by"]: [g["group"] for g in b["groups"]] for b in report["breakdowns"]} == {
            "category": ["lantern"],
            "distance": ["closest"],
            "pair": ["Chinese - China", "Chinese - Singapore"],
            "country": ["China", "Singapore"],
            "language": ["Chinese"],
        }
    published = "ID,Prediction\n" + "".join(f"{row['id']},{'ABCD'.index(row['response'])}\n" for row in right_rows)
    found = scored(team.contributor, release, published.encode(), profile="cvqa-mcq/paper")
    assert found.report["metrics"]["accuracy"]["value"] == 1.0


def test_a_name_shows_no_other_order_than_it_has():
    team, release = world_with_release()
    found = submit(team.contributor, release, right(), name="folder/a\u202elnosj.exe\x07")
    assert found.name == "a\ufffdlnosj.exe\ufffd"


def test_a_missing_answer_is_a_miss_and_a_correct_one_counts_at_its_rank():
    team, release = world_with_release()
    # Of six texts two are answered: one rightly, one with the right picture second.
    data = rows(
        {"id": texts(1)[0], "response": [picture(1)]}, {"id": texts(2)[0], "response": [picture(3), picture(2)]}
    )
    found = scored(team.contributor, release, data)
    t2i = [f for f in queries.submission_detail(team.contributor, found.pk)["report"]["figures"] if f["scope"] == "t2i"]
    assert [f["value"] for f in t2i] == [pytest.approx(1 / 6), pytest.approx(2 / 6), pytest.approx(2 / 6)]
    assert (found.report["n_missing"], found.report["n_scored"]) == (7, 2)


def test_the_published_form_of_one_object_is_accepted():
    team, release = world_with_release()
    data = f'{{"{picture(1)}": ["{texts(1)[1]}"], "{texts(3)[0]}": ["{picture(3)}"]}}'.encode()
    assert scored(team.contributor, release, data).report["n_scored"] == 2


def test_a_file_with_few_known_ids_says_so_and_keeps_what_can_be_stored():
    team, release = world_with_release(2)
    assert scored(team.contributor, release, right(2)).report.get("few_known_ids") is None
    strange = [f"{n}\x00{'x' * 100}" for n in range(4)]
    data = rows(*({"id": name, "response": []} for name in strange), {"id": picture(1), "response": [texts(1)[0]]})
    found = scored(team.contributor, release, data)
    assert queries.submission_detail(team.contributor, found.pk)["report"]["few_known_ids"] == {
        "known": 1,
        "in_file": 5,
        "expected": 6,
        "unknown": [f"{n}\ufffd{'x' * 78}" for n in range(3)],
        "missing": [*texts(1), picture(2)],
    }
    # An earlier version's report does not have it.
    found.report.pop("few_known_ids")
    with connection.cursor() as cursor:
        cursor.execute("set local session_replication_role = replica")
        found.save(update_fields=["report"])
    assert queries.submission_detail(team.contributor, found.pk)["report"]["few_known_ids"] is None


FAULTS = [
    (b'{"id": "x"}\n', {"code": "wrong_row", "line": 1, "field": "response", "expected": "a list"}),
    (b'[{"id": "x", "response": []},\n{"id"', {"code": "wrong_row", "line": 2, "field": "", "expected": "JSON"}),
    (b"\xff\xfe,\n", {"code": "wrong_row", "line": 1, "field": "", "expected": "UTF-8"}),
    (rows({"id": "x", "response": ["y"]}), {"code": "no_known_id", "line": 0, "field": "id", "expected": ""}),
    (
        rows(*[{"id": "x", "response": []}] * 1_001),
        {"code": "too_many_rows", "line": 1_001, "field": "", "expected": "1000"},
    ),
]


def test_a_file_that_cannot_be_read_is_removed_and_says_where(store):
    team, release = world_with_release(1)
    for n, (data, fault) in enumerate(FAULTS, 1):
        found = scored(team.contributor, release, data)
        assert (found.state, found.report, found.fault) == ("refused", None, fault)
        assert files_in(store) == 0
        with pytest.raises(SubmissionFileNotKept):
            services.submission_to_download(actor=team.contributor, submission_id=found.pk)
        assert Job.objects.get(pk=found.job_id).state == "done"
        # It does not count.
        assert queries.day_of(Submitter(team.contributor, None), team.benchmark, "captions")[:3] == (5, 0, n)


def test_a_file_is_removed_later_if_the_store_does_not_answer(store, monkeypatch):
    team, release = world_with_release(1)
    found = submit(team.contributor, release, b"{}")
    remove = Folder.remove

    def unavailable(self, key):
        raise StorageUnavailable

    monkeypatch.setattr(Folder, "remove", unavailable)
    score_submission(job_id=found.job_id)
    found.refresh_from_db()
    assert (found.state, Job.objects.get(pk=found.job_id).state, files_in(store)) == ("refused", "queued", 1)
    monkeypatch.setattr(Folder, "remove", remove)
    score_submission(job_id=found.job_id)
    assert (Job.objects.get(pk=found.job_id).state, files_in(store)) == ("done", 0)


def test_files_of_submissions_that_were_rejected_before_are_swept(store, monkeypatch):
    team, release = world_with_release(1)
    kept, unscored = scored(team.contributor, release, right(1)), submit(team.contributor, release, right(1))
    with monkeypatch.context() as earlier:
        earlier.setattr(Folder, "remove", lambda self, key: None)  # as versions did that kept the files
        rejected = scored(team.annotator, release, b"{}")
    without_row = store / services.FOLDER / str(release.pk) / str(uuid.uuid4())
    without_row.write_bytes(b"{}")
    assert (rejected.state, files_in(store), services.sweep_files()) == ("refused", 4, 0)  # too young
    assert (services.sweep_files(now=time.time() + 90_000), services.sweep_files(now=4e9)) == (2, 0)
    assert {path.name for path in (store / services.FOLDER).rglob("*-*")} == {
        submission.key.rpartition("/")[2] for submission in (kept, unscored)
    }


def test_a_persons_files_are_limited_in_bytes(store, settings):
    team, release = world_with_release(1, submissions_per_day=9)
    settings.SUBMISSION_BYTES_PER_PERSON = 2 * len(right(1)) + 1
    kept = submit(team.contributor, release, right(1))
    for _ in range(3):  # unreadable files take no room
        assert scored(team.contributor, release, b"{}").state == "refused"
    before = counts()
    with pytest.raises(SubmissionStorageLimit) as refused:
        submit(team.contributor, release, right(1) + b"\n\n")
    sizes = {"limit": 2 * kept.bytes + 1, "used": kept.bytes, "bytes": kept.bytes + 2}
    assert (refused.value.params, refused.value.status) == (sizes, 429)
    assert (counts(), files_in(store)) == (before, 1)
    assert submit(team.contributor, release, right(1) + b"\n").pk  # exactly as many
    assert submit(team.annotator, release, right(1) + b"\n\n").pk  # each person for themselves
    assert files_in(store) == 3


def test_a_scored_submission_never_changes():
    team, release = world_with_release()
    found = scored(team.contributor, release, right())
    rewrites = [{"report": {}}, {"state": "waiting", "report": None}, {"system": "x"}, {"bytes": 1}]
    for change in rewrites:
        with pytest.raises(IntegrityError), transaction.atomic():
            Submission.objects.filter(pk=found.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        found.delete()
    before = Submission.objects.values().get(pk=found.pk)
    Job.objects.filter(pk=found.job_id).update(state="queued")
    score_submission(job_id=found.job_id)
    assert Submission.objects.values().get(pk=found.pk) == before


def test_a_repeat_submits_once(store):
    team, release = world_with_release()
    key = uuid.uuid4()
    first = submit(team.contributor, release, right(), client_key=key)
    before = counts()
    assert submit(team.contributor, release, right(), client_key=key) == first
    with pytest.raises(ClientKeyReused):
        submit(team.contributor, release, right(), client_key=key, system="另一个")
    assert (counts(), files_in(store)) == (before, 1)


def test_a_rejected_submission_leaves_nothing(store, settings):
    team, release = world_with_release(1)
    settings.SUBMISSION_LIMIT_BYTES = 100
    own = {"benchmark": team.benchmark, "protocol": team.benchmark.protocol, "seed": 1}
    draft = Release.objects.create(number=2, kind="captions", **own)
    frozen = {"state": "frozen", "event_id": 1, "frozen_at": timezone.now()}
    empty = Release.objects.create(number=3, kind="vqa", **own, **frozen)
    before = counts()
    for refusal, against, data, profile in (
        (ActionNotAllowed, draft, b"x", "cvlue-itr/paper"),
        (ReleaseNotScorable, empty, b"x", "cvlue-vqa/exact"),
        (SubmissionProfileUnsuited, release, b"x", "cvlue-vqa/exact"),
        (SubmissionProfileUnsuited, release, b"x", "nothing"),
        (SubmissionEmpty, release, b"", "cvlue-itr/paper"),
        (SubmissionTooLarge, release, b"x" * 101, "cvlue-itr/paper"),
    ):
        with pytest.raises(refusal):
            submit(team.contributor, against, data, profile=profile)
        assert (counts(), files_in(store)) == (before, 0)
    with pytest.raises(NotFound):
        submit(team.stranger, release, b"x")
    assert (counts(), files_in(store)) == (before, 0)


def test_submissions_for_a_withdrawn_release_are_not_scored():
    team, release = world_with_release(1)
    found = submit(team.contributor, release, right(1))
    Release.objects.filter(pk=release.pk).update(state="withdrawn", withdrawn_at=timezone.now(), withdrawn_reason="错")
    score_submission(job_id=found.job_id)
    found.refresh_from_db()
    assert (found.state, Job.objects.get(pk=found.job_id).error_code) == ("waiting", "release_withdrawn")
    before = counts()
    with pytest.raises(ReleaseWithdrawn):
        submit(team.contributor, release, right(1))
    assert counts() == before


def test_the_limit_is_per_day_of_the_benchmarks_zone(store, monkeypatch):
    team, release = world_with_release(1, submissions_per_day=2)
    now = datetime(2026, 11, 21, 15, 59, tzinfo=UTC)  # 23:59 in Shanghai
    monkeypatch.setattr(timezone, "now", lambda: now)
    for _ in range(2):
        made = submit(team.contributor, release, right(1))
        assert made.pk
    with transaction.atomic(), pytest.raises(SubmissionLimit) as refused:
        submit(team.contributor, release, right(1))
    assert (refused.value.params, files_in(store)) == ({"limit": 2, "until": "2026-11-22T00:00:00+08:00"}, 2)
    assert submit(team.annotator, release, right(1)).pk  # each person for themselves
    days = {
        kind: queries.day_of(Submitter(team.contributor, None), team.benchmark, kind).used
        for kind in ("captions", "vqa")
    }
    assert days == {"captions": 2, "vqa": 0}  # and each kind
    later = datetime(2036, 11, 21, 16, 0, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert queries.day_of(Submitter(team.contributor, None), team.benchmark, "captions").used == 0
    assert submit(team.contributor, release, right(1)).pk


def test_unreadable_files_have_a_limit_of_their_own(store):
    team, release = world_with_release(1, submissions_per_day=1)
    for _ in range(4):
        assert scored(team.contributor, release, b"{}").state == "refused"
    before = counts()
    with pytest.raises(SubmissionRefusedLimit):
        submit(team.contributor, release, right(1))
    assert (counts(), files_in(store)) == (before, 0)


def test_a_protocol_may_allow_none():
    team, release = world_with_release(1, submissions_per_day=0)
    with pytest.raises(SubmissionLimit):
        submit(team.contributor, release, right(1))


def test_owners_list_and_unlist_their_submissions():
    team, release = world_with_release(1)
    best, other = (
        scored(team.contributor, release, right(1)),
        scored(team.annotator, release, rows({"id": picture(1), "response": []})),
    )
    for found, who in ((other, team.annotator), (best, team.contributor)):
        services.list_submission(actor=who, submission_id=found.pk, client_key=uuid.uuid4())
    [board] = queries.listed_submissions(team.annotator, release, "captions")
    assert (board["profile"], [(row["id"], row["is_open"]) for row in board["rows"]]) == (
        "cvlue-itr/paper",
        [(best.pk, False), (other.pk, True)],
    )
    for stranger in (team.annotator, team.admin):  # who submitted it decides alone
        with pytest.raises(NotFound):
            services.unlist_submission(actor=stranger, submission_id=best.pk, client_key=uuid.uuid4())
    services.unlist_submission(actor=team.contributor, submission_id=best.pk, client_key=uuid.uuid4())
    assert [row["id"] for row in queries.listed_submissions(team.admin, release, "captions")[0]["rows"]] == [other.pk]


def test_an_unscored_submission_cannot_be_listed():
    team, release = world_with_release(1)
    found = submit(team.contributor, release, right(1))
    before = counts()
    with pytest.raises(ActionNotAllowed):
        services.list_submission(actor=team.contributor, submission_id=found.pk, client_key=uuid.uuid4())
    found.refresh_from_db()
    assert (found.listed, counts()) == (False, before)


def test_submissions_are_limited_in_all_without_unreadable_files():
    team, release = world_with_release(1, submissions_per_day=9, submissions_total=2)
    scored(team.contributor, release, right(1))
    scored(team.contributor, release, b"no rows")
    submit(team.contributor, release, right(1))
    before = counts()
    with transaction.atomic(), pytest.raises(SubmissionTotalLimit) as refused:
        submit(team.contributor, release, right(1))
    assert (refused.value.params, counts()) == ({"limit": 2}, before)
    assert submit(team.annotator, release, right(1)).state == "waiting"


def hide(actor, found, reason="与训练数据重复", client_key=None):
    fields = {"submission_id": found.pk, "reason": reason, "client_key": client_key or uuid.uuid4()}
    return services.hide_submission(actor=actor, **fields)


def test_an_administrator_takes_a_submission_off_the_board_with_a_reason():
    team, release = world_with_release(1)
    found = scored(team.contributor, release, right(1))
    services.list_submission(actor=team.contributor, submission_id=found.pk, client_key=uuid.uuid4())
    for nobody in (team.annotator, team.contributor):
        with pytest.raises((NotFound, OperationNotAllowed)):
            hide(nobody, found)
    same = uuid.uuid4()
    for _ in range(2):
        hide(team.admin, found, client_key=same)
    with pytest.raises(ClientKeyReused):
        hide(team.admin, found, reason="另一个原因", client_key=same)
    assert queries.listed_submissions(team.admin, release, "captions") == []
    detail = queries.submission_detail(team.contributor, found.pk)
    assert (detail["listed"], detail["hidden_reason"], detail["available_actions"]) == (False, "与训练数据重复", [])
    [entry] = AuditEvent.objects.filter(action="submission_hide")
    assert (entry.actor_id, entry.state_from, entry.state_to) == (team.admin.pk, "listed", "hidden")
    assert entry.data == {"release_id": release.pk, "person_id": team.contributor.pk}
    [notice] = Notice.objects.filter(person=team.contributor)
    assert (notice.code, notice.actor_id, notice.target_type, notice.target_id) == (
        "submission_hidden",
        None,
        "submission",
        found.pk,
    )
    assert notice.params == {"label": release.label, "comment": "与训练数据重复"}
    with pytest.raises(SubmissionHidden):
        services.list_submission(actor=team.contributor, submission_id=found.pk, client_key=uuid.uuid4())
    with pytest.raises(ActionNotAllowed):
        hide(team.admin, found)
    with pytest.raises(IntegrityError), transaction.atomic():
        Submission.objects.filter(pk=found.pk).update(listed=True)
    assert queries.submission_detail(team.admin, found.pk)["available_actions"] == ["submission_unhide"]
    services.unhide_submission(actor=team.admin, submission_id=found.pk, client_key=uuid.uuid4())
    found.refresh_from_db()
    assert (found.listed, found.hidden_reason) == (False, "")  # who submitted it lists it again, or does not
    services.list_submission(actor=team.contributor, submission_id=found.pk, client_key=uuid.uuid4())
    with pytest.raises(ActionNotAllowed):
        services.unhide_submission(actor=team.admin, submission_id=found.pk, client_key=uuid.uuid4())


def test_an_unscored_submission_cannot_be_hidden():
    team, release = world_with_release(1)
    found = submit(team.contributor, release, right(1))
    with pytest.raises(ActionNotAllowed):
        hide(team.admin, found)
    assert not Notice.objects.exists()
