"""Lets a load driver for several annotation tools drive this one: ``docs/how-to/compare-with-other-tools.md``.

The driver asks each tool for the same steps through an adapter: sign in, next task, submit. It is a closed loop: every
annotator asks for the next task, submits it, asks again. It needs ``httpx`` and the driver's ``core.Adapter``, and
belongs into the driver's folder as ``app.py``.

The benchmark, its pictures, packages and annotators come from ``python -m tests.bench --serve``, which prints what
belongs into the environment. This tool assigns work in packages, so a task is an item of the annotator's package,
and an annotator who has written all of them ticks them, submits the package and claims the next, within the time of
``next``.
"""

import asyncio
import os
import uuid
from collections import Counter
from typing import Any

import httpx
import psycopg2
from core import Adapter  # the driver's

PASSWORD = os.environ["BENCH_PASSWORD"]
KIND = "captions"
# Five captions that share no two neighbouring characters; the driver's own text makes each submission's first one new.
REST = ["山坡上三只羊在吃草", "红色旗帜挂满了街道", "老人坐着门前喝热茶", "孩童奔跑穿过麦田间"]


class OurApp(Adapter):
    """Signs in as the bench's annotators and works through their packages."""

    name = "app"

    def __init__(self, base: str = "", db: str | None = None) -> None:
        self.base = base or os.environ.get("BENCH_URL", "http://127.0.0.1:8000")
        self.db = os.environ.get("BENCH_DATABASE", db)
        self.slug = os.environ.get("BENCH_SLUG", "bench")
        self.u: list[httpx.AsyncClient] = []
        self.package: dict[int, int] = {}
        self.tr = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=200))

    async def login(self, username: str) -> httpx.AsyncClient:
        """One cookie jar per annotator, one pool of connections for all, as for the other tools."""
        c = httpx.AsyncClient(base_url=self.base, transport=self.tr, timeout=600)
        (await c.get("/_allauth/browser/v1/config")).raise_for_status()
        c.headers["X-CSRFToken"] = c.cookies["csrftoken"]
        c.headers["Referer"] = self.base
        account = {"username": username, "password": PASSWORD}
        (await c.post("/_allauth/browser/v1/auth/login", json=account)).raise_for_status()
        c.headers["X-CSRFToken"] = c.cookies["csrftoken"]
        return c

    async def setup(self, n_users: int = 0) -> None:
        """Sign in the administrator and the annotators."""
        self.admin = await self.login(f"{self.slug}-admin")
        while len(self.u) < n_users:
            self.u.append(await self.login(f"{self.slug}-annotator{len(self.u)}"))
            self.package[len(self.u) - 1] = await self.claim(len(self.u) - 1)

    async def claim(self, user: int) -> int:
        """Claim a package, or keep the current one."""
        r = await self.u[user].post(f"/api/v1/benchmarks/{self.slug}/packages/claim", json={"kind": KIND})
        if r.status_code == 409:
            return 0
        r.raise_for_status()
        return int(r.json()["id"])

    async def submit_package(self, user: int, package: dict[str, Any]) -> None:
        """Tick every item and submit the package."""
        at = f"/api/v1/packages/{package['id']}"
        items = (await self.u[user].get(at)).json()["items"]
        ticks = [{"id": i["id"], "revision_no": i["revision_no"]} for i in items]
        body = {"revision": package["revision"], "items": ticks, "client_key": str(uuid.uuid4())}
        (await self.u[user].post(f"{at}/self-check", json=body)).raise_for_status()
        body = {"revision": package["revision"], "client_key": str(uuid.uuid4())}
        (await self.u[user].post(f"{at}/hand-over", json=body)).raise_for_status()

    async def next_task(self, pid: object, user: int) -> dict[str, Any] | None:
        """The next item of the annotator's package."""
        if not self.package[user]:
            return None
        r = await self.u[user].get(f"/api/v1/packages/{self.package[user]}/next")
        if r.status_code != 200:
            raise RuntimeError(f"{r.status_code} {r.text[:60]}")
        answer = r.json()
        if answer["items"]:
            return answer["items"][0]
        await self.submit_package(user, answer["package"])
        self.package[user] = await self.claim(user)
        return await self.next_task(pid, user)

    async def submit(self, pid: object, user: int, task: dict[str, Any], payload: str) -> None:
        """Submit one item: five captions, of which the first is the driver's text."""
        body = {
            "base_no": task["revision_no"],
            "content": {"captions": [payload, *REST]},
            "client_key": str(uuid.uuid4()),
        }
        r = await self.u[user].post(f"/api/v1/items/{task['id']}/submit", json=body)
        if r.status_code != 200:
            raise RuntimeError(f"{r.status_code} {r.text[:60]}")

    async def make_filter(self, pid: object, value: str = "todo") -> dict[str, Any]:
        """The list's filter: by category, as for the other tools."""
        r = (await self.admin.get(f"/api/v1/benchmarks/{self.slug}")).json()
        return {"category": r["categories"][0]["slug"]}

    async def list_tasks(
        self, pid: object, page: int, page_size: int, flt: dict[str, Any] | None = None
    ) -> tuple[int, int]:
        """A page of items; lists go by cursor, so page ``n`` is where the items before it end."""
        parameters = {"kind": KIND, "page_size": page_size, **(flt or {})}
        r = await self.admin.get(f"/api/v1/benchmarks/{self.slug}/items", params=parameters)
        r.raise_for_status()
        answer = r.json()
        return len(answer["results"]), answer["total"]

    async def annotated_task_ids(self, pid: object) -> Counter[int] | None:
        """Revisions stored, by item, read from the database."""
        if self.db is None:
            return None
        with psycopg2.connect(self.db) as connection, connection.cursor() as cursor:
            cursor.execute("select item_id, count(*) from annotation_itemrevision group by 1")
            return Counter(dict(cursor.fetchall()))

    async def close(self) -> None:
        """End the connections."""
        await asyncio.gather(*(c.aclose() for c in [self.admin, *self.u]))
