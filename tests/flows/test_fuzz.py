"""Every operation is sent what nobody should send: no answer is a fault of the server, each is one that is documented.

``FUZZ_EXAMPLES`` sets how many generated requests each operation gets (2 in ``make test``), each sent by all; with
more than ten, every place of every body gets every nonsense instead of a third of them.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

import hypothesis
import pytest
import schemathesis
from django.conf import settings
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase

from tests.flows.documented import DOCUMENT, is_documented
from tests.flows.stage import Stage
from tests.flows.test_walk import CASES, ROWS, Case, ask, digest, expected, fill, operations

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
EVERY = 1 if EXAMPLES > 10 else 3
UNKNOWN = ["author__password=1", "filter[x__y__regex]=1", "ordering=author__password", "expand=people", "__=1"]
schemathesis.serializer("application/offset+octet-stream")(lambda _, value: value)
DEEP: Any = []
for _ in range(300):
    DEEP = [DEEP]
NONSENSE: list[Any] = [
    "\0",
    "\ud800",
    "\u202ea",
    2**31,
    2**63,
    -1,
    10**40,
    1.5,
    True,
    None,
    "",
    "x" * 50_000,
    [],
    {},
    [None],
    {"a": [{}]},
    DEEP,
]


@pytest.fixture
def stage(tmp_path):
    settings.MEDIA_ROOT, before = tmp_path / "media", settings.MEDIA_ROOT
    yield Stage()
    settings.MEDIA_ROOT = before


def let_in(stage: Stage, operation: str, case: Case):
    """Somebody who is let in, and the row they are let in to."""
    for relation in ROWS[case.row]:
        for walker in stage.walkers:
            if walker.name != "token" and expected(case, operation, walker, relation):
                return walker, stage.target(case.row, case.state, relation, walker.name)
    raise AssertionError(f"nobody may {operation}")


def undone(call):
    """The answer; whatever was written is undone."""
    with transaction.atomic():
        answer = call()
        if answer.streaming:
            answer.getvalue()
        transaction.set_rollback(True)
    return answer


def fault(operation: str, told: str, answer) -> list[str]:
    """What is wrong with an answer, whoever got it."""
    status = answer.status_code
    if status >= 500:
        return [f"{operation} {told[:200]} → {status}"]
    if not is_documented(operation, status):
        return [f"{operation} {told[:200]} → {status} is not documented"]
    if status >= 400 and answer.wsgi_request.method != "HEAD" and "code" not in answer.json():
        return [f"{operation} {told[:200]} → {status} without a code"]
    return []


def test_unknown_parameters_are_refused_by_every_operation(stage):
    """``__`` and names that nobody documents, in the query and in the body: 400 with a code, and nothing is done."""
    wrong, before = [], digest()
    for n, (operation, method, address) in enumerate(operations()):
        case = CASES[operation][0]
        walker, row = let_in(stage, operation, case)
        for name in (UNKNOWN[0], UNKNOWN[1 + n % (len(UNKNOWN) - 1)]):
            more = f"{case.query.format(**row)}{'&' if case.query else '?'}{name}"
            answer = undone(partial(ask, walker.browser, method, f"{address}{more}", bare(case), row))
            code = answer.json()["code"] if method != "HEAD" and answer.status_code >= 400 else "invalid_input"
            if (answer.status_code, code) != (400, "invalid_input"):
                wrong.append(f"{operation}?{name} → {answer.status_code}")
        if case.body:
            body = {**case.body, "author__password": 1}
            answer = undone(partial(ask, walker.browser, method, address, bare(case, body), row))
            if answer.status_code != 400:
                wrong.append(f"{operation} with an unknown field → {answer.status_code}")
    assert not wrong, "\n".join(wrong)
    assert digest() == before


def bare(case: Case, body: dict[str, Any] | None = None) -> Case:
    """The same without what stands behind the address."""
    return replace(case, query="", body=body or case.body)


def leaves(value: Any, at: tuple[Any, ...] = ()):
    """Every place in a body where a value could stand."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield from leaves(each, (*at, name))


def with_value(body: Any, at: tuple[Any, ...], value: Any) -> Any:
    """The body with something else at one place."""
    if not at:
        return value
    copy = dict(body) if isinstance(body, dict) else list(body)
    copy[at[0]] = with_value(body[at[0]], at[1:], value)
    return copy


