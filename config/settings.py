"""Settings of the whole application; every value that differs between machines comes from the environment.

``docs/deploy.md`` lists the variables. The launcher (``config/launch``) sets them for the demo.
"""

import os
from ipaddress import ip_network
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config import model_servers
from config.environment import Environment

ROOT = Path(__file__).resolve().parent.parent
env = Environment()

# The folder of all data: pictures, the demo's database and broker, release files.
DATA = Path(env.str("LANTERN_DATA", default=str(ROOT / "var"))).resolve()
DEMO = env.bool("LANTERN_DEMO", default=False)
DEBUG = env.bool("DEBUG", default=False)
# No default, so that the application does not start without a secret. The launcher generates and keeps one.
SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_TLS_PROXY", default=False) else None
BUILD = env.str("LANTERN_BUILD", default="dev")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "curation",
    "annotation",
    "evaluation",
    "config",  # for its commands and checks
]
MIDDLEWARE = [
    "curation.core.api.middleware.ResponseHeaders",
    "django.middleware.security.SecurityMiddleware",
    "config.static_files.FrontendFiles",
    "config.watch.middleware.Watch",
    "curation.core.api.middleware.BodyLimit",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "curation.core.api.middleware.HeaderCsrf",
    "curation.people.api.session.PersonMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "evaluation" / "publication" / "templates"],
        "APP_DIRS": True,
        # allauth requires this context processor; the public pages, which alone use templates, do not.
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

# --- PostgreSQL -------------------------------------------------------------------------------------------------------
# Two roles: the owner migrates; web and workers use ``lantern_app``, which cannot change append-only tables.
DATABASES = {
    "default": env.db_url("DATABASE_URL", default="postgresql:///lantern"),
}
DATABASES["default"]["ENGINE"] = "curation.lib.postgresql"
DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=60)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
# Plan the busiest statements once per connection (``curation.lib.statements``). Turn it off behind a pooler that
# assigns connections per transaction.
_threshold = 2 if env.bool("PREPARED_STATEMENTS", default=True) else None
DATABASES["default"].setdefault("OPTIONS", {})["prepare_threshold"] = _threshold
APPLICATION_ROLE = "lantern_app"
# Where the live channel LISTENs: the same database, without a pooler in between. Empty: by DATABASE_URL.
LIVE_DATABASE = env.db_url("LIVE_DATABASE_URL") if env.str("LIVE_DATABASE_URL", default="") else {}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Celery and cache -------------------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="memory://")
_cache = env.str("CACHE_URL", default="")
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": _cache}
    if _cache
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

# --- People -----------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "curation.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [env.str("PASSWORD_HASHER", default="django.contrib.auth.hashers.ScryptPasswordHasher")]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_ENGINE = "curation.people.api.session"
SESSION_COOKIE_AGE = 14 * 24 * 3600  # two weeks, Django's default
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = env.bool("COOKIES_SECURE", default=False)
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE
CSRF_FAILURE_VIEW = "curation.core.api.views.csrf_failure"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "curation.people.api.session.ClosedSignUp"
# Behind a proxy every request comes from the proxy's address; the client's is the last forwarded one.
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if SECURE_PROXY_SSL_HEADER else 0
# Log-ins per minute from one address, successful or not; a whole team may share one.
_LOG_INS = f"{env.int('LOG_INS_PER_MINUTE', default=120)}/m/ip"
# Failed ones (``curation.people.api.attempts``): tightly for a name from one address, loosely for either alone.
ACCOUNT_RATE_LIMITS = {
    "login": _LOG_INS,
    "login_failed_name_at_address": "20/5m/key" if DEMO else "5/5m/key",
    "login_failed_address": "60/m/ip" if DEMO else "30/m/ip,200/h/ip",
    "login_failed_name": "100/h/key",
    "login_failed_device": "20/5m/key" if DEMO else "10/5m/key",
    # New accounts from one address, and attempts, by which taken names could be tried.
    "sign_up": "5/h/ip",
    "sign_up_tried": "30/h/ip",
    "password_change_failed": "20/5m/key" if DEMO else "5/5m/key",
}
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_SESSION_REMEMBER = True
# Requests per minute from one address to pages with a link as credential: invitations, joining, password resets.
LINK_TRIES_PER_MINUTE = env.int("LINK_TRIES_PER_MINUTE", default=120)
# Whether people may create accounts without an invitation, for benchmarks whose protocol allows it.
SIGN_UP = env.str("SIGN_UP", default="off")
if SIGN_UP not in ("off", "open"):
    raise ImproperlyConfigured("SIGN_UP has to be off or open.")
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
HEADLESS_FRONTEND_URLS: dict[str, str] = {}

