"""Files at addresses become ordinary uploads, exactly once, whatever happens on the way."""

import os
import signal
import uuid
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from curation.core import jobs
from curation.core.errors import ActionNotAllowed, ClientKeyReused, OperationNotAllowed
from curation.core.models import AuditEvent, Job
from curation.images import models as images
from curation.images import tasks as image_tasks
from curation.images.errors import TooManyUploads
from curation.images.services import drop_upload, finalize_uploads
from curation.people.models import Person, RoleGrant
from curation.url_lists import queries, services, tasks
from curation.url_lists.errors import UrlContactMissing, UrlListHasNoValidLine, UrlUploadsOff
from curation.url_lists.models import UrlHost, UrlList, UrlRow, UrlSetting
from tests import pictures
from tests.web import answer, redirect

pytestmark = pytest.mark.django_db


def submit(here, *lines, actor=None, key=None):
    text = "\n".join(line if "," in line else f"http://photos.example/{line},CC0-1.0,Li Lei,lantern" for line in lines)
    actor = actor or here.contributor
    return services.create_list(actor=actor, benchmark_slug="cvlue", text=text, client_key=key or uuid.uuid4())


def switch(here, is_on, actor=None):
    return services.update_setting(
        actor=actor or here.admin, benchmark_slug="cvlue", is_on=is_on, client_key=uuid.uuid4()
    )


def work():
    """Let the workers finish."""
    while Job.objects.filter(state="queued").exists():
        tasks.fetch_url_list()
        image_tasks.check_upload()


def lines(here, url_list):
    rows = queries.list_detail(here.contributor, url_list.pk)["rows"]
    return [(row["line"], row["state"], row["error"]["code"] if row["error"] else None) for row in rows]


def stored():
    return images.Upload.objects.count(), UrlList.objects.count(), UrlRow.objects.count(), Job.objects.count()


# --- The switch


def test_it_is_off_until_an_administrator_switches_it_on(here):
    UrlSetting.objects.all().delete()
    before = stored()
    with pytest.raises(UrlUploadsOff):
        submit(here, "1.jpg")
    with pytest.raises(UrlUploadsOff):
        services.preview_list(actor=here.contributor, benchmark_slug="cvlue", text="x")
    assert stored() == before
    assert queries.setting_detail(here.contributor, "cvlue")["is_on"] is False
    switch(here, True)
    assert queries.setting_detail(here.contributor, "cvlue") == {
        "is_on": True,
        "is_configured": True,
        "most_lines": 500,
        "available_actions": ["url_list_create"],
    }
    assert queries.setting_detail(here.owner, "cvlue")["available_actions"] == []
    submit(here, "1.jpg")
    switch(here, False)
    with pytest.raises(UrlUploadsOff):
        submit(here, "2.jpg")
    events = AuditEvent.objects.filter(action="url_setting_update").order_by("pk")
    assert [(e.actor_id, e.label, e.data) for e in events] == [
        (here.admin.pk, "cvlue", {"is_on": True}),
        (here.admin.pk, "cvlue", {"is_on": False}),
    ]


def test_only_administrators_switch_it(here):
    for person in (here.contributor, here.curator, here.annotator):
        with pytest.raises(OperationNotAllowed):
            switch(here, False, actor=person)
    assert UrlSetting.objects.get().is_on


def test_a_repeated_switch_changes_nothing(here):
    key = uuid.uuid4()
    for _ in range(2):
        services.update_setting(actor=here.admin, benchmark_slug="cvlue", is_on=False, client_key=key)
        UrlSetting.objects.update(is_on=True)
    assert UrlSetting.objects.get().is_on
    with pytest.raises(ClientKeyReused):
        services.update_setting(actor=here.admin, benchmark_slug="cvlue", is_on=True, client_key=key)


def test_without_the_operators_contact_nothing_is_switched_on_or_fetched(here, web, settings):
    web.pages["/1.jpg"] = pictures.jpeg()
    url_list = submit(here, "1.jpg")
    settings.URL_UPLOAD_CONTACT = ""
    with pytest.raises(UrlContactMissing):
        switch(here, True)
    assert (queries.setting_detail(here.admin, "cvlue")["is_on"], UrlSetting.objects.get().is_on) == (False, True)
    work()
    assert (lines(here, url_list), web.connected) == ([(1, "failed", "url_uploads_off")], [])


# --- Submitting