def test_nonsense_anywhere_in_a_body_is_no_fault_of_the_server(stage):
    """NUL, lone surrogates, huge numbers, deep nesting and wrong types, at every place of every body."""
    wrong, tried = [], 0
    for operation, method, address in operations():
        case = CASES[operation][0]
        if not case.body:
            continue
        walker, row = let_in(stage, operation, case)
        body = fill(case.body, row)
        for at in leaves(body):
            for n, value in list(enumerate(NONSENSE))[tried % EVERY :: EVERY]:
                sent = Case(case.row, case.state, with_value(body, at, value), named=case.named, headers=case.headers)
                answer = undone(partial(ask, walker.browser, method, address + case.query, sent, row))
                wrong += fault(operation, f"{at} = nonsense {n}", answer)
                tried += 1
    assert not wrong, "\n".join(wrong)
    assert tried > 3_000 / EVERY


def test_ids_beyond_any_column_are_not_found(stage):
    """An id that no column holds is nothing that is there, wherever it stands in an address."""
    wrong = []
    for operation, method, address in operations():
        case = CASES[operation][0]
        walker, row = let_in(stage, operation, case)
        numbers = [part.split(">")[0].removesuffix("_id") for part in address.split("<int:")[1:]]
        for name in numbers:
            for number in (2**31, 2**63, 10**30):
                elsewhere = replace(case, named=case.named | {name: number, f"{name}_id": number})
                answer = undone(partial(ask, walker.browser, method, address, elsewhere, row))
                wrong += fault(operation, f"{name} = {number}", answer)
                if answer.status_code != 404:
                    wrong.append(f"{operation} {name} = {number} → {answer.status_code}")
    assert not wrong, "\n".join(wrong)


def test_other_content_types_and_no_json_are_refused(stage):
    """A body that is not what its type says, or of a type that nobody reads."""
    wrong = []
    for operation, method, address in operations():
        case = CASES[operation][0]
        if method == "GET":
            continue
        walker, row = let_in(stage, operation, case)
        for declared in ("text/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
            sent = Case(
                case.row, case.state, named=case.named, headers=case.headers | {"Content-Type": declared}, content=b"{["
            )
            answer = undone(partial(ask, walker.browser, method, address + case.query, sent, row))
            wrong += fault(operation, f"as {declared!r}", answer)
            if case.body and answer.status_code < 400:
                wrong.append(f"{operation} as {declared!r} → {answer.status_code}")
    assert not wrong, "\n".join(wrong)


def test_generated_requests_as_each_role(stage, capsys):
    """What Schemathesis makes of the document, half of it to rows that are there, sent by everybody and signed out."""
    wrong: list[str] = []
    sent = 0
    nobody = Client(raise_request_exception=False)
    browsers = {walker.name: walker.browser for walker in stage.walkers} | {"signed out": nobody}

    def send_all(operation: str, made: Any, real: bool) -> None:
        nonlocal sent
        case = CASES.get(operation, [Case("site")])[0]
        for name, browser in browsers.items():
            walker = name if name != "signed out" else "annotator"
            row = stage.target(case.row, case.state, ROWS[case.row][0], walker) | case.named
            given = {**(made.path_parameters or {}), **(row if real else {})}
            answer = undone(partial(send, browser, made, given))
            wrong.extend(fault(operation, f"by {name}: {made.query} {made.body!r}", answer))
            sent += 1

    generated = hypothesis.settings(
        max_examples=EXAMPLES,
        derandomize=EXAMPLES <= 10,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for found in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations():
            api = found.ok()
            given = hypothesis.given(made=api.as_strategy(), real=hypothesis.strategies.booleans())
            generated(given(named(api.definition.raw["operationId"], send_all)))()
    with capsys.disabled():
        sys.stdout.write(f"\nsent {sent} generated requests\n")
    assert sent >= EXAMPLES * len(browsers) * 100
    assert not wrong, "\n".join(sorted(set(wrong))[:40])


def named(operation: str, send_all):
    """A test of one operation; Hypothesis wants a function with these two names and no more."""

    def once(made, real):
        send_all(operation, made, real)

    return once


def send(browser: Client, made: Any, given: dict[str, Any]):
    """Send what was generated by Django's own client, which has the role's session."""
    address = made.path
    for name in made.path_parameters or {}:
        address = address.replace(f"{{{name}}}", quote(str(given[name]), safe="") or "-")
    query = urlencode(made.query or {}, doseq=True)
    headers = {k: str(v) for k, v in (made.headers or {}).items() if k.lower() not in ("authorization", "cookie")}
    body = b""
    if isinstance(made.body, bytes):
        body = made.body
    elif not isinstance(made.body, schemathesis.core.NotSet):
        body = json.dumps(made.body, default=str).encode()
    return browser.generic(
        made.method,
        f"{address}?{query}" if query else address,
        body,
        content_type=made.media_type or "application/json",
        headers=headers,
    )