# --- Mail -------------------------------------------------------------------------------------------------------------
# Without a server no mail is sent, and the interface does not mention any.
MAIL_CONFIGURED = bool(env.str("EMAIL_URL", default=""))
if MAIL_CONFIGURED:
    vars().update(env.email_url("EMAIL_URL"))
EMAIL_TIMEOUT = 20  # seconds for each reply of the server
# The site's own address, for links in mails: a request's Host header is whatever its sender wrote.
SITE_URL = env.str("SITE_URL", default="").rstrip("/")
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="")

# --- API --------------------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "curation.people.api.session.TokenPerson",
        "curation.people.api.session.SessionPerson",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["curation.people.api.permissions.HoldsOperation"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["curation.core.api.parsers.BoundedJSON"],
    "DEFAULT_SCHEMA_CLASS": "curation.core.api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "curation.core.api.views.answer_error",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "DATETIME_FORMAT": "iso-8601",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Lantern",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "cookieAuth": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
            "tokenAuth": {"type": "http", "scheme": "bearer"},
        }
    },
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "PackageState": "annotation.packages.models.Package.State",
        "ItemState": "annotation.items.models.Item.State",
        "ItemTrack": "annotation.items.models.Item.Track",
        "ImageState": "curation.images.models.Image.State",
        "RegionOrigin": "curation.images.rules.ORIGINS",
        "CategoryListOrigin": ["shipped", "file", "board"],
        "ItemSetOrigin": "evaluation.sets.models.ItemSet.Origin",
        "CoverStyle": "curation.images.rules.STYLES",
        "BenchmarkState": ["open", "closed"],
        "CategoryBoardState": ["open", "frozen"],
        "CategoryBoardEntryState": "curation.board.rules.ENTRY_STATES",
        "ImageOutcome": "curation.images.rules.OUTCOMES",
        "InspectionOutcome": ["right", "wrong"],
        "PredictionOutcomeName": "evaluation.profiles.results.OUTCOMES",
        "PredictionReplyOutcome": ["answered", "refused", "failed", "none"],
        "ImageSourceKind": "curation.images.rules.SOURCES",
        "ReleaseState": "annotation.releases.models.Release.State",
        "TermsMode": "evaluation.publication.models.Publication.Terms",
        "JobState": "curation.core.models.Job.State",
        "SeatPurpose": ["review", "inspection"],
        "BulkAction": "annotation.bulk.rules.NAMES",
        "BulkState": "annotation.bulk.models.Bulk.State",
        "SubmissionState": "evaluation.submissions.models.Submission.State",
        "PartEnum": ["annotator", "reviewer", "inspector", "administrator"],
        "ReasonEnum": [
            "wrong_fact",
            "several_right",
            "too_easy",
            "not_cultural",
            "needs_no_picture",
            "bad_language",
            "repeated",
        ],
        "DialogueState": ["open", "paused", "done", "left"],
        "DialoguePart": "annotation.dialogues.rules.PARTS",
        "DialogueLeavingReason": "annotation.dialogues.rules.PERSONAL_REASONS",
        "CallState": "curation.calls.models.Call.State",
        "UrlLineState": "curation.url_lists.shapes.LINE_STATES",
        "RunState": "evaluation.runs.models.Run.State",
        "SetState": "evaluation.sets.models.ItemSet.State",
        "RunStatus": "evaluation.runs.rules.RUN_STATUSES",
        "RunCellState": "evaluation.runs.rules.CELL_STATES",
        "SystemState": "evaluation.systems.rules.SYSTEM_STATES",
        "InvitationState": "curation.people.rules.INVITATION_STATES",
        "LanguageEnum": "curation.people.rules.LANGUAGES",
    },
}

