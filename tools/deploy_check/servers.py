"""The distribution's servers, each in the installation's folder and on loopback."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import psycopg
from psycopg import sql

from config.launch import postgres
from tools.deploy_check.programs import free_port, listens, own_group
from tools.deploy_check.report import say, until
from tools.deploy_check.stage import FILES, SITE, Stage


def start_postgres(stage: Stage, folder_of_programs: Path) -> None:
    """PostgreSQL with passwords, the two roles and the database, as the page says to make them."""
    lower = list(postgres.unprivileged())
    base = stage.folder / "postgres"
    base.mkdir()
    if lower[:1] == ["setpriv"]:
        shutil.chown(base, "nobody")
    first = base / "password"
    first.write_text("only-here")
    if lower[:1] == ["setpriv"]:
        shutil.chown(first, "nobody")
    initdb = [
        str(folder_of_programs / "initdb"),
        "-D",
        str(base / "data"),
        "-U",
        "postgres",
        "--auth=scram-sha-256",
    ]
    stage.run([*lower, *initdb, f"--pwfile={first}", "--locale=C.UTF-8", "-E", "UTF8"])
    server = [str(folder_of_programs / "postgres"), "-D", str(base / "data"), "-p", str(stage.ports["postgres"])]
    settings = ("listen_addresses=127.0.0.1", f"unix_socket_directories={base}", "random_page_cost=1.1")
    stage.start("postgres", [*lower, *server, *(word for s in settings for word in ("-c", s))])
    address = f"postgresql://postgres:only-here@127.0.0.1:{stage.ports['postgres']}/postgres"

    def up() -> bool:
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    until(up, "PostgreSQL")
    with psycopg.connect(address, autocommit=True) as connection:
        for role, name in (("lantern", "owner"), ("lantern_app", "app")):
            statement = sql.SQL("create role {} login password {}")
            connection.execute(statement.format(sql.Identifier(role), sql.Literal(stage.secrets[name])))
        for name in ("lantern", "lantern_restored"):
            connection.execute(sql.SQL("create database {} owner lantern").format(sql.Identifier(name)))
        version = connection.execute("show server_version").fetchone()
    say(f"PostgreSQL {version[0] if version else ''} with passwords, owner and application role")


def start_redis(stage: Stage, server: str) -> None:
    """Redis with a password."""
    words = [
        server,
        "--port",
        str(stage.ports["redis"]),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        str(stage.folder),
    ]
    stage.start("redis", [*words, "--requirepass", stage.secrets["redis"], "--maxmemory-policy", "noeviction"])
    until(lambda: listens(stage.ports["redis"]), "Redis")
    say("Redis with a password")


def start_rabbitmq(stage: Stage, server: str) -> None:
    """RabbitMQ with a user and a virtual host of its own."""
    base = stage.folder / "rabbitmq"
    base.mkdir()
    (base / "rabbitmq.conf").write_text(
        f"listeners.tcp.1 = 127.0.0.1:{stage.ports['rabbitmq']}\ndefault_vhost = lantern\ndefault_user = lantern\n"
        f"default_pass = {stage.secrets['rabbitmq']}\ndistribution.listener.interface = 127.0.0.1\n"
    )
    (base / "plugins").write_text("[].\n")
    environment = os.environ | {
        "HOME": str(base),
        "RABBITMQ_NODENAME": f"lantern{os.getpid()}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(stage.ports["rabbitmq"]),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "ERL_EPMD_PORT": str(stage.ports["epmd"]),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_MNESIA_BASE": str(base / "mnesia"),
        "RABBITMQ_LOG_BASE": str(base / "log"),
        "RABBITMQ_CONFIG_FILE": str(base / "rabbitmq.conf"),
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(base / "plugins"),
        "RABBITMQ_PID_FILE": str(base / "pid"),
    }
    stage.start("rabbitmq", [server], environment)
    until(lambda: listens(stage.ports["rabbitmq"]), "RabbitMQ")
    say("RabbitMQ with a user and a virtual host")


def start_nginx(stage: Stage, server: str, openssl: str) -> None:
    """The nginx of the page with a certificate of an hour, its workers as a user who may only read."""
    tls = stage.folder / "tls"
    tls.mkdir()
    stage.run(
        [
            *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={SITE}"),
            *("-addext", f"subjectAltName=DNS:{SITE}"),
            *("-keyout", str(tls / "privkey.pem"), "-out", str(tls / "fullchain.pem")),
        ]
    )
    (stage.folder / "site.conf").write_text(stage.fill((FILES / "nginx.conf").read_text()))
    user = f"user nobody {own_group()};" if os.geteuid() == 0 else ""
    temporary = "".join(
        f"{name}_temp_path {stage.folder}/nginx-{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (stage.folder / "nginx.conf").write_text(
        f"{user} pid {stage.folder}/nginx.pid; error_log {stage.folder}/nginx-error.log; daemon off;\n"
        f"events {{}}\nhttp {{ {temporary} include {stage.folder}/site.conf; }}\n"
    )
    words = [server, "-c", str(stage.folder / "nginx.conf"), "-p", str(stage.folder)]
    stage.run([*words, "-t"], at_end="nginx -t")
    stage.start("nginx", words)
    until(lambda: listens(stage.ports["https"]), "nginx")
    say("nginx takes docs/deploy/nginx.conf as it is")
