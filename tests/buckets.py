"""A bucket for tests: a server on loopback that speaks S3 (moto), one for all tests of a process."""

from __future__ import annotations

import uuid
from functools import cache
from typing import Any

import boto3
from moto.server import ThreadedMotoServer

KEYS = {"key_id": "tests", "secret": "only-for-tests", "region": "us-east-1"}


@cache
def endpoint() -> str:
    """The server's address; it is started by the first question and ends with the process."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    return f"http://{host}:{port}"


@cache
def client() -> Any:
    """Somebody who speaks to that server past the application."""
    session = boto3.session.Session("tests", "only-for-tests", region_name="us-east-1")
    return session.client("s3", endpoint_url=endpoint())


def fresh() -> dict[str, str]:
    """Settings of a bucket that was just made."""
    name = f"lantern-{uuid.uuid4()}"
    client().create_bucket(Bucket=name)
    return KEYS | {"bucket": name, "endpoint": endpoint(), "prefix": "a/team"}


def keys(place: dict[str, str]) -> list[str]:
    """Everything in it, as it lies there."""
    return [found["Key"] for found in client().list_objects_v2(Bucket=place["bucket"]).get("Contents", [])]
