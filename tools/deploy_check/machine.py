"""A machine whose first process is systemd: the page's way for one machine, taken word by word.

This machine's own files lie below an overlay that goes with it, so packages are there as Debian installed them and
nothing that is written stays. PostgreSQL, Redis and nginx are started by Debian's units on their usual ports, the
application by the units of ``docs/deploy`` as they are, with their users and everything they forbid themselves.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tools.deploy_check.browser import Browser
from tools.deploy_check.checks import check_picture
from tools.deploy_check.live import can_open
from tools.deploy_check.processes import ROOT
from tools.deploy_check.report import Failed, check, say, wait_until
from tools.deploy_check.servers import make_certificate
from tools.deploy_check.stage import FILES, SITE, Stage
from tools.deploy_check.uploads import picture, send_in_parts

PAGE = ROOT / "docs" / "deploy.md"
SERVICES = (
    *("lantern-web", "lantern-uploads", "lantern-live"),
    *("lantern-worker", "lantern-pictures", "lantern-gpu", "lantern-beat"),
)
# Of this machine's own state nothing may show through: its servers may be running.
EMPTY = ("run", "tmp", "var/tmp", "var/lib/postgresql", "etc/postgresql", "var/log", "var/lib/redis", "var/lib/lantern")
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
USUAL = {"postgres": 5432, "redis": 6379, "rabbitmq": 5672, "web": 8000, "uploads": 8001, "live": 8002}
USUAL |= {"http": 80, "https": 443}
MOUNTS = """
set -e
umask 022
root=$1; shift
mount -t tmpfs none "$root"
mkdir "$root/up" "$root/work" "$root/code" "$root/code-work" "$root/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$root/up,workdir=$root/work" "$root/root"
cd "$root/root"
mkdir -p srv/lantern var/lib/lantern
mount -t overlay overlay -o "lowerdir=$CODE,upperdir=$root/code,workdir=$root/code-work" srv/lantern
for each in $EMPTY; do mount -t tmpfs none "$each"; done
chmod 1777 tmp var/tmp
mkdir -p opt/python && mount --bind "$PYTHON" opt/python
mkdir backup && mount --bind "$BACKUP" backup
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs -o mode=755 none dev
for each in $DEVICES; do touch "dev/$each"; mount --bind "/dev/$each" "dev/$each"; done
mkdir dev/pts dev/shm
mount -t devpts devpts dev/pts
mount -t tmpfs -o mode=1777 none dev/shm
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
hostname one-machine
mkdir before && pivot_root . before
exec chroot . sh -c 'umount -l /before && exec env -i container=check PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' sh "$@"
"""
ENCLOSED = (
    *("unshare", "--pid", "--mount", "--ipc", "--uts", "--cgroup"),
    *("--fork", "--kill-child", "--mount-proc", "--"),
)


def group_of(folder: Path) -> Path | None:
    """The control group that a machine of this folder has; None where the kernel offers no unified tree."""
    for tree in (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/unified")):
        if (tree / "cgroup.controllers").exists():
            return tree / f"{folder.parent.name}-{folder.name}"
    return None


def refused() -> str:
    """Why there can be no such machine here; empty where there can be one."""
    if not Path("/lib/systemd/systemd").exists():
        return "systemd is not installed"
    return "" if group_of(Path()) else "the kernel offers no unified tree of control groups"


def remove_group(folder: Path) -> None:
    """Take the machine's control groups away once nothing runs in them, which may take a moment."""
    group = group_of(folder)
    end = time.monotonic() + 5
    while group is not None and group.exists() and time.monotonic() < end:
        for path in (*sorted((path for path in group.rglob("*") if path.is_dir()), reverse=True), group):
            with contextlib.suppress(OSError):
                path.rmdir()
        time.sleep(0.05)


def commands_of_the_page(*beginnings: str) -> list[str]:
    """The lines of the page's code that begin with one of these words."""
    lines = [line.strip() for line in PAGE.read_text().splitlines()]
    return [line for line in lines if line.startswith(beginnings)]