# --- Files ------------------------------------------------------------------------------------------------------------
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(DATA / "media")))
# The bucket of finished files (``curation.core.stores``); without one they stay below MEDIA_ROOT.
OBJECT_STORE = {
    "bucket": env.str("OBJECT_STORE_BUCKET", default=""),
    "endpoint": env.str("OBJECT_STORE_ENDPOINT", default="").rstrip("/"),
    "region": env.str("OBJECT_STORE_REGION", default="us-east-1"),
    "key_id": env.str("OBJECT_STORE_KEY_ID", default=""),
    "secret": env.str("OBJECT_STORE_SECRET", default=""),
    "prefix": env.str("OBJECT_STORE_PREFIX", default="").strip("/"),
}
# the first is the target of downloads
MODEL_DIRS = env.folders("MODEL_DIRS", default=[DATA / "models", ROOT / "fixtures/models"])
# The model hub, or a mirror of it.
HF_ENDPOINT = env.str("HF_ENDPOINT", default="https://huggingface.co")
# The operator's model servers by name; malformed ones prevent the start. Web processes never send requests to them.
MODEL_SERVERS = model_servers.read(
    env.list("MODEL_SERVERS", default=[]), os.environ, env.list("HOSTED_MODEL_SERVERS", default=[])
)
MODEL_SERVER_REQUESTS_AT_ONCE = env.int("MODEL_SERVER_REQUESTS_AT_ONCE", default=8)
MODEL_SERVER_SECONDS = env.float("MODEL_SERVER_SECONDS", default=60.0)
MODEL_SERVER_RETRIES = env.int("MODEL_SERVER_RETRIES", default=5)
for _name, _least in (("REQUESTS_AT_ONCE", 1), ("SECONDS", 0.1), ("RETRIES", 0)):
    model_servers.require_at_least(_least, globals()[f"MODEL_SERVER_{_name}"], f"MODEL_SERVER_{_name}")
