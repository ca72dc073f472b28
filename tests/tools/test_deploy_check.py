"""The files of docs/deploy are filled in completely, for one machine and for a host among several."""

from tools.deploy_check import machine, stage
from tools.deploy_check.processes import Host


def installation(tmp_path, **hosts):
    return stage.Stage(tmp_path, hosts=hosts)


def test_nothing_of_the_example_is_left_open(tmp_path):
    made = installation(tmp_path, postgres=Host("database", "10.77.0.11"))
    made.database_options = "?sslmode=verify-full"
    filled = made.filled("lantern.env") | made.filled("owner.env")
    assert [name for name, value in filled.items() if "CHANGE-ME" in value or "/var/lib" in value] == []
    port, app, owner = made.ports["postgres"], made.secrets["app"], made.secrets["owner"]
    at = f"10.77.0.11:{port}/lantern?sslmode=verify-full"
    assert filled["DATABASE_URL"] == f"postgresql://lantern_app:{app}@{at}"
    assert filled["DATABASE_OWNER_URL"] == f"postgresql://lantern:{owner}@{at}"


def test_a_machine_of_its_own_keeps_the_pages_folders(tmp_path):
    text = installation(tmp_path).fill((stage.FILES / "lantern.env").read_text(), paths=False)
    assert "MEDIA_ROOT=/var/lib/lantern/media" in text
    assert "SECRET_KEY=CHANGE-ME" not in text


def test_a_units_command_is_that_of_its_host(tmp_path):
    made = installation(tmp_path)
    words, extra = made.unit_command("lantern-web.service", on=Host("web-2", "10.77.0.15"))
    assert words[words.index("--host") + 1] == "10.77.0.15"
    assert words[words.index("--port") + 1] == str(made.ports["web"])
    assert extra == {"PROMETHEUS_MULTIPROC_DIR": f"{tmp_path}/run/metrics"}
    words, extra = made.unit_command("lantern-uploads.service", on=Host("web-2", "10.77.0.15"))
    assert words[words.index("--host") + 1 :][:3] == ["10.77.0.15", "--port", str(made.ports["uploads"])]
    assert extra == {"PROMETHEUS_MULTIPROC_DIR": f"{tmp_path}/run-uploads/metrics"}
    words, _ = made.unit_command("lantern-live.service", on=Host("web-2", "10.77.0.15"))
    assert words[words.index("--host") + 1 :][:3] == ["10.77.0.15", "--port", str(made.ports["live"])]
    words, _ = made.unit_command("lantern-worker.service")
    assert words[words.index("-n") + 1] == "default@%h"


def test_the_pages_own_lines_are_what_is_run():
    found = machine.commands_of_the_page(
        "useradd ", "usermod ", "install -d ", ".venv/bin/python manage.py setup_database"
    )
    assert [line.split()[0] for line in found] == ["useradd", "usermod", *["install"] * 3, ".venv/bin/python"]