class Machine:
    """The machine; commands in it go through :meth:`run`."""

    def __init__(self, stage: Stage, folder: Path, backup: Path) -> None:
        self.stage, self.folder, self.backup, self.pid = stage, folder, backup, 0
        self.root = folder / "machine"
        # Every machine has its own first process, so its group is outside of the tree that systemd sees.
        group = group_of(folder)
        if group is None:
            raise Failed(refused())
        self.group = group

    @property
    def files(self) -> Path:
        """The machine's files, seen from outside."""
        return Path(f"/proc/{self.pid}/root")

    def boot(self) -> None:
        """Start systemd with nothing but what a service needs.

        Raises:
            Failed: It does not come up.
        """
        self.root.mkdir()
        self.group.mkdir()
        # What is neither ours nor needed: hardware, consoles, the network, other timers.
        masked = ("systemd-udevd.service", "systemd-networkd.service", "systemd-resolved.service", "getty.target")
        ready = "[Unit]\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\n"
        script = (
            f"{MOUNTS.rpartition('mkdir before')[0]}cat > etc/systemd/system/check.target <<'END'\n{ready}END\n"
            f"for each in {' '.join(masked)}; do ln -sf /dev/null etc/systemd/system/$each; done\n"
            f"mkdir before{MOUNTS.rpartition('mkdir before')[2]}"
        )
        environment = os.environ | {
            "CODE": str(ROOT),
            "PYTHON": sys.base_prefix,
            "BACKUP": str(self.backup),
            "EMPTY": " ".join(EMPTY),
            "DEVICES": " ".join(DEVICES),
        }
        join = f'echo $$ > "{self.group}/cgroup.procs" && exec "$@"'
        systemd = (
            "/lib/systemd/systemd",
            "--system",
            "--unit=check.target",
            "--show-status=no",
            "--log-target=journal",
        )
        self.stage.start(
            "systemd",
            ["sh", "-c", join, "sh", *ENCLOSED, "bash", "-c", script, "bash", str(self.root), *systemd],
            environment,
        )
        process = self.stage.running[-1].process

        def up() -> bool:
            check(process.poll() is None, "systemd comes up", (self.folder / "systemd.log").read_text()[-2000:])
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            if not children or "systemd" not in Path(f"/proc/{children[0]}/comm").read_text():
                return False
            self.pid = int(children[0])
            return self.ask("systemctl", "is-active", "check.target").stdout.strip() == "active"

        wait_until(up, "systemd", 30)

    def ask(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run something in the machine, as root."""
        enter = (
            "nsenter",
            "--target",
            str(self.pid),
            "--mount",
            "--uts",
            "--ipc",
            "--pid",
            "--cgroup",
            "--root",
            f"--wd=/proc/{self.pid}/root",
        )
        path = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
        return subprocess.run(
            [*enter, "--", *words], input=stdin, env=path, capture_output=True, text=True, timeout=180, check=False
        )

    def run(self, *words: str, stdin: str = "") -> str:
        """The same.

        Raises:
            Failed: It did not end well.
        """
        done = self.ask(*words, stdin=stdin)
        if done.returncode:
            raise Failed(f"{' '.join(words)[:200]}: {(done.stdout + done.stderr)[-2500:]}")
        return done.stdout

    def show(self, unit: str, *names: str) -> dict[str, str]:
        """Properties of a unit."""
        output = self.run("systemctl", "show", unit, *(f"--property={name}" for name in names))
        return dict(line.split("=", 1) for line in output.splitlines() if "=" in line)

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """A file of the machine."""
        place = self.files / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        place.parent.chmod(0o755)
        place.write_text(text)
        place.chmod(mode)


def put_code(machine: Machine) -> None:
    """The code under /srv/lantern as ``make setup`` leaves it there: its environment names that folder.

    Our own Python is seen under /opt/python, since the units see no home folder and it may lie in one.
    """
    environment = machine.files / "srv/lantern/.venv"
    source = (ROOT / ".venv").resolve()
    if environment.is_symlink():
        environment.unlink()
        environment.mkdir()
        (environment / "lib").symlink_to(source / "lib")
    binaries = environment / "bin"
    binaries.mkdir(exist_ok=True)
    python = f"/opt/python/bin/python3.{sys.version_info.minor}"
    machine.write("/etc/ld.so.conf.d/python.conf", "/opt/python/lib\n")
    machine.run("ldconfig")
    for name in ("granian", "celery"):
        text = (source / "bin" / name).read_text().replace(str(source), "/srv/lantern/.venv")
        place = binaries / name
        place.write_text(re.sub(r"\A#!.*", "#!/srv/lantern/.venv/bin/python", text))
        place.chmod(0o755)
    (binaries / "python").unlink(missing_ok=True)
    (binaries / "python").symlink_to(python)
    (environment / "pyvenv.cfg").write_text("home = /opt/python/bin\ninclude-system-site-packages = false\n")
    (environment / "pyvenv.cfg").chmod(0o644)
    for folder in (environment, binaries):
        folder.chmod(0o755)


def put_servers(machine: Machine, openssl: str) -> None:
    """PostgreSQL, Redis and nginx as the page says, started by Debian's units."""
    stage = machine.stage
    version = max(path.name for path in Path("/usr/lib/postgresql").iterdir())
    for folder, owner in (
        ("/var/lib/postgresql", "postgres"),
        ("/etc/postgresql", "postgres"),
        ("/var/lib/redis", "redis"),
    ):
        machine.run("chown", f"{owner}:{owner}", folder)
    for folder, owner in (("/var/log/postgresql", "postgres"), ("/var/log/redis", "redis"), ("/var/log/nginx", "root")):
        machine.run("install", "-d", "-o", owner, folder)
    machine.run("pg_createcluster", version, "main", "--", "--locale=C.UTF-8", "-E", "UTF8")
    configuration = (machine.files / "etc/redis/redis.conf").read_text()
    password = stage.secrets["redis"]
    machine.write("/etc/redis/redis.conf", f"{configuration}\nrequirepass {password}\nmaxmemory-policy noeviction\n")
    machine.write("/etc/nginx/sites-available/lantern", (FILES / "nginx.conf").read_text())
    machine.run("rm", "-f", "/etc/nginx/sites-enabled/default")
    machine.run("ln", "-s", "../sites-available/lantern", "/etc/nginx/sites-enabled/lantern")
    certificate, key = make_certificate(stage, openssl, SITE)
    machine.write("/etc/ssl/lantern/fullchain.pem", certificate.read_text())
    machine.write("/etc/ssl/lantern/privkey.pem", key.read_text(), 0o600)
    certificate.rename(certificate.with_name("fullchain.pem"))
    machine.run("nginx", "-t")
    machine.run("systemctl", "start", f"postgresql@{version}-main", "redis-server", "nginx")
    roles = "".join(
        f"create role {role} login password '{stage.secrets[name]}';\n"
        for role, name in (("lantern", "owner"), ("lantern_app", "app"))
    )
    made = f"{roles}create database lantern owner lantern;\n"
    machine.run("runuser", "-u", "postgres", "--", "psql", "-q", "-v", "ON_ERROR_STOP=1", stdin=made)


def check_units(machine: Machine) -> None:
    """The application's units, started and killed."""
    for path in (*FILES.glob("*.service"), *FILES.glob("*.timer")):
        machine.write(f"/etc/systemd/system/{path.name}", path.read_text())
    [command] = re.findall(r"`(systemctl daemon-reload[^`]+)`", PAGE.read_text())
    machine.run("sh", "-c", command)
    for name in SERVICES:
        wait_until(lambda name=name: machine.show(name, "ActiveState")["ActiveState"] == "active", name, 30)  # type: ignore[misc]
    browser = Browser(machine.stage)
    wait_until(lambda: browser.ask("/readyz")[0] == 200, "the site is ready", 150)
    units = {name: machine.show(name, "User", "ProtectSystem", "NRestarts") for name in SERVICES}
    as_written = {"User": "lantern", "ProtectSystem": "strict", "NRestarts": "0"}
    check(all(unit == as_written for unit in units.values()), "the units run as they are written", units)
    say(f"systemd runs {', '.join(SERVICES)} as lantern, each with what it forbids itself; /readyz")
    check(browser.sign_in("admin") == 200, "signing in")
    check_picture(machine.stage, browser)
    upload = send_in_parts(browser, "parts.jpg", picture(800, 600))
    wait_until(lambda: browser.ask(f"/api/v1/uploads/{upload}/thumb")[0] == 200, "a worker has checked a picture", 40)
    say("a picture is sent by nginx as www-data; one in parts is received and checked behind ProtectSystem=strict")


def check_restarts(machine: Machine) -> None:
    """What is killed comes back by itself."""
    before = {name: machine.show(name, "MainPID")["MainPID"] for name in SERVICES}
    machine.run("systemctl", "kill", "--signal=KILL", *SERVICES)

    def back() -> bool:
        now = {name: machine.show(name, "MainPID", "ActiveState") for name in SERVICES}
        return all(
            unit["ActiveState"] == "active" and unit["MainPID"] not in {"0", before[n]} for n, unit in now.items()
        )

    wait_until(back, "the services come back", 60)
    browser = Browser(machine.stage)
    wait_until(lambda: browser.ask("/readyz")[0] == 200, "the site is ready again", 150)
    check(browser.sign_in("admin") == 200, "signing in again")
    wait_until(lambda: can_open(browser), "a stream of events opens again", 60)
    say("all killed at once: systemd starts them again, and a stream of events begins with hello")


def check_night(machine: Machine) -> None:
    """The timer's service and the turning over of logs."""
    left = machine.show("lantern-backup.timer", "NextElapseUSecRealtime", "ActiveState")
    check(
        left["ActiveState"] == "active" and "03:" in left["NextElapseUSecRealtime"],
        "the timer waits for the night",
        left,
    )
    machine.run("systemctl", "start", "lantern-backup.service")
    kept = machine.run("ls", "/var/backups/lantern").split()
    check(len(kept) == 1, "one backup is there", kept)
    for name in kept:
        whole(machine, f"/var/backups/lantern/{name}")
    machine.write("/etc/logrotate.d/lantern", (FILES / "logrotate").read_text())
    machine.run("logrotate", "--force", "/etc/logrotate.d/lantern")
    rotated = machine.run("ls", "/var/log/lantern").split()
    check("web.log.1" in rotated and "web.log" in rotated, "the logs are turned over", rotated)
    say("the timer waits for 03:15, its service makes a whole backup; logrotate turns the logs over")


def whole(machine: Machine, backup: str) -> None:
    """Have a backup read through."""
    machine.run(*manage("check_backup", backup))


def manage(*words: str) -> tuple[str, ...]:
    """One of the application's commands as the page gives it, with both files of variables."""
    line = 'set -a; . /etc/lantern/lantern.env; . /etc/lantern/owner.env; set +a; cd /srv/lantern; exec "$@"'
    return ("sh", "-c", line, "sh", ".venv/bin/python", "manage.py", *words)


@contextlib.contextmanager
def running(machine: Machine) -> Iterator[None]:
    """The machine, taken down and away afterwards."""
    try:
        machine.boot()
        yield
    except Failed:
        if machine.pid:
            (machine.folder / "journal.log").write_text(machine.ask("journalctl", "--no-pager").stdout)
            with contextlib.suppress(OSError, shutil.Error):
                shutil.copytree(machine.files / "var/log/lantern", machine.folder / "log")
        raise
    finally:
        for entry in [entry for entry in machine.stage.running if entry.name == "systemd"]:
            entry.process.kill()
        machine.stage.stop_all()
        remove_group(machine.folder)


def check_machine(folder: Path, openssl: str, backup: Path, people: str) -> None:
    """Everything under systemd, with the data of a backup and the password that its people have.

    Raises:
        Failed: Something did not hold.
    """
    stage = Stage(folder)
    stage.ports |= USUAL
    stage.secrets |= {"people": people, "django": secrets.token_urlsafe(48)}
    machine = Machine(stage, folder, backup)
    with running(machine):
        for command in commands_of_the_page("useradd ", "usermod ", "install -d "):
            machine.run("sh", "-c", command)
        put_code(machine)
        machine.write("/etc/lantern/lantern.env", stage.fill((FILES / "lantern.env").read_text(), paths=False), 0o640)
        machine.write("/etc/lantern/owner.env", stage.fill((FILES / "owner.env").read_text(), paths=False), 0o600)
        machine.run("chown", "root:lantern", "/etc/lantern/lantern.env")
        put_servers(machine, openssl)
        machine.run(*manage("restore", "/backup"))
        for command in re.findall(r"`(chown -R [^`]+)`", PAGE.read_text()):
            machine.run("sh", "-c", command)
        for command in commands_of_the_page(
            ".venv/bin/python manage.py setup_database", ".venv/bin/python manage.py check "
        ):
            machine.run(*manage(*command.split()[2:]))
        say("systemd is up; users, folders, Debian's PostgreSQL, Redis and nginx by their own units, the data restored")
        check_units(machine)
        check_restarts(machine)
        check_night(machine)