def test_lines_without_errors_are_fetched_and_become_ordinary_uploads(here, web, media):
    web.pages |= {"/1.jpg": pictures.loaded_jpeg(seed=1), "/2.png": pictures.jpeg(2)}
    url_list = submit(here, "1.jpg", "ftp://photos.example/3,MIT,A", "2.png")
    job = Job.objects.get()
    assert (job.task, job.queue, job.actor_id) == ("curation.fetch_url_list", "pictures", here.contributor.pk)
    assert lines(here, url_list) == [(1, "waiting", None), (3, "waiting", None)]
    tasks.fetch_url_list()
    assert lines(here, url_list) == [(1, "checking", None), (3, "checking", None)]
    work()
    assert lines(here, url_list) == [(1, "ready", None), (3, "ready", None)]
    first, second = images.Upload.objects.order_by("filename")
    assert (first.filename, first.person, first.state, first.bytes) == (
        "1.jpg",
        here.contributor,
        "ready",
        len(web.pages["/1.jpg"]),
    )
    assert first.details == {
        "source": "external",
        "url": "http://photos.example/1.jpg",
        "author": "Li Lei",
        "licence": "CC0-1.0",
        "category": "lantern",
    }
    for upload in (first, second):
        assert upload.pk == upload.client_key
    results = finalize_uploads(actor=here.contributor, benchmark_slug="cvlue", ids=[first.pk, second.pk])
    image = images.Image.objects.get(pk=results[0].image_id)
    assert (image.licence, image.category.slug, image.contributor) == ("CC0-1.0", "lantern", here.contributor)
    assert (image.source["kind"], image.source["url"], image.source["author"]) == (
        "external",
        "http://photos.example/1.jpg",
        "Li Lei",
    )
    assert all(pictures.MARK not in (media / name).read_bytes() for name in pictures.files(media))
    rows = queries.list_detail(here.contributor, url_list.pk)["rows"]
    assert [(row["state"], row["image"]["label"]) for row in rows] == [("added", "img-0001"), ("added", "img-0002")]
    images.Upload.objects.all().delete()  # as the sweep does after some days
    assert lines(here, url_list) == [(1, "added", None), (3, "added", None)]


def test_the_other_site_learns_who_asks(here, web):
    web.pages["/1.jpg"] = pictures.jpeg()
    submit(here, "1.jpg")
    work()
    assert web.requests[0][2]["User-Agent"] == "Lantern (ops@example.org)"


def test_a_repeated_request_submits_nothing_more(here):
    key = uuid.uuid4()
    assert submit(here, "1.jpg", key=key) == submit(here, "1.jpg", key=key)
    with pytest.raises(ClientKeyReused):
        submit(here, "2.jpg", key=key)
    assert (UrlList.objects.count(), UrlRow.objects.count(), Job.objects.count()) == (1, 1, 1)


def test_waiting_lines_count_as_unfinished_uploads(here, settings):
    settings.UPLOADS_OPEN_PER_PERSON = 3
    submit(here, "1.jpg", "2.jpg")
    before = stored()
    with pytest.raises(TooManyUploads) as refused:
        submit(here, "3.jpg", "4.jpg")
    assert (refused.value.params, stored()) == ({"open": 2, "maximum": 3}, before)
    submit(here, "3.jpg", "ftp://photos.example/4,MIT,A")


def test_a_list_without_a_valid_line_is_refused(here):
    before = stored()
    with pytest.raises(UrlListHasNoValidLine) as refused:
        submit(here, "ftp://photos.example/1,MIT,A", "http://photos.example/2,GPL,A")
    assert (refused.value.params, stored()) == ({"lines": 2}, before)


def test_people_without_the_right_submit_nothing(here):
    before = stored()
    for person in (here.annotator, here.senior):
        with pytest.raises(OperationNotAllowed):
            submit(here, "1.jpg", actor=person)
    assert stored() == before


def test_an_address_that_was_submitted_before_is_named_until_its_file_is_gone(here, web):
    web.pages |= {"/1.jpg": pictures.jpeg()}
    url_list = submit(here, "1.jpg", "none.jpg")

    def again(actor=here.contributor):
        text = "http://photos.example/1.jpg,MIT,A\nhttp://photos.example/none.jpg,MIT,A"
        read = services.preview_list(actor=actor, benchmark_slug="cvlue", text=text)
        return [[(fault.code, fault.params) for fault in line.faults] for line in read]

    before = [("url_fetched_before", {"list": url_list.pk, "line": 1})]
    assert again() == [before, [("url_fetched_before", {"list": url_list.pk, "line": 2})]]
    work()
    assert again() == [before, []]
    assert again(actor=here.curator) == [[], []]  # answers do not depend on another person's lists
    drop_upload(actor=here.contributor, upload_id=images.Upload.objects.get().pk)
    assert again() == [[], []]
    assert lines(here, url_list)[0] == (1, "removed", None)