# Items per transaction (the most that a killed worker repeats), and inputs per call of a model.
EMBED_ITEMS_AT_ONCE = env.int("EMBED_ITEMS_AT_ONCE", default=16)
EMBED_INPUTS_AT_ONCE = env.int("EMBED_INPUTS_AT_ONCE", default=64)
FIXTURES = ROOT / "fixtures"
FRONTEND_DIST = Path(env.str("FRONTEND_DIST", default=str(ROOT / "frontend" / "dist")))
STATIC_URL = "/django-static/"
WHITENOISE_ROOT = FRONTEND_DIST
WHITENOISE_INDEX_FILE = False
# Otherwise only the files that were there at the start are served, and the next build breaks the pages until a restart.
WHITENOISE_AUTOREFRESH = DEBUG or DEMO
# The build puts a content hash into these names, and a compressed copy beside each file.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[\w-]{8}\.\w+$"
# The path to which a web server in front maps MEDIA_ROOT or proxies the bucket (X-Accel-Redirect); empty: Django sends
# the files.
MEDIA_ACCEL_PREFIX = env.str("MEDIA_ACCEL_PREFIX", default="")
UPLOAD_LIMIT_BYTES = env.int("UPLOAD_LIMIT_BYTES", default=64_000_000)
UPLOAD_ZIP_LIMIT_BYTES = env.int("UPLOAD_ZIP_LIMIT_BYTES", default=2_000_000_000)
# Size of an import file.
IMPORT_LIMIT_BYTES = env.int("IMPORT_LIMIT_BYTES", default=256_000_000)
# Size of a file of predictions.
SUBMISSION_LIMIT_BYTES = env.int("SUBMISSION_LIMIT_BYTES", default=128_000_000)
# Bytes of one person's submitted files in all benchmarks, which are kept: 500 of 10 MB, or 39 of the largest.
SUBMISSION_BYTES_PER_PERSON = env.int("SUBMISSION_BYTES_PER_PERSON", default=5_000_000_000)
# Size of the files of an item set, the ZIP of its pictures included.
SET_LIMIT_BYTES = env.int("SET_LIMIT_BYTES", default=512_000_000)
# Unfinished uploads of one person in one benchmark.
UPLOADS_OPEN_PER_PERSON = env.int("UPLOADS_OPEN_PER_PERSON", default=2_000)
# Bytes of one person's uploads that are not added yet, in all benchmarks: the largest archive packed and unpacked
# (2 + 4 GB) and as much again for a day's pictures.
UPLOAD_BYTES_PER_PERSON = env.int("UPLOAD_BYTES_PER_PERSON", default=10_000_000_000)
# Bytes of all pictures and uploads of one benchmark; 30,000 photographs of a telephone have about 100 GB as uploaded.
BENCHMARK_BYTES = env.int("BENCHMARK_BYTES", default=200_000_000_000)
# Bytes that stay free on the disk of MEDIA_ROOT, which the database may share: nothing large is written below it.
MEDIA_FLOOR_BYTES = env.int("MEDIA_FLOOR_BYTES", default=200_000_000 if DEMO else 2_000_000_000)
# Parts that one web process receives at the same time; each occupies a thread until its last byte.
UPLOADS_AT_ONCE = env.int("UPLOADS_AT_ONCE", default=6)
# Those of one person among them; the browser sends three files at the same time.
UPLOADS_AT_ONCE_PER_PERSON = env.int("UPLOADS_AT_ONCE_PER_PERSON", default=max(1, UPLOADS_AT_ONCE // 2))
# Uploads by addresses: whom other sites can ask about our requests, an e-mail or web address in ASCII, named in each of
# them. Empty: nothing is fetched, whatever a benchmark's administrators switch on.
URL_UPLOAD_CONTACT = env.str("URL_UPLOAD_CONTACT", default="demo on one machine" if DEMO else "")
if not URL_UPLOAD_CONTACT.isascii() or not URL_UPLOAD_CONTACT.isprintable():
    raise ImproperlyConfigured("URL_UPLOAD_CONTACT is sent in a header: write it in printable ASCII.")
# Networks with public addresses that are not connected to, beside all private ones: those of the operator's own.
URL_UPLOAD_BLOCKED_NETWORKS = [ip_network(n) for n in env.list("URL_UPLOAD_BLOCKED_NETWORKS", default=[])]
# Bytes, about Django's defaults: a larger JSON body is rejected, a larger file of a form goes to the disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "curation.core.api.uploads.TemporaryFiles",
]

# --- Language and time ------------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
USE_I18N = False  # The browser translates by code; the server's own texts are English.
USE_TZ = True
TIME_ZONE = "UTC"

# --- Live channel -----------------------------------------------------------------------------------------------------
# Where browsers open streams of events if that is another origin than the page's, and that of the pages, which alone
# may read there; empty behind a proxy that has both under one name.
LIVE_ORIGIN = env.str("LIVE_ORIGIN", default="").rstrip("/")
LIVE_PAGE_ORIGIN = env.str("LIVE_PAGE_ORIGIN", default="").rstrip("/")

# --- Browser-facing safety --------------------------------------------------------------------------------------------
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
# Scripts and styles only from files of this site. Components still set styles through the DOM, which no policy stops.
_connect = f"'self' {LIVE_ORIGIN}".strip()
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    f"font-src 'self'; connect-src {_connect}; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)

# --- Watching ---------------------------------------------------------------------------------------------------------
# The token for /metrics; without one it cannot be read.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# ``json``: one object per line without personal data (``config.watch.logs``). ``text``: readable, for the demo.
LOG_FORMAT = env.str("LOG_FORMAT", default="text" if DEMO else "json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "config.watch.logs.TextLines", "format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "config.watch.logs.JsonLines"},
    },
    "filters": {"errors": {"()": "config.watch.logs.OnlyErrors"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        # It logs each address at INFO, and addresses of a hub's file store contain credentials.
        "httpx2": {"level": "WARNING"},
        # At DEBUG these log the addresses of model servers, and whole requests.
        **{name: {"level": "WARNING"} for name in ("httpcore2", "openai")},
        # Django's own handlers would log the same again, in their own format and with addresses. Our line of the
        # request already records refusals.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"level": "ERROR", "filters": ["errors"]},
    },
}
