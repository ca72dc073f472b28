"""What must not go into service is named by code, and stops the web server and the workers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import Error
from django.core.management import CommandError, call_command
from django.db import OperationalError

from config.checks import check_accounts, check_settings, refuse_what_is_unsafe
from curation.people.models import Person
from curation.people.rules import DEMO_PASSWORD

ROOT = Path(__file__).resolve().parents[2]
SOUND = "q7Zp3mX9vR2kT8wL5nB1cF6hJ4dG0sY-uEaIoQxWzPtKrNbMvC"
BUCKET = {
    "bucket": "lantern",
    "endpoint": "https://s3.example.org:9000",
    "region": "us-east-1",
    "key_id": "AKIA0",
    "secret": SOUND,
    "prefix": "",
}


@pytest.fixture
def safe(settings):
    """Settings fit for service."""
    settings.DEMO = False
    settings.SECRET_KEY = SOUND
    settings.DEBUG = False
    settings.ALLOWED_HOSTS = ["lantern.example.org", ".lantern.example.org"]
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SESSION_COOKIE_SECURE = True
    settings.CSRF_TRUSTED_ORIGINS = ["https://lantern.example.org"]
    return settings


def codes():
    return [fault.id for fault in check_settings()]


def test_settings_fit_for_service_pass(safe):
    assert codes() == []
    safe.OBJECT_STORE = BUCKET
    assert codes() == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        *[({name: ""}, "lantern.E008") for name in ("bucket", "endpoint", "key_id", "secret")],
        ({"endpoint": "s3.example.org"}, "lantern.E009"),
        ({"endpoint": "https://s3.example.org/lantern"}, "lantern.E009"),
        ({"endpoint": "https://me:secret@s3.example.org"}, "lantern.E009"),
        ({"prefix": "a team"}, "lantern.E009"),
        ({"secret": "CHANGE-ME"}, "lantern.E010"),
    ],
)
def test_a_bucket_is_named_in_full_or_not_at_all(safe, changed, code):
    safe.OBJECT_STORE = BUCKET | changed
    assert codes() == [code]
    safe.DEMO = True
    assert codes() == [code]


MAIL = {"MAIL_CONFIGURED": True, "SITE_URL": "https://lantern.example.org", "DEFAULT_FROM_EMAIL": "Lantern <l@e.org>"}


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, []),
        ({"SITE_URL": ""}, ["lantern.E011"]),
        ({"SITE_URL": "lantern.example.org"}, ["lantern.E011"]),
        ({"SITE_URL": "https://lantern.example.org/desk"}, ["lantern.E011"]),
        ({"DEFAULT_FROM_EMAIL": ""}, ["lantern.E012"]),
        ({"DEFAULT_FROM_EMAIL": "Lantern"}, ["lantern.E012"]),
        ({"SITE_URL": "", "DEFAULT_FROM_EMAIL": "", "MAIL_CONFIGURED": False}, []),
    ],
)
def test_a_mail_server_needs_a_sender_and_the_sites_address(safe, changed, found):
    for name, value in (MAIL | changed).items():
        setattr(safe, name, value)
    assert codes() == found


HERE, PAGES = "https://live.example.org", "https://lantern.example.org"


@pytest.mark.parametrize(
    ("live", "pages", "expected"),
    [
        ("", "", []),
        (HERE, PAGES, []),
        ("http://localhost:8001", "http://localhost:8000", []),
        (HERE, "", ["lantern.E013"]),
        ("", PAGES, ["lantern.E013"]),
        (HERE, "*", ["lantern.E013"]),
        (f"{HERE}/events", PAGES, ["lantern.E013"]),
        (f"{HERE}; script-src *", PAGES, ["lantern.E013"]),
    ],
)
def test_another_origin_of_the_live_channel_is_named_with_that_of_the_pages(safe, live, pages, expected):
    safe.LIVE_ORIGIN, safe.LIVE_PAGE_ORIGIN = live, pages
    assert codes() == expected
    safe.DEMO = True
    assert codes() == expected


def test_behind_a_pooler_the_live_channel_needs_an_address_of_its_own(safe, monkeypatch):
    # Not a new DATABASES, which Django warns of.
    monkeypatch.setitem(safe.DATABASES["default"]["OPTIONS"], "prepare_threshold", None)
    assert codes() == ["lantern.W002"]
    safe.LIVE_DATABASE = {"NAME": "lantern"}
    assert codes() == []


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("SECRET_KEY", SOUND[:49], "lantern.E001"),
        ("SECRET_KEY", "a1b2c3d" * 10, "lantern.E001"),
        ("SECRET_KEY", f"django-insecure-{SOUND}", "lantern.E001"),
        ("SECRET_KEY", "please-CHANGE_ME-before-you-start-this-in-service-0123", "lantern.E001"),
        ("SECRET_KEY", "your-secret-key-goes-here-your-secret-key-goes-here-42", "lantern.E001"),
        ("DEBUG", True, "lantern.E002"),
        ("ALLOWED_HOSTS", [], "lantern.E003"),
        ("ALLOWED_HOSTS", ["*"], "lantern.E003"),
        ("ALLOWED_HOSTS", ["lantern.example.org", ".org"], "lantern.E003"),
        ("ALLOWED_HOSTS", ["*.example.org"], "lantern.E003"),
        ("METRICS_TOKEN", "short", "lantern.E004"),
        ("SESSION_COOKIE_SECURE", False, "lantern.E005"),
        ("CSRF_TRUSTED_ORIGINS", ["http://lantern.example.org"], "lantern.E006"),
        ("CSRF_TRUSTED_ORIGINS", ["https://*.example.org"], "lantern.E006"),
        ("PASSWORD_HASHERS", ["django.contrib.auth.hashers.MD5PasswordHasher"], "lantern.W001"),
    ],
)
def test_each_fault_is_named_by_its_code_and_not_in_the_demo(safe, name, value, code):
    setattr(safe, name, value)
    assert codes() == [code]
    safe.DEMO = True
    assert codes() == []


def test_the_faults_are_part_of_djangos_own_command(safe):
    safe.DEBUG = True
    with pytest.raises(CommandError, match=r"lantern\.E002"):
        call_command("check", "--deploy", "--tag", "security")


@pytest.mark.django_db
def test_accounts_of_the_demo_are_named_while_their_passwords_are_known(safe, django_assert_num_queries):
    safe.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    for name in ("admin", "owner", "senior"):
        Person.objects.create_person(username=name, name=name, password=DEMO_PASSWORD)
    # The same password under a name that the demo does not print, and such a name with another password.
    Person.objects.create_person(username="somebody", name="", password=DEMO_PASSWORD)
    Person.objects.create_person(username="curator", name="", password="not-the-demos-one")
    Person.objects.filter(username="senior").update(is_active=False)
    with django_assert_num_queries(1):
        [fault] = check_accounts(databases=["default"])
    assert fault.id == "lantern.E007"
    assert fault.msg.endswith("password: admin, owner.")
    with pytest.raises(CommandError, match=r"lantern\.E007"):
        call_command("check", "--deploy", "--tag", "database", databases=["default"])
    for name in ("admin", "owner"):
        person = Person.objects.get(username=name)
        person.set_password("not-the-demos-one")
        person.save()
    assert check_accounts(databases=["default"]) == []


@pytest.mark.django_db
def test_neither_the_demo_nor_a_check_without_a_database_looks_at_accounts(safe, django_assert_num_queries):
    safe.DEMO = True
    with django_assert_num_queries(0):
        assert check_accounts(databases=["default"]) == []
    safe.DEMO = False
    with django_assert_num_queries(0):
        assert check_accounts() == []


def test_a_database_that_is_away_does_not_keep_the_site_from_starting(safe, monkeypatch):
    def away(**kwargs):
        raise OperationalError

    monkeypatch.setattr("config.checks.check_accounts", away)
    monkeypatch.setattr("config.checks.connection.close", lambda: None)
    refuse_what_is_unsafe()
    monkeypatch.setattr("config.checks.check_accounts", lambda **_: [Error("", id="lantern.E007")])
    with pytest.raises(SystemExit, match=r"lantern\.E007"):
        refuse_what_is_unsafe()


WEB = [sys.executable, "-c", "import config.wsgi"]
WORKER = [
    sys.executable,
    "-m",
    "celery",
    "-A",
    "config",
    "worker",
    "-P",
    "solo",
    "--without-mingle",
    "--without-gossip",
]


@pytest.mark.parametrize("command", [WEB, WORKER], ids=["web", "worker"])
def test_web_server_and_workers_do_not_start(command, tmp_path):
    unsafe = {"SECRET_KEY": "changeme", "ALLOWED_HOSTS": "*", "DEBUG": "true", "LANTERN_DEMO": "false"}
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | unsafe, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert [f"lantern.E00{n}" in done.stderr for n in (1, 2, 3)] == [True] * 3
    assert "changeme" not in done.stderr
