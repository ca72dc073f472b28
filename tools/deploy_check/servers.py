"""The distribution's servers, each in the installation's folder and on the host that the installation names."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

import psycopg
from psycopg import sql

from config.launch import postgres
from tools.deploy_check.processes import Host
from tools.deploy_check.programs import free_port, listens, own_group
from tools.deploy_check.report import say, wait_until
from tools.deploy_check.stage import FILES, SITE, WEB_PORTS, Stage


def make_certificate(stage: Stage, openssl: str, name: str, *, address: str = "") -> tuple[Path, Path]:
    """A self-signed certificate of a day for a host name or an address; the certificate and its key."""
    tls = stage.folder / "tls"
    tls.mkdir(exist_ok=True)
    certificate, key = tls / f"{name}.pem", tls / f"{name}.key"
    stage.run(
        [
            *(openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName={f'IP:{address}' if address else f'DNS:{name}'}"),
            *("-keyout", str(key), "-out", str(certificate)),
        ]
    )
    certificate.chmod(0o644)
    return certificate, key


def _for_server(words: Sequence[str], *paths: Path) -> None:
    """Give files to ``nobody`` where the server has to run as that user."""
    if words[:1] == ["setpriv"]:
        for path in paths:
            shutil.chown(path, "nobody")


def start_postgres(stage: Stage, folder_of_programs: Path, *, openssl: str = "") -> None:
    """PostgreSQL with passwords, the two roles and the databases, as the page says to make them.

    With ``openssl`` it speaks TLS, and nothing else, to clients over the network.
    """
    lower = list(postgres.unprivileged())
    host, base = stage.host("postgres"), stage.folder / "postgres"
    base.mkdir()
    first = base / "password"
    first.write_text(stage.secrets["postgres"])
    _for_server(lower, base, first)
    initdb = [str(folder_of_programs / "initdb"), "-D", str(base / "data"), "-U", "postgres", "--auth=scram-sha-256"]
    stage.run([*lower, *initdb, f"--pwfile={first}", "--locale=C.UTF-8", "-E", "UTF8"])
    settings = [
        *(f"listen_addresses={host.address}", f"port={stage.ports['postgres']}", f"unix_socket_directories={base}"),
        "random_page_cost=1.1",
    ]
    if openssl:
        certificate, key = make_certificate(stage, openssl, "postgres", address=host.address)
        key.chmod(0o600)
        _for_server(lower, key)
        settings += ["ssl=on", f"ssl_cert_file={certificate}", f"ssl_key_file={key}"]
        only_tls = base / "data" / "pg_hba.conf"
        only_tls.write_text("hostssl all all 0.0.0.0/0 scram-sha-256\n")
        stage.database_options = f"?sslmode=verify-full&sslrootcert={certificate}"
    server = [*lower, str(folder_of_programs / "postgres"), "-D", str(base / "data")]
    stage.start("postgres", [*server, *(word for s in settings for word in ("-c", s))], on=host, ends_by=signal.SIGINT)
    address = f"postgresql://postgres:{stage.secrets['postgres']}@{stage.at('postgres')}/postgres"

    def up() -> bool:
        try:
            psycopg.connect(address, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    wait_until(up, "PostgreSQL")
    with psycopg.connect(address, autocommit=True) as connection:
        for role, name in (("lantern", "owner"), ("lantern_app", "app")):
            statement = sql.SQL("create role {} login password {}")
            connection.execute(statement.format(sql.Identifier(role), sql.Literal(stage.secrets[name])))
        for name in ("lantern", "lantern_restored"):
            connection.execute(sql.SQL("create database {} owner lantern").format(sql.Identifier(name)))
        version = connection.execute("show server_version").fetchone()
    spoken = ", TLS alone over the network" if openssl else ""
    say(f"PostgreSQL {version[0] if version else ''} with passwords, owner and application role{spoken}")


def start_pgbouncer(stage: Stage, server: str) -> None:
    """PgBouncer beside PostgreSQL, sharing connections between transactions."""
    lower = list(postgres.unprivileged())
    host, base = stage.host("pgbouncer"), stage.folder / "pgbouncer"
    base.mkdir()
    (base / "users").write_text(f'"lantern_app" "{stage.secrets["app"]}"\n')
    (base / "pgbouncer.ini").write_text(
        f"[databases]\nlantern = host={stage.host('postgres').address} port={stage.ports['postgres']}\n"
        f"[pgbouncer]\nlisten_addr = {host.address}\nlisten_port = {stage.ports['pgbouncer']}\nunix_socket_dir =\n"
        f"auth_type = scram-sha-256\nauth_file = {base}/users\npool_mode = transaction\ndefault_pool_size = 4\n"
        f"server_tls_sslmode = verify-full\nserver_tls_ca_file = {stage.folder}/tls/postgres.pem\n"
        f"client_tls_sslmode = require\nclient_tls_cert_file = {stage.folder}/tls/postgres.pem\n"
        f"client_tls_key_file = {stage.folder}/tls/postgres.key\n"
    )
    _for_server(lower, base, base / "users", base / "pgbouncer.ini")
    stage.start("pgbouncer", [*lower, server, str(base / "pgbouncer.ini")], on=host, ends_by=signal.SIGINT)
    wait_until(lambda: listens(stage.ports["pgbouncer"], host), "PgBouncer")
    say("PgBouncer shares 4 connections between transactions")


def start_redis(stage: Stage, server: str) -> None:
    """Redis with a password."""
    host = stage.host("redis")
    words = [server, "--port", str(stage.ports["redis"]), "--bind", host.address, "--save", "", "--dir"]
    words += [str(stage.folder), "--requirepass", stage.secrets["redis"], "--maxmemory-policy", "noeviction"]
    stage.start("redis", words, on=host)
    wait_until(lambda: listens(stage.ports["redis"], host), "Redis")
    say("Redis with a password")


def start_rabbitmq(stage: Stage, server: str) -> None:
    """RabbitMQ with a user and a virtual host of its own."""
    host, base = stage.host("rabbitmq"), stage.folder / "rabbitmq"
    base.mkdir()
    (base / "rabbitmq.conf").write_text(
        f"listeners.tcp.1 = {stage.at('rabbitmq')}\ndefault_vhost = lantern\ndefault_user = lantern\n"
        f"default_pass = {stage.secrets['rabbitmq']}\ndistribution.listener.interface = 127.0.0.1\n"
        # A user of the name guest alone is kept to loopback; ours comes from other hosts.
        "loopback_users = none\n"
    )
    (base / "plugins").write_text("[].\n")
    environment = os.environ | {
        "HOME": str(base),
        "RABBITMQ_NODENAME": f"lantern{os.getpid()}@localhost",
        "RABBITMQ_NODE_IP_ADDRESS": host.address,
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
    # Erlang's own directory of nodes is a daemon that the server leaves behind.
    epmd = shutil.which("epmd")
    ended = (epmd, "-port", str(stage.ports["epmd"]), "-kill") if epmd else ()
    stage.start("rabbitmq", [server], environment, on=host, afterwards=ended)
    wait_until(lambda: listens(stage.ports["rabbitmq"], host), "RabbitMQ")
    say("RabbitMQ with a user and a virtual host")


def start_nginx(stage: Stage, server: str, openssl: str, webs: Sequence[Host] = ()) -> None:
    """The nginx of the page with a certificate of a day, its workers as a user who may only read.

    ``webs`` are the web hosts of an installation on several machines, put in as the page says.
    """
    host = stage.host("https")
    certificate, key = make_certificate(stage, openssl, SITE)
    certificate.rename(certificate.with_name("fullchain.pem"))
    key.rename(key.with_name("privkey.pem"))
    text = stage.fill((FILES / "nginx.conf").read_text())
    if webs:
        for name in WEB_PORTS:
            each = [f"server {web.address}:{stage.ports[name]} max_fails=1 fail_timeout=10s;" for web in webs]
            text = text.replace(f"server {stage.at(name)};", " ".join(each))
        text = re.sub(r"keepalive \d+;", "", text).replace("allow 127.0.0.1;", f"allow {stage.host('client').address};")
    (stage.folder / "site.conf").write_text(text)
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
    stage.run([*words, "-t"], on=host, at_end="nginx -t")
    stage.start("nginx", words, on=host)
    wait_until(lambda: listens(stage.ports["https"], host), "nginx")
    if not webs:
        say("nginx takes docs/deploy/nginx.conf as it is")
