"""A page below one benchmark's address shows no row of another: reads name the page's benchmark in ``X-Benchmark``."""

import pytest
from django.db import connection

from tests.flows.stage import Stage
from tests.flows.test_walk import CASES, KEPT_OUT, ask, operations, stage  # noqa: F401  (a fixture)
from tests.people import Role

pytestmark = pytest.mark.django_db
# Rows that lie in a benchmark, and a relation of an administrator to one of them; the address of other rows names it.
ROWS = {"image": "same_team", "package": "same_team", "peer": "same_team", "plain": "others", "submission": "others"}
# The browser fetches pictures by the addresses that answers have, without headers of ours.
FILES = {"media_show"}


def reads():
    for name, method, address in operations():
        if method == "GET" and "benchmark_slug" not in address and name not in FILES:
            for case in CASES[name]:
                if case.row in ROWS:
                    yield name, address, case


def test_no_page_shows_a_row_of_another_benchmark(stage: Stage):  # noqa: F811
    with connection.cursor() as cursor:
        cursor.execute("analyze")
    browsers = {walker.name: walker.browser for walker in stage.walkers}
    here, elsewhere = (stage.worlds[name].benchmark.slug for name in ("here", "guest"))
    wrong, tried = [], set()
    for name, address, case in reads():
        for who in (Role.ADMIN, "owner"):
            row = stage.target(case.row, case.state, ROWS[case.row], who)
            browsers[who].defaults["HTTP_X_BENCHMARK"] = here
            if ask(browsers[who], "GET", address, case, row).status_code in KEPT_OUT:
                continue
            tried.add(name)
            browsers[who].defaults["HTTP_X_BENCHMARK"] = elsewhere
            if ask(browsers[who], "GET", address, case, row).status_code != 404:
                wrong.append(f"{who}: {name} on a page of another benchmark")
    assert not wrong, "\n".join(wrong)
    assert {"item_show", "package_show", "image_show", "release_show", "run_show", "submission_show"} <= tried


def test_a_program_names_no_page(stage: Stage):  # noqa: F811
    program = stage.programs[Role.ADMIN, "item_show"]
    address = f"/api/v1/items/{stage.target('package', 'passed', 'same_team', Role.ADMIN)['item']}"
    answers = [program.get(address, headers={"X-Benchmark": page}).status_code for page in ("here", "guest")]
    assert answers == [200, 200]