# --- Fetching


def test_files_that_no_picture_can_be_made_of_are_refused_as_in_any_upload(here, web):
    web.pages |= {
        "/page.jpg": answer(b"<!doctype html><html>" + b" " * 3000, Content_Type="image/jpeg"),
        "/small.jpg": pictures.jpeg(width=100, height=100),
        "/same.jpg": pictures.jpeg(7),
        "/copy.jpg": pictures.jpeg(7),
        "/empty.jpg": b"",
        "/wrong-type": answer(pictures.jpeg(8), Content_Type="text/html"),
    }
    url_list = submit(here, "page.jpg", "small.jpg", "same.jpg", "copy.jpg", "empty.jpg", "wrong-type")
    work()
    assert lines(here, url_list) == [
        (1, "refused", "file_is_web_page"),
        (2, "refused", "image_too_small"),
        (3, "ready", None),
        (4, "refused", "image_duplicate"),
        (5, "refused", "image_type_refused"),
        (6, "ready", None),
    ]


def test_what_cannot_be_fetched_fails_with_its_reason_and_can_be_retried(here, web, settings):
    settings.UPLOAD_LIMIT_BYTES = 100_000
    web.hosts["inside.example"] = ["10.0.0.1"]
    web.pages |= {
        "/late.jpg": answer(b"", 503, Content_Length="0"),
        "/inside.jpg": redirect("http://127.0.0.1/secret"),
        "/large.jpg": bytes(100_001),
    }
    url_list = submit(here, "late.jpg", "inside.jpg", "large.jpg", "http://inside.example/1,MIT,A", "none.jpg")
    work()
    assert lines(here, url_list) == [
        (1, "failed", "url_status"),
        (2, "failed", "url_not_public"),
        (3, "failed", "url_file_too_large"),
        (4, "failed", "url_not_public"),
        (5, "failed", "url_status"),
    ]
    assert (images.Upload.objects.count(), pictures.files(settings.MEDIA_ROOT)) == (0, [])
    detail = queries.list_detail(here.contributor, url_list.pk)
    assert (detail["failed"], detail["available_actions"]) == (5, ["url_list_retry"])
    web.pages["/late.jpg"] = pictures.jpeg(width=400, height=300)
    key = uuid.uuid4()
    for _ in range(2):  # the second is a repeat
        services.retry_list(actor=here.contributor, list_id=url_list.pk, client_key=key)
    assert [state for _, state, _ in lines(here, url_list)] == ["waiting"] * 5
    work()
    assert [state for _, state, _ in lines(here, url_list)] == ["ready", "failed", "failed", "failed", "failed"]
    services.retry_list(actor=here.contributor, list_id=url_list.pk, client_key=uuid.uuid4())
    assert images.Upload.objects.count() == 1


def test_a_list_without_failed_lines_is_not_retried(here, web):
    web.pages["/1.jpg"] = pictures.jpeg()
    url_list = submit(here, "1.jpg")
    work()
    with pytest.raises(ActionNotAllowed):
        services.retry_list(actor=here.contributor, list_id=url_list.pk, client_key=uuid.uuid4())
    assert lines(here, url_list) == [(1, "ready", None)]


@pytest.mark.parametrize("reason", ["switched off", "role ended", "account closed", "limit"])
def test_what_is_left_is_not_fetched_once_it_may_not_be(here, web, settings, monkeypatch, reason):
    web.pages |= {f"/{n}.jpg": pictures.jpeg(n) for n in range(3)}
    submit(here, "0.jpg", "1.jpg", "2.jpg")
    add = services.add_fetched_file

    def adds(**given):
        add(**given)
        if reason == "switched off":
            UrlSetting.objects.update(is_on=False)
        elif reason == "role ended":
            RoleGrant.objects.filter(person=here.contributor).update(ended_at=timezone.now())
        elif reason == "account closed":
            Person.objects.filter(pk=here.contributor.pk).update(is_active=False)
        else:
            settings.UPLOADS_OPEN_PER_PERSON = 1

    monkeypatch.setattr(services, "add_fetched_file", adds)
    tasks.fetch_url_list()
    code = {
        "switched off": "url_uploads_off",
        "role ended": "not_found",
        "account closed": "operation_not_allowed",
        "limit": "too_many_uploads",
    }[reason]
    states = UrlRow.objects.order_by("line").values_list("state", "error_code")
    assert list(states) == [("fetched", ""), ("failed", code), ("failed", code)]
    assert len(web.requests) == 1


