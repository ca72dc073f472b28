"""Every operation of the URL conf × everybody who may ask × every relation to what the address names.

Whoever is let in repeats it by a program whose token holds this operation and nothing else: it is done all the same.

The permission table says who is let in; the rows behind the ids are real, so being let in means that the work is done
or refused for its state. Whoever is kept out learns nothing and changes nothing, not a byte in any table.

A new operation needs its line in ``CASES``: which kind of row it names (``tests/flows/stage.py`` makes them), the body,
and, where the table alone does not say who is let in, ``only``.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from annotation.items.states import Relation
from annotation.packages import states as package_states
from annotation.peer import states as peer_states
from annotation.releases import states as release_states
from config.model_servers import read
from curation.benchmarks.queries import preset
from curation.core.api.views import OperationView
from curation.core.operations import OPERATIONS, Reach
from curation.core.transitions import relations_for
from curation.images import states as image_states
from tests.declared import BY_LINK, SIGNED_IN
from tests.flows.documented import is_documented
from tests.flows.stage import CAPABILITIES, DIALOGUES, READY, ROWS, TERMS_SHA256, Stage, Walker
from tests.people import PASSWORD, Role, key
from tests.sentences import five_captions, three_pairs

pytestmark = pytest.mark.django_db

# Raised whenever an operation or a relation is added; a walk that shrinks has lost something.
AT_LEAST = 11_300
KEPT_OUT = {401, 403, 404}
ADDRESS = "https://photos.example/1.jpg,CC0-1.0,Li Lei"
LIST = "zh,en\n花灯,lantern\n"
PLAIN = "variables: []\nturns:\n- {role: user, text: Hello}\norder: [text]\n"
TRIED = {"name": "cvlue-vqa", "language": "en", "no": 1, "text": PLAIN, "item": "{item}"}
TRIED |= {"server": "walked", "model": "free"}
PROMPT = "variables: [question]\nturns:\n- {role: user, text: 'What? {{question}}'}\norder: [text]\n"
# So does an answer to many rows at once tell of one that is not for whoever asks.
HIDDEN = {"not_found", "own_work"}


@dataclass(frozen=True)
class Case:
    """How one operation is asked for.

    Attributes:
        row: The kind of row that its address or body names.
        state: The state of that row, where rows stand in several.
        body: What is sent; a text ``"{name}"`` in it is filled from the row.
        named: Further parts of the address.
        query: What stands behind the address; ``{name}`` in it is filled from the row.
        only: Narrows further who is let in, by the walker's name and the relation.
        bulk: Whether it names rows in its body: who may not touch one is told so as an error in ``results``, or gets a
            list without it, and nothing changes.
        headers: What is sent besides.
        content: The body, where it is no JSON.
    """

    row: str
    state: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    named: dict[str, Any] = field(default_factory=dict)
    query: str = ""
    only: Callable[[str, str], bool] | None = None
    bulk: bool = False
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes | None = None


def not_oneself(_: str, whom: str) -> bool:
    """Nobody decides about themselves."""
    return whom != "oneself"


def writes(who: str, _: str) -> bool:
    """Only who writes for a team."""
    return who in ("annotator", "member")


def its_author_or_inspects(who: str, relation: str) -> bool:
    """Only who wrote it, inspectors and heads."""
    return relation == "written" or who in ("curator", "owner", "admin", "token")


def decides_on_categories(who: str, relation: str) -> bool:
    """Curators; who only proposes, like guests, sees the proposals of others after submitting their own."""
    return who == "owner" or (relation != "guest" and who in ("admin", "curator", "token"))


POOLS = {"review": "senior", "inspection": "curator"}


def may_judge(purpose: str) -> Callable[[str, str], bool]:
    """Only the role that judges for a pool's purpose."""
    return lambda who, _: who == POOLS[purpose]


REVISION = {"revision": 0}
TITLE = {"zh-Hans": "新", "zh-Hant": "新", "en": "New"}
# The next version, with the pool that the stage's world reviews from, and teams that ask questions.
PEER = "peer: {items_per_team: 200, spot_check_percent: 10}"
PROTOCOL = (
    preset("cvlue")
    .source.replace("self_check: true", f"self_check: true\n    review_pool: {{people: 1, held: 5}}\n  {PEER}", 1)
    .replace("\n    subset: A  # section 3.3: subset A is for visual questions and grounding\n", "\n", 1)
    .replace("\n  vqa:\n", "\n  vqa:\n    track: peer\n    per_picture: {minimum: 1, maximum: 3}\n", 1)
)
CONTENT = {"base_no": 0, "content": five_captions(1)}
OF_TEAM = {"base_no": 1, "content": three_pairs(1), "track": "peer"}
TUS = {"Tus-Resumable": "1.0.0"}
PART = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
METADATA = f"filename {base64.b64encode(b'a.jpg').decode()},client_key {base64.b64encode(key().encode()).decode()}"
NEW_UPLOAD = TUS | {"Upload-Length": "4", "Upload-Metadata": METADATA}
PARTS = {
    "kind": "captions",
    "target": "items",
    "client_key": key(),
    'file"; filename="a.jsonl': '{"image": "img-1"}',
}
PREDICTIONS = {
    "system": "新",
    "profile": "cvlue-itr/paper",
    "client_key": key(),
    'file"; filename="a.jsonl': '{"id": "x", "response": []}',
}
SET = {
    "name": "新",
    "suite": "vqa",
    "client_key": key(),
    'gold"; filename="a.json': '[{"image": "x", "question_id": 1, "question": "x", "answer": "x"}]',
}


