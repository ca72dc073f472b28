"""The installation moved into a bucket, which an emulator stands for: nginx sends files from there."""

from __future__ import annotations

import json
import re
import sys

import boto3

from tools.deploy_check.browser import Browser
from tools.deploy_check.checks import check_picture
from tools.deploy_check.programs import free_port, listens
from tools.deploy_check.report import check, say, wait_until
from tools.deploy_check.stage import FILES, WEB_UNITS, Stage

NAME = "lantern"


def check_bucket(stage: Stage, nginx: str) -> None:
    """Move the files into a bucket, put ``nginx-bucket.conf`` into the proxy, and look at a picture again."""
    port = free_port()
    stage.start("bucket", [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], stage.base)
    wait_until(lambda: listens(port), "the emulator of a bucket")
    endpoint, keys = f"http://127.0.0.1:{port}", ("check", "only-for-checks")
    boto3.session.Session(*keys, region_name="us-east-1").client("s3", endpoint_url=endpoint).create_bucket(Bucket=NAME)
    settings = {"BUCKET": NAME, "ENDPOINT": endpoint, "KEY_ID": keys[0], "SECRET": keys[1], "PREFIX": "check"}
    stage.environment |= {f"OBJECT_STORE_{name}": value for name, value in settings.items()}
    moved = stage.manage("move_to_bucket", "--remove").splitlines()[-1]
    check(moved.endswith(", none left here") and not moved.startswith("0 sent"), "files move into the bucket", moved)
    again = stage.manage("move_to_bucket").splitlines()[-1]
    check(again == "0 sent, 0 were there", "nothing is left to be moved", again)
    for name in (*WEB_UNITS, "nginx"):
        stage.stop(name)
    site = stage.folder / "site.conf"
    text, replaced = re.subn(
        r"    # Pictures: the application.*?\n    }\n",
        lambda _: (FILES / "nginx-bucket.conf").read_text(),
        site.read_text(),
        flags=re.DOTALL,
    )
    check(replaced == 1, "nginx-bucket.conf takes the place of the folder")
    site.write_text(text.replace("https://s3.example.org/", f"{endpoint}/").replace("s3.example.org", endpoint[7:]))
    stage.start("nginx", [nginx, "-c", str(stage.folder / "nginx.conf"), "-p", str(stage.folder)])
    for unit in WEB_UNITS:
        stage.start_unit(unit)
    ports = [stage.ports[name] for name in ("web", "uploads", "https")]
    wait_until(lambda: all(map(listens, ports)), "the web servers on the bucket")
    browser = Browser(stage)
    check(browser.sign_in("admin") == 200, "signing in")
    check_picture(stage, browser)
    slug = browser.read("/api/v1/session")["benchmarks"][0]["slug"]
    address = browser.read(f"/api/v1/benchmarks/{slug}/images?page_size=1")["results"][0]["view_url"]
    status, headers, part = browser.ask(address, Range="bytes=2-5")
    check((status, len(part)) == (206, 4), "a part of a picture", (status, headers))
    stage.stop("bucket")
    status, headers, body = browser.ask(address)
    check(
        (status, json.loads(body)["code"]) == (503, "storage_unavailable"),
        "an unreachable bucket is reported",
        (status, body),
    )
    check(headers["Retry-After"] == "2", "when to try again", headers)
    say(f"files in a bucket (an emulator's): {moved}; sent by nginx, parts too; 503 while it is away")