def test_people_take_turns_and_one_list_is_fetched_at_a_time(here, web, monkeypatch):
    monkeypatch.setattr(services, "SLICE", -1.0)  # one file in each run
    web.pages |= {f"/{n}.jpg": pictures.jpeg(n) for n in range(6)}
    submit(here, "0.jpg", "1.jpg", "2.jpg")
    submit(here, "3.jpg", "4.jpg", actor=here.curator)
    running = jobs.claim_fairly(services.FETCH_TASK, 1, most=1)
    tasks.fetch_url_list()  # a message while another list is fetched
    assert web.requests == []
    jobs.finish(running)
    services._enqueue(UrlList.objects.get(person=here.contributor))
    while Job.objects.filter(task=services.FETCH_TASK, state="queued").exists():
        tasks.fetch_url_list()
    assert sorted(path for _, path, _ in web.requests) == [f"/{n}.jpg" for n in range(5)]
    assert images.Upload.objects.count() == 5


def test_a_host_is_left_alone_after_each_request_and_as_long_as_it_asks(here, web, monkeypatch):
    monkeypatch.setattr(services, "HOST_PAUSE", 5.0)
    turns = services._Turns(lambda: None)
    turns.take("photos.example")
    held = UrlHost.objects.get().free_at - timezone.now()
    assert timedelta(seconds=65) < held < timedelta(seconds=75)
    turns.end()
    assert timedelta(seconds=3) < UrlHost.objects.get().free_at - timezone.now() < timedelta(seconds=6)
    waited = []

    def wait(seconds):
        waited.append(seconds)
        UrlHost.objects.update(free_at=timezone.now() - timedelta(seconds=1))

    monkeypatch.setattr(services.time, "sleep", wait)
    turns.take("photos.example")
    assert len(waited) == 1
    turns.end(30.0)
    assert timedelta(seconds=25) < UrlHost.objects.get().free_at - timezone.now() < timedelta(seconds=31)
    UrlHost.objects.update(free_at=timezone.now() + timedelta(days=1))  # the clock was set back since
    turns.take("photos.example")
    assert len(waited) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["fetch", "add_fetched_file", "after", "progress"])
def test_killed_in_the_middle_it_goes_on_without_fetching_anything_twice(make_world, web, monkeypatch, step, media):
    here = make_world()
    web.pages |= {f"/{n}.jpg": pictures.jpeg(n) for n in range(4)}
    url_list = submit(here, "0.jpg", "1.jpg", "2.jpg", "3.jpg")
    connections.close_all()
    if (child := os.fork()) == 0:
        owner = jobs.Lease if step == "progress" else services
        name = "add_fetched_file" if step == "after" else step
        real, calls = getattr(owner, name), []

        def dies(*args, **more):
            calls.append(args)
            if len(calls) == 2 and step == "after":
                real(*args, **more)  # the file is in its place, and nothing is committed
            if len(calls) == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **more)

        monkeypatch.setattr(owner, name, dies)
        tasks.fetch_url_list()
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert Job.objects.get(task=services.FETCH_TASK).state == "running"
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1), attempt=0)
    UrlHost.objects.update(free_at=timezone.now() - timedelta(seconds=1))
    work()
    assert lines(here, url_list) == [(1, "ready", None), (2, "ready", None), (3, "ready", None), (4, "ready", None)]
    assert images.Upload.objects.count() == 4
    times = [sum(path == f"/{n}.jpg" for _, path, _ in web.requests) for n in range(4)]
    assert times == ([1, 1, 1, 1] if step in ("fetch", "progress") else [1, 2, 1, 1])
    staged = [name for name in pictures.files(media) if name.count("/") == 1]
    assert len(staged) == (step == "add_fetched_file")  # swept a day later


def test_a_job_that_fails_for_good_fails_its_lines(here, web, monkeypatch):
    def broken(*_):
        raise RuntimeError("no")

    url_list = submit(here, "1.jpg")
    monkeypatch.setattr(services, "_fetch_row", broken)
    for _ in range(jobs.MAX_ATTEMPTS):
        assert lines(here, url_list) == [(1, "waiting", None)]
        tasks.fetch_url_list()
        Job.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=15))
    assert lines(here, url_list) == [(1, "failed", "internal_error")]