def form(parts: dict[str, str]) -> bytes:
    """A body of ``multipart/form-data`` whose parts ``form`` keeps apart."""
    each = (f'--form\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in parts.items())
    return "".join([*each, "--form--\r\n"]).encode()


MULTIPART = {"Content-Type": "multipart/form-data; boundary=form"}
VISIBLE = {"key": "a", "box": [1, 1, 9, 9], "what": "other", "how": "exempt", "reason": "not_there"}
VERDICT = {"image": "{image}", "no": 0, "outcome": "refused", "reasons": ["watermark"], "client_key": key()}
OVERSEERS = ("owner", "admin", "token", "curator")
CASES: dict[str, list[Case]] = {
    "session_show": [Case("site")],
    "session_update": [Case("site", body={"language": "en"})],
    "preset_list": [Case("site")],
    "preset_show": [Case("site", named={"preset": "cvlue"})],
    "protocol_check": [Case("site", body={"text": PROTOCOL})],
    "protocol_list": [Case("benchmark")],
    "protocol_adopt": [Case("benchmark", body={"text": PROTOCOL, "base_version": 1, "client_key": key()})],
    "protocol_propose": [Case("benchmark", body={"text": PROTOCOL, "base_version": 1, "client_key": key()})],
    "protocol_proposal_list": [Case("benchmark")],
    "protocol_proposal_show": [Case("plain", "proposal")],
    "protocol_proposal_withdraw": [Case("plain", "proposal", body={"client_key": key()})],
    "protocol_show": [Case("benchmark", named={"version": 1})],
    "protocol_compare": [Case("benchmark", named={"version": 1}, query="?with=1")],
    "benchmark_list": [Case("site")],
    "benchmark_create": [Case("site", body={"slug": "fresh", "title": TITLE, "preset": "cvlue", "client_key": key()})],
    "category_board_show": [Case("benchmark")],
    "category_board_draft": [Case("benchmark", body={"revision": 0, "rows": []})],
    "category_board_submit": [Case("benchmark", body={"client_key": key()})],
    "category_board_add": [
        Case("benchmark", body={"field": "food", "name": {"en": "tea"}, "reason": "x", "client_key": key()})
    ],
    "category_board_import": [Case("benchmark", body={"name": "walked", "version": 1, "client_key": key()})],
    "category_board_freeze": [Case("benchmark", body={"revision": 0, "client_key": key()})],
    "category_board_entry": [Case("plain", "proposed_category", only=decides_on_categories)],
    "category_board_decide": [
        Case("plain", "proposed_category", body={"revision": 0, "action": "keep", "client_key": key()})
    ],
    "category_list_check": [Case("site", body={"text": LIST, "form": "csv"})],
    "category_list_versions": [Case("benchmark")],
    "category_list_show": [Case("benchmark", named={"name": "walked", "version": 1})],
    "category_list_create": [
        Case("benchmark", body={"name": "other", "base_version": 0, "text": LIST, "form": "csv", "client_key": key()})
    ],
    "category_list_use": [
        Case(
            "benchmark",
            named={"name": "walked", "version": 1},
            body={"base_version": 1, "client_key": key()},
        )
    ],
    "system_list": [Case("site")],
    "system_show": [Case("site", named={"system": "demo-dual-encoder"})],
    "system_fetch": [Case("site", named={"system": "chinese-clip-vit-b16"}, body={"client_key": key()})],
    "system_serve": [Case("site", body={"slug": "big", "name": "Big", "server": "walked", "client_key": key()})],
    "model_server_list": [Case("site")],
    "call_list": [Case("benchmark")],
    "call_show": [Case("plain", "call")],
    "spending_show": [Case("benchmark")],
    "spending_set": [Case("benchmark", body={"ceiling": "5", "currency": "USD", "client_key": key()})],
    "offer_add": [
        Case(
            "site",
            body={
                "server": "walked",
                "model": "m",
                "currency": "USD",
                "million_in": "1",
                "million_out": "2.5",
                "client_key": key(),
            },
        )
    ],
    "offer_withdraw": [Case("site", body={"client_key": key()})],
    "benchmark_show": [Case("benchmark")],
    "person_list": [Case("benchmark")],
    "person_show": [Case("person", only=lambda who, whom: (who, whom) != ("owner", "oneself"))],
    "role_grant": [Case("person", body={"role": "senior", "client_key": key()}, only=not_oneself)],
    "role_end": [Case("person", body={"client_key": key()}, only=not_oneself)],
    "account_close": [Case("person", body={"client_key": key()}, only=not_oneself)],
    "account_open": [Case("person", body={"client_key": key()}, only=not_oneself)],
    # One's own account opens another benchmark too, where an admin of this one is a guest.
    "password_link": [Case("person", body={"client_key": key()}, only=not_oneself)],
    "team_list": [Case("benchmark")],
    "team_create": [Case("benchmark", body={"name": "新", "client_key": key()})],
    "team_update": [Case("team", body={"name": "新", "client_key": key()})],
    # Closing ends the roles held in the team, and nobody ends their own.
    "team_close": [
        Case("team", body={"client_key": key()}, only=lambda who, team: who == "owner" or team != "same_team")
    ],
    "invitation_list": [Case("benchmark")],
    "invitation_create": [Case("team", body={"roles": ["contributor"], "team": "{team}", "client_key": key()})],
    "invitation_revoke": [Case("team", body={"client_key": key()})],
    "invitation_read": [Case("link", body={"token": "{join}"})],
    "invitation_accept": [
        Case("link", body={"token": "{join}", "username": "fresh", "name": "新", "password": PASSWORD})
    ],
    "password_set": [Case("link", body={"token": "{password}", "password": PASSWORD})],
    "password_change": [Case("site", body={"current_password": PASSWORD, "new_password": "another-long-password"})],
    "mail_show": [Case("site")],
    "address_set": [Case("site", body={"address": "walker@example.org"})],
    "address_remove": [Case("site", body={})],
    "digest_set": [Case("site", body={"digest": "daily"})],
    "mail_stop": [Case("link", body={"token": "{stop}"})],
    "address_confirm": [Case("link", body={"token": "{address}"})],
    "consent_show": [Case("benchmark")],
    "consent_give": [Case("benchmark", body={"text_sha256": "{consent}", "eligibility": [], "client_key": key()})],
    "consent_withdraw": [Case("benchmark", body={"client_key": key()})],
    "token_list": [Case("site")],
    "token_create": [
        Case(
            "benchmark",
            body={
                "name": "新",
                "benchmark": "{benchmark}",
                "operations": ["benchmark_show"],
                "days": 1,
                "client_key": key(),
            },
        )
    ],
    "token_revoke": [Case("token", body={"client_key": key()}, only=lambda _, token: token == "written")],
    "notice_list": [Case("site")],
    "notice_read": [Case("site", body={"up_to": 1})],
    "guideline_list": [Case("benchmark")],
    "guideline_show": [Case("benchmark", named={"kind": "captions"})],
    "guideline_picture": [Case("benchmark", named={"kind": "captions", "label": f"img-{READY:04d}"})],
    "guideline_preset": [Case("benchmark", named={"kind": "captions"})],
    "guideline_add": [
        Case(
            "benchmark", named={"kind": "captions"}, body={"base_version": 1, "text": {"en": "新"}, "client_key": key()}
        )
    ],
    "guideline_acknowledge": [Case("benchmark", named={"kind": "captions"}, body={"version": 1})],
    "prompt_list": [Case("benchmark")],
    "prompt_show": [Case("benchmark", named={"name": "cvlue-vqa", "language": "en", "no": 1})],
    "prompt_add": [
        Case(
            "benchmark",
            body={"name": "cvlue-vqa", "language": "en", "base_no": 1, "text": PROMPT, "client_key": key()},
        )
    ],
    "prompt_preview": [
        Case("benchmark", body={"name": "cvlue-vqa", "language": "en", "no": 1, "text": PROMPT}),
        Case("package", "passed", named={}, body={"name": "cvlue-vqa", "language": "en", "no": 1, "item": "{item}"}),
    ],
    "answer_price": [Case("package", "passed", named={}, body=TRIED)],
    "answer_try": [Case("package", "passed", named={}, body={**TRIED, "client_key": key()})],
    "answer_show": [Case("plain", "trial")],
    "audit_file": [Case("benchmark")],
    "audit_list": [Case("benchmark")],
    "waiting_show": [Case("benchmark")],
    "find": [Case("benchmark", query="?q=cap-1")],
    "run_list": [Case("benchmark")],
    "run_start": [
        Case(
            "plain",
            "scored",
            body={"system": "scored", "suite": "retrieval", "release": "{release_id}", "client_key": key()},
        )
    ],
    "set_list": [Case("benchmark")],
    "set_create": [Case("benchmark", content=form(SET), headers=MULTIPART)],
    "set_show": [Case("plain", "set")],
    "set_run_start": [Case("plain", "set", body={"systems": ["demo-scripted"], "client_key": key()})],
    "set_run_plan": [Case("plain", "set", body={"systems": ["demo-scripted"]})],
    "set_scores": [Case("plain", "set")],
    "set_board": [Case("plain", "set")],
    "set_board_file": [Case("plain", "set", named={"name": "leaderboard.csv"})],
    "set_board_compare": [Case("plain", "set", query="?one=run-{run_id}&other=run-{run_id}")],
    "set_picture": [Case("plain", "set")],
    "prediction_list": [Case("plain", "set")],
    "prediction_filters": [Case("plain", "set")],
    "prediction_show": [Case("plain", "set", named={"ordinal": 1})],
    "prediction_override": [
        Case("plain", "set", named={"ordinal": 1}, body={"answer": "y", "reason": "错", "client_key": key()})
    ],
    "run_report": [Case("plain", "set")],
    "run_predictions": [Case("plain", "set")],
    "run_show": [Case("plain", "running")],
    "run_failures": [Case("plain", "running")],
    "run_pause": [Case("plain", "running", body={"client_key": key()})],
    "run_resume": [Case("plain", "held", body={"client_key": key()})],
    "run_cancel": [Case("plain", "held", body={"client_key": key()})],
    "run_retry": [Case("plain", "running", body={"client_key": key()})],
    "image_list": [Case("benchmark")],
    "image_file": [Case("benchmark")],
    "image_counts": [Case("benchmark")],
    "upload_options": [Case("site", named={"benchmark": "cvlue"})],
    "upload_list": [Case("benchmark")],
    "upload_create": [Case("benchmark", headers=NEW_UPLOAD, content=b"")],
    "upload_offset": [Case("upload", "receiving", headers=TUS)],
    "upload_part": [Case("upload", "receiving", headers=TUS | PART, content=b"abcd")],
    "upload_drop": [Case("upload", "receiving", headers=TUS)],
    "upload_thumb": [Case("upload", "ready")],
    "upload_describe": [Case("upload", "ready", body={"ids": ["{upload}"], "details": {"author": "新"}}, bulk=True)],
    "upload_take": [Case("upload", "ready", body={"ids": ["{upload}"], "client_key": key()}, bulk=True)],
    "url_setting_show": [Case("benchmark")],
    "url_setting_update": [Case("benchmark", body={"is_on": True, "client_key": key()})],
    "url_list_list": [Case("benchmark")],
    "url_list_preview": [Case("benchmark", body={"text": ADDRESS})],
    "url_list_create": [Case("benchmark", body={"text": ADDRESS, "client_key": key()})],
    "url_list_show": [Case("upload", "ready")],
    "url_list_retry": [Case("upload", "ready", body={"client_key": key()})],
    "image_hold": [Case("benchmark", body={"size": 1})],
    "image_hold_renew": [Case("benchmark")],
    "image_hold_release": [Case("benchmark")],
    "cover_hold": [Case("benchmark", body={"size": 1})],
    "cover_hold_renew": [Case("benchmark")],
    "cover_hold_release": [Case("benchmark")],
    "package_list": [Case("benchmark")],
    "package_file": [Case("benchmark")],
    "package_build": [Case("benchmark", body={"kind": "captions", "client_key": key()})],
    "package_preview": [Case("benchmark", body={"kind": "captions"})],
    "package_claim": [Case("benchmark", body={"kind": "captions"})],
    "package_assign": [
        Case("package", "available", body=REVISION | {"person": "{free_annotator}", "client_key": key()})
    ],
    "package_take_back": [Case("package", "returned", body=REVISION | {"client_key": key()})],
    "package_withdraw": [Case("package", "available", body=REVISION | {"client_key": key()})],
    "board_show": [Case("benchmark")],
    "item_list": [Case("benchmark")],
    "item_file": [Case("benchmark")],
    "item_import": [
        Case("benchmark", body={"kind": "captions", "rows": [{"image": f"img-{READY}"}], "client_key": key()})
    ],
    "bulk_list": [Case("benchmark")],
    "bulk_prepare": [Case("benchmark", body={"action": "exclude", "filters": {}, "params": {"reason": "x"}})],
    "bulk_show": [Case("plain", "prepared bulk")],
    "bulk_apply": [Case("plain", "prepared bulk", body={"client_key": key()})],
    # Of pictures' categories, which owners do not change.
    "bulk_undo": [Case("plain", "stopped bulk", body={"client_key": key()}, only=lambda who, _: who != Role.OWNER)],
    "import_list": [Case("benchmark")],
    "import_create": [Case("benchmark", content=form(PARTS), headers=MULTIPART)],
    "import_show": [Case("plain", "import")],
    "import_rows": [Case("plain", "import")],
    "release_list": [Case("benchmark")],
    "release_create": [Case("benchmark", body={"kinds": ["captions"], "client_key": key()})],
    "job_show": [Case("plain", "job")],
    "release_show": [Case("plain", "frozen")],
    "release_gates": [Case("plain", "frozen")],
    "release_changes": [Case("plain", "frozen", query="?change=added")],
    "release_update": [Case("plain", "draft", body={"seed": "2", "client_key": key()})],
    "release_check": [Case("plain", "draft", body={"client_key": key()})],
    "release_reopen": [Case("plain", "draft", body={"client_key": key()})],
    "release_freeze": [Case("plain", "draft", body={"client_key": key()})],
    "release_write": [Case("plain", "draft", body={"client_key": key()})],
    "release_publish": [Case("plain", "draft", body={"client_key": key()})],
    "release_withdraw": [Case("plain", "draft", body={"reason": "错", "client_key": key()})],
    "release_file": [Case("plain", "frozen")],
    "release_key": [Case("plain", "frozen", named={"name": "a-key.jsonl"})],
    "release_archive": [Case("plain", "frozen")],
    "publication_show": [Case("benchmark")],
    "publication_update": [Case("benchmark", body={"is_open": True, "client_key": key()})],
    "publication_preview": [Case("benchmark", named={"page": "en/"})],
    "public_release_open": [Case("plain", "frozen", body={"client_key": key()})],
    "public_release_close": [Case("plain", "frozen", body={"client_key": key()})],
    "erratum_list": [Case("benchmark")],
    "erratum_report": [Case("plain", "scored", body={"item": "{released}", "text": "错", "client_key": key()})],
    "erratum_confirm": [Case("erratum", "reported", body={"note": {"en": "x"}, "client_key": key()})],
    "erratum_reject": [Case("erratum", "reported", body={"note": {"en": "x"}, "client_key": key()})],
    "erratum_withdraw": [Case("erratum", "confirmed", body={"note": {"en": "x"}, "client_key": key()})],
    "release_scores": [Case("plain", "frozen")],
    "release_score": [Case("plain", "frozen", body={"client_key": key()})],
    "leaderboard_show": [Case("plain", "scored")],
    "leaderboard_compare": [Case("plain", "scored", query="?one={run}&other={run}&scope=t2i&metric=R@1")],
    "leaderboard_profile": [Case("plain", "scored")],
    "leaderboard_profile_compare": [
        Case("plain", "scored", query="?one=submission-{listed}&other=submission-{listed}")
    ],
    "leaderboard_file": [Case("plain", "scored", named={"name": "leaderboard.csv"})],
    "submission_releases": [Case("benchmark")],
    "submission_list": [Case("plain", "scored")],
    "submission_create": [Case("plain", "scored", content=form(PREDICTIONS), headers=MULTIPART)],
    "submission_template": [Case("plain", "scored")],
    "submission_show": [Case("submission")],
    "submission_file": [Case("submission")],
    "submission_list_on": [Case("submission", body={"client_key": key()})],
    "submission_list_off": [Case("submission", body={"client_key": key()})],
    "submission_hide": [Case("submission", body={"reason": "x", "client_key": key()})],
    "submission_unhide": [Case("submission", body={"client_key": key()})],
    "crew_show": [Case("plain", "scored")],
    "crew_name": [Case("plain", "scored", body={"name": "新", "client_key": key()})],
    "crew_link": [Case("plain", "scored", body={"client_key": key()})],
    "crew_invitation": [Case("plain", "scored", body={"token": "{crew}"})],
    "crew_join": [Case("plain", "scored", body={"token": "{crew}", "client_key": key()})],
    "crew_leave": [Case("plain", "scored", body={"client_key": key()})],
    "outsider_list": [Case("plain", "scored")],
    "outsider_bar": [Case("plain", "scored", body={"client_key": key()})],
    "outsider_readmit": [Case("plain", "scored", body={"client_key": key()})],
    "submit_show": [Case("plain", "scored")],
    "submit_join": [Case("plain", "scored", body={"username": "fresh", "name": "新", "password": PASSWORD})],
    "terms_accept": [Case("plain", "scored", body={"terms_sha256": TERMS_SHA256, "client_key": key()})],
    "sample_list": [Case("plain", "scored")],
    "sample_show": [Case("plain", "scored", named={"scope": "t2i", "ordinal": 0})],
    "image_show": [Case("image")],
    "image_items": [Case("image")],
    "image_releases": [Case("image")],
    "image_judge": [Case("image", body={"verdicts": [VERDICT]}, bulk=True)],
    "image_clear": [Case("image", body={"images": [{"image": "{image}", "no": 0, "client_key": key()}]}, bulk=True)],
    "image_correct": [Case("image", body={"licence": "CC0-1.0", "client_key": key()})],
    "image_take_down": [Case("image", body={"reason": "rights", "client_key": key()})],
    "image_restore": [Case("image", "withdrawn", body={"client_key": key()})],
    "image_share": [Case("image", body={"images": [{"image": "{image}", "no": 0, "client_key": key()}]}, bulk=True)],
    "image_regions": [Case("image")],
    "image_cover": [Case("image", body={"no": 0, "regions": [VISIBLE], "client_key": key()})],
    "media_show": [Case("image", "ticked"), Case("package", "working"), Case("peer", "made")],
    "package_show": [Case("package", "working")],
    "package_items": [Case("package", "working")],
    "package_resume": [Case("package", "returned", body=REVISION | {"client_key": key()})],
    "work_next": [Case("package", "working")],
    "draft_save": [
        Case("package", "working", body=CONTENT | {"seq": 1}),
        Case("peer", "returned", body=OF_TEAM | {"seq": 1}, only=writes),
    ],
    "draft_delete": [Case("package", "working"), Case("peer", "made")],
    "item_submit": [
        Case("package", "working", body=CONTENT | {"client_key": key()}),
        Case("peer", "returned", body=OF_TEAM | {"client_key": key()}, only=writes),
    ],
    "item_skip": [
        Case(
            "package",
            "working",
            body={"base_no": 0, "comment": "没有主体", "client_key": key()},
        )
    ],
    "package_self_check": [
        Case(
            "package",
            "working",
            body=REVISION | {"items": [{"id": "{item}", "revision_no": 0}], "client_key": key()},
        )
    ],
    "package_hand_over": [Case("package", "working", body=REVISION | {"client_key": key()})],
    "package_sheet": [Case("package", "reviewing")],
    "package_review_take": [Case("package", "handed_over", body=REVISION | {"client_key": key()})],
    "item_review": [
        Case(
            "package",
            "reviewing",
            body={"revision_no": 1, "outcome": "accept", "client_key": key()},
        )
    ],
    "package_review_complete": [Case("package", "reviewing", body=REVISION | {"client_key": key()})],
    "inspection_show": [Case("package", "inspecting"), Case("package", "passed")],
    "item_inspect": [Case("package", "inspecting", body={"revision_no": 1, "outcome": "right", "client_key": key()})],
    "package_inspection_complete": [Case("package", "inspecting", body=REVISION | {"client_key": key()})],
    "item_skip_decide": [Case("package", "skipped", body={"agree": True, "client_key": key()})],
    "quality_show": [Case("benchmark")],
    # A purpose is open to those who judge for it.
    "pool_show": [
        Case("benchmark", named={"purpose": purpose}, query="?kind=captions", only=may_judge(purpose))
        for purpose in POOLS
    ],
    "pool_claim": [
        Case("benchmark", body={"kind": "captions", "count": 1}, named={"purpose": purpose}, only=may_judge(purpose))
        for purpose in POOLS
    ],
    "pool_renew": [
        Case("benchmark", body={"seats": [1]}, named={"purpose": purpose}, only=may_judge(purpose)) for purpose in POOLS
    ],
    "pool_release": [
        Case("benchmark", body={"seats": [1]}, named={"purpose": purpose}, only=may_judge(purpose)) for purpose in POOLS
    ],
    "item_show": [Case("package", "passed"), Case("peer", "made")],
    "item_history": [Case("package", "passed"), Case("peer", "made")],
    "item_people": [Case("package", "working"), Case("peer", "made")],
    "item_double": [Case("package", "passed"), Case("peer", "made")],
    "comment_list": [Case("package", "passed"), Case("peer", "made")],
    "comment_add": [
        Case(row, state, body={"text": "新", "mentions": [], "client_key": key()})
        for row, state in (("package", "reviewing"), ("peer", "made"))
    ],
    "concept_list": [Case("package", "working"), Case("peer", "made")],
    "concept_add": [
        Case(row, state, body={"local": "新", "client_key": key()})
        for row, state in (("package", "working"), ("peer", "made"))
    ],
    "concept_retire": [
        Case(row, state, body={"client_key": key()}, only=its_author_or_inspects)
        for row, state in (("package", "working"), ("peer", "made"))
    ],
    "blind_trial_list": [Case("package", "passed"), Case("peer", "made")],
    "drafting_yield": [Case("benchmark")],
    "drafting_list": [Case("package", "working"), Case("peer", "made")],
    "drafting_request": [
        Case(row, state, body={"concept": "{concept}", "client_key": key()})
        for row, state in (("package", "working"), ("peer", "made"))
    ],
    "candidate_use": [
        Case("peer", "made", body={"no": 0, "item": "{item}", "client_key": key()}),
    ],
    "candidate_discard": [
        Case(row, state, body={"no": 0, "reason": "too_easy", "client_key": key()})
        for row, state in (("package", "working"), ("peer", "made"))
    ],
    "team_board": [Case("peer", "made", query="?kind=vqa&team={team}")],
    "team_places": [Case("peer", "made", query="?kind=vqa&team={team}")],
    "peer_item_show": [Case("peer", "made")],
    "item_create": [Case("peer", "made", body={"kind": "vqa", "image": "{image}", "client_key": key()})],
    "item_star": [Case("peer", "made", body={"revision_no": 1, "client_key": key()})],
    "item_send_back": [Case("peer", "made", body={"revision_no": 1, "comment": "错", "client_key": key()})],
    "item_spot_check": [
        Case("peer", "accepted", body={"revision_no": 1, "outcome": "wrong", "comment": "错", "client_key": key()})
    ],
    "item_judge": [Case("panel", "made", body={"revision_no": 1, "outcome": "pass", "client_key": key()})],
    "item_reopen": [
        Case(row, "accepted", body={"revision_no": 1, "comment": "错", "client_key": key()})
        for row in ("panel", "pair")
    ],
    "clicking_show": [Case("benchmark", query="?kind=grounding")],
    "click_claim": [Case("benchmark", body={"kind": "grounding"})],
    "item_click": [Case("pair", "made", body={"position": 1, "answer": "several", "client_key": key()})],
    "item_clicks": [Case("pair", "made")],
    "item_decide": [Case("pair", "made", body={"revision_no": 1, "outcome": "right", "client_key": key()})],
    "lobby_show": [Case("benchmark")],
    "lobby_join": [Case("benchmark", body={"parts": ["question"]})],
    "lobby_leave": [Case("benchmark", body={})],
    "dialogue_show": [Case("dialogue", state) for state in DIALOGUES],
    "turn_list": [Case("dialogue", "open")],
    "turn_say": [Case("dialogue", "open", body={"no": 2, "text": "他在喝茶。", "client_key": key()})],
    "dialogue_sign": [Case("dialogue", state, body={"typing": state == "open"}) for state in DIALOGUES],
    "dialogue_pause": [Case("dialogue", "open", body={"client_key": key()})],
    "dialogue_resume": [Case("dialogue", "paused", body={})],
    "dialogue_leave": [Case("dialogue", "paused", body={"reason": "other", "client_key": key()})],
    "credit_list": [Case("benchmark")],
    "credit_file": [Case("benchmark")],
    "team_statistics": [Case("benchmark", query="?kind=vqa")],
    "spot_check_list": [Case("benchmark", query="?kind=vqa")],
    "spot_check_draw": [Case("benchmark", body={"kind": "vqa", "client_key": key()})],
    "spot_check_sheet": [Case("benchmark", query="?kind=vqa")],
    "item_exclude": [
        Case(row, state, body={"revision_no": 1, "reason": "错", "client_key": key()})
        for row, state in (("package", "passed"), ("peer", "accepted"))
    ],
    "item_confirm": [
        Case(row, state, body={"revision_no": 1, "picture_no": 0, "client_key": key()})
        for row, state in (("package", "passed"), ("peer", "accepted"))
    ],
    # Curators discard items of closed teams alone, and heads those before panels.
    "item_discard": [
        Case("peer", "made", body={"revision_no": 1, "client_key": key()}, only=lambda name, _: name not in OVERSEERS)
    ],
    "peer_pool_show": [Case("peer", "made", query="?kind=vqa&team={team}")],
    "peer_pool_claim": [Case("peer", "made", body={"kind": "vqa", "team": "{team}"})],
    "peer_pool_renew": [Case("benchmark", body={"seats": [1]})],
    "peer_pool_release": [Case("benchmark", body={"seats": [1]})],
}
# Let in, but the rows stand one step before what these finish: they are refused for the state, which is no 401-404.
REFUSED_FOR_STATE = {
    "category_list_use",  # there are items
    "category_board_submit",  # nothing proposed
    "category_board_freeze",  # undecided categories
    "click_claim",  # nothing waits
    "package_resume",  # another package is open
    "package_hand_over",
    "package_review_complete",
    "package_inspection_complete",
    "item_double",  # nobody else does it
    "item_confirm",  # nothing was covered
    "item_judge",  # without a seat
    "item_click",  # without a seat
    "release_check",  # its gates fail
    "release_reopen",
    "release_freeze",
    "release_write",
    "release_publish",
    "public_release_open",
    "public_release_close",
    "submission_unhide",  # not hidden
    "crew_link",  # without a crew
    "crew_leave",
    "outsider_readmit",  # not barred
    "upload_take",  # not described
    "set_run_start",  # no worker is alive
    "drafting_request",  # the protocol sets none
    "candidate_use",  # of another kind than the item
}


def operations(resolver=None, prefix="/"):
    """Every operation with method and address, read from the URL conf."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from operations(entry, address)
        elif isinstance(entry, URLPattern) and issubclass(getattr(entry.callback, "view_class", object), OperationView):
            for method, name in entry.callback.view_class.operations.items():
                yield name, method, address


TABLES = {
    "image": image_states.TABLE,
    "package": package_states.TABLE,
    "peer": peer_states.TABLE,
    "panel": peer_states.PANEL,
    "pair": peer_states.PAIR,
    "erratum": release_states.ERRATA,
}
# Relations of a walker to a row in the words of its state table; "" stands for every other relation.
RELATIONS = {
    "image": {
        "written": {image_states.Relation.CONTRIBUTOR},
        "": {image_states.Relation.NOT_CONTRIBUTOR},
    },
    "panel": {"": {Relation.NOT_MAKER, Relation.SEAT_HOLDER}},
    "pair": {"": {Relation.NOT_MAKER, Relation.SEAT_HOLDER, Relation.DECIDES}},
    "erratum": {"written": set(), "": {release_states.Relation.NOT_REPORTER}},
    "package": {
        "written": {Relation.ASSIGNEE},
        "reviewed": {Relation.REVIEWER, Relation.NOT_ASSIGNEE},
        "": {Relation.NOT_ASSIGNEE, Relation.UNINVOLVED},
    },
    "peer": {
        "written": {
            Relation.TEAM_MEMBER,
            Relation.NEWEST_AUTHOR,
            Relation.FIRST_AUTHOR_OR_LEAD,
            Relation.NOT_HELD_BY_OTHERS,
            Relation.DRAWN,
        },
        "same_team": {
            Relation.TEAM_MEMBER,
            Relation.NOT_NEWEST_AUTHOR,
            Relation.NOT_HELD_BY_OTHERS,
            Relation.DRAWN,
        },
        "": {Relation.NOT_NEWEST_AUTHOR, Relation.NOT_HELD_BY_OTHERS, Relation.DRAWN},
    },
}


# What is open to those who see a picture in their work.
OF_PICTURES = ("concept_list", "concept_add", "concept_retire", "drafting_list")
OF_PICTURES += ("drafting_request", "candidate_use", "candidate_discard")


def expected(case: Case, operation: str, walker: Walker, relation: str) -> bool:
    """Whether the permission table lets somebody in."""
    if case.only is not None and not case.only(walker.name, relation):
        return False
    width = walker.reach(operation, relation)
    if operation in BY_LINK or (operation in SIGNED_IN and case.row != "benchmark"):
        return walker.name != "token" or operation in ("session_show", "benchmark_list")
    if case.row == "site":
        return {width, walker.reach(operation, "guest")} != {Reach.NONE}  # anywhere is enough
    if width is Reach.NONE:
        return False
    if case.row in ("benchmark", "plain", "person", "site"):
        return True
    if operation == "media_show" and case.row == "package" and width is not Reach.ALL:
        # Who collects, too, reaches the team's pictures, and besides those of the packages that they write.
        writes = not {"annotate", "verify"}.isdisjoint(CAPABILITIES[walker.name] or ())
        return writes and relation == "written"
    return _reached(case, operation, width, relation)


def _reached(case: Case, operation: str, width: Reach, relation: str) -> bool:
    """Whether a row lies within a reach, and its state table lets somebody in who relates to it like this."""
    table = TABLES.get(case.row, {})
    if any(row.operation == operation for row in table.values()):
        theirs = RELATIONS[case.row].get(relation, RELATIONS[case.row][""])
        if not theirs.issuperset(relations_for(table, operation, case.state)):
            return False
    if width is Reach.ALL:
        return True
    if case.row == "upload":
        return relation == "written"
    if width is Reach.TEAM and relation == "same_team" and case.row in ("image", "team"):
        return True
    if case.row == "peer":
        return relation in ("written", "same_team")
    if operation == "media_show" and case.row == "image" and relation == "same_team":
        return True  # a ticked picture of the team: its members may write about it in the peer track
    if operation in OF_PICTURES and case.row == "package":
        return relation == "written"
    return relation == "written" or (relation == "reviewed" and width in (Reach.ASSIGNED, Reach.TEAM))


# The only rows that a GET of these operations writes, and what writes them. Public pages, which are none of them, count
# downloads (``evaluation.publication.services.count_download``).
EXPOSURES = {"curation_exposure", "curation_exposureall"}
SENDS_PICTURES = {"media_show", "guideline_picture", "release_file", "release_archive", "publication_preview"}


@cache
def tables() -> list[str]:
    """Every table of ours."""
    return sorted(
        m._meta.db_table
        for label in ("curation", "annotation", "evaluation")
        for m in apps.get_app_config(label).get_models()
    )


def digest() -> list[tuple]:
    """Every row of every table of ours as one checksum and a count a table."""
    each = (f"select '{t}', count(*), md5(string_agg(r::text, '|' order by r::text)) from {t} r" for t in tables())
    with connection.cursor() as cursor:
        cursor.execute(" union all ".join(each))
        return sorted(cursor.fetchall())  # several processes may answer, in any order


def writes() -> int:
    """How many rows this connection's open transaction wrote so far, those undone since included."""
    counted = "pg_stat_get_xact_tuples_{}(oid)"
    each = " + ".join(counted.format(what) for what in ("inserted", "updated", "deleted"))
    with connection.cursor() as cursor:
        cursor.execute(f"select sum({each}) from unnest(%s::oid[]) oid", [oids()])
        return int(cursor.fetchone()[0])


@cache
def oids() -> str:
    """The numbers of all tables of ours, as PostgreSQL writes an array: looking up 70 names takes long."""
    with connection.cursor() as cursor:
        cursor.execute("select %s::regclass[]::oid[]::text", [tables()])
        return str(cursor.fetchone()[0])


@pytest.fixture
def stage(tmp_path):
    settings.MEDIA_ROOT, before = tmp_path / "media", settings.MEDIA_ROOT
    # Named, and never asked: no worker runs here.
    settings.MODEL_SERVERS, servers = read(["walked=http://127.0.0.1:9"], {}), settings.MODEL_SERVERS
    settings.MAIL_CONFIGURED = True
    settings.SIGN_UP, sign_up = "open", settings.SIGN_UP
    rates = settings.ACCOUNT_RATE_LIMITS
    settings.ACCOUNT_RATE_LIMITS = rates | {"sign_up_tried": "1000/h/ip", "sign_up": "1000/h/ip"}
    yield Stage()
    settings.MAIL_CONFIGURED = False
    settings.MEDIA_ROOT, settings.MODEL_SERVERS = before, servers
    settings.SIGN_UP, settings.ACCOUNT_RATE_LIMITS = sign_up, rates


def fill(value: Any, row: dict[str, Any]) -> Any:
    """Put the row's numbers where the body names them."""
    if isinstance(value, dict):
        return {name: fill(each, row) for name, each in value.items()}
    if isinstance(value, list):
        return [fill(each, row) for each in value]
    named = isinstance(value, str) and value.startswith("{") and value.endswith("}")
    return row[value[1:-1]] if named else value


def ask(browser: Client, method: str, address: str, case: Case, row: dict[str, Any]):
    """Send the request that fits."""
    for name, value in (row | case.named).items():
        # A part of an address is called as in the view or, where it goes on to a service as it is, as there.
        address = re.sub(rf"<(int|slug|str|uuid|path):{name}(_id|_slug)?>", str(value), address)
    assert "<" not in address, f"{address}: the row says nothing about this part"
    address += case.query.format(**row)
    if method == "GET":
        return browser.get(address, headers=case.headers)
    sent = json.dumps(fill(case.body, row)) if case.content is None else case.content
    declared = case.headers.get("Content-Type", "application/json")
    cookies = browser.cookies.copy()
    answer = browser.generic(method, address, sent, content_type=declared, headers=case.headers)
    browser.cookies = cookies  # a renewed session is rolled back with the step
    return answer


def error_of_row(answer) -> str | None:
    """What an answer to many rows says of the one that was named; a row it leaves out is not there for the asker."""
    told = answer.json()
    if isinstance(told, list):
        return None if told else "not_found"
    error = told["results"][0]["error"]
    return error["code"] if error else None


class Walk:
    """Counts what was tried and notes what went wrong."""

    def __init__(self) -> None:
        self.n = 0
        self.wrong: list[str] = []
        self.done: set[str] = set()
        self.before = digest()
        self.written = writes()

    def step(self, told: str, operation: str, let_in: bool, call, *, bulk: bool = False) -> bool:
        """Ask, look at the answer and at every table, and undo whatever was done; return whether it was done."""
        self.n += 1
        with transaction.atomic():
            answer = call()
            status = answer.status_code
            inside = status not in KEPT_OUT
            error = error_of_row(answer) if bulk and status == 200 else None
            inside = inside and error not in HIDDEN
            is_done = let_in and inside and status < 300 and error is None
            if is_done:
                self.done.add(operation)
            if told.startswith("outsider") and status == 403:
                self.wrong.append(f"{told} → 403 shows an outsider that there is something")
            if not is_documented(operation, status):
                self.wrong.append(f"{told} → {status} is not documented")
            if inside is not let_in or status >= 500 or status == 400:
                self.wrong.append(f"{told} → {status}, {'let in' if let_in else 'kept out'} expected")
            if status in KEPT_OUT and answer.wsgi_request.method != "HEAD" and "code" not in answer.json():
                self.wrong.append(f"{told} → a refusal without a code")
            read = answer.wsgi_request.method == "GET"
            # Only a step writes, so what was counted after the last one is what there was before this one. Writes that
            # were undone count as well, so the tables themselves have the last word.
            written, self.written = self.written, writes()
            if (not inside or status >= 400 or read) and self.written != written and (now := digest()) != self.before:
                tables = {row[0] for row in set(now) ^ set(self.before)}
                if read and inside and operation in SENDS_PICTURES:
                    tables -= EXPOSURES
                if tables:
                    self.wrong.append(f"{told} → changed {', '.join(sorted(tables))}")
            if answer.streaming:
                answer.getvalue()  # ends it as a server would, with the database left open
            transaction.set_rollback(True)
        return is_done


def test_walk(stage, capsys):
    found = list(operations())
    assert {name for name, _, _ in found} == set(CASES) == set(OPERATIONS)
    walk, nobody = Walk(), Client(raise_request_exception=False)
    every = [(o, m, a, case, r) for o, m, a in found for case in CASES[o] for r in ROWS[case.row]]
    for operation, method, address, case, relation in every:
        told = f"{relation}: {method} {operation} {case.state}"
        for walker in stage.walkers:
            row = stage.target(case.row, case.state, relation, walker.name)
            let_in = expected(case, operation, walker, relation)
            call = partial(ask, walker.browser, method, address, case, row)
            is_done = walk.step(f"{walker.name} {told}", operation, let_in, call, bulk=case.bulk)
            program = stage.programs.get((walker.name, operation))
            is_open = relation not in ("guest", "unknown") and walker.reach(operation, relation) is not Reach.NONE
            if is_done and program is not None and (is_open or operation in SIGNED_IN):
                call = partial(ask, program, method, address, case, row)
                if not walk.step(f"{walker.name}'s program {told}", operation, True, call, bulk=case.bulk):
                    walk.wrong.append(f"{walker.name}'s program {told} → not done with a token for this alone")
        call = partial(ask, nobody, method, address, case, row)
        walk.step(f"signed out {told}", operation, operation in BY_LINK, call)
    with capsys.disabled():
        sys.stdout.write(f"\nwalked {walk.n} combinations of {len(found)} operations\n")
    assert not walk.wrong, "\n".join(walk.wrong)
    assert set(CASES) - walk.done == REFUSED_FOR_STATE
    assert walk.n >= AT_LEAST


def test_the_walk_notices_a_change(stage):
    before, written = digest(), writes()
    with transaction.atomic():
        stage.home.annotator.name = "x"
        stage.home.annotator.save(update_fields=["name"])
        assert (digest() != before, writes() != written) == (True, True)
        transaction.set_rollback(True)
    assert digest() == before
