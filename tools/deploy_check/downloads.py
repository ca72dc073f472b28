"""A release's files and its archive behind the proxy: ranges, and downloads that continue where they were cut."""

from __future__ import annotations

import hashlib
import io
import zipfile

from tools.deploy_check.browser import Browser
from tools.deploy_check.report import check, say
from tools.deploy_check.stage import Stage

# No worker runs here yet: its job writes the files; then administrators publish and open the release.
_OPEN = """
import uuid
from annotation.releases import services as releases
from annotation.releases.models import Release
from curation.core import jobs
from curation.people.models import Person
from evaluation.publication import services as publication
release = Release.objects.filter(benchmark__slug="lantern-demo").latest("pk")
admin = Person.objects.get(username="admin")
jobs.run(release.job_id, releases.write_files)
release.refresh_from_db()
if release.state == "frozen":
    releases.publish_release(actor=admin, release_id=release.pk, client_key=uuid.uuid4())
    publication.update_publication(
        actor=admin, benchmark_slug="lantern-demo", client_key=uuid.uuid4(), is_open=True
    )
    publication.open_release(actor=admin, release_id=release.pk, client_key=uuid.uuid4())
print(release.pk, release.label)
"""


def check_downloads(stage: Stage) -> None:
    """Files and the archive, signed in and on the public pages, whole and in ranges."""
    release_id, label = stage.manage("shell", "--no-imports", "-c", _OPEN).split()[-2:]
    member, stranger = Browser(stage), Browser(stage)
    check(member.sign_in("admin") == 200, "signing in")
    files = member.read(f"/api/v1/releases/{release_id}")["files"]
    largest = max((file for file in files if not file["is_key"]), key=lambda file: file["bytes"])
    for who, base in ((member, f"/api/v1/releases/{release_id}"), (stranger, f"/p/lantern-demo/{label}")):
        data = _check_address(who, f"{base}/files/{largest['name']}")
        check(hashlib.sha256(data).hexdigest() == largest["sha256"], "a file's checksum", largest["name"])
        archive = _check_address(who, f"{base}/archive.zip")
        with zipfile.ZipFile(io.BytesIO(archive)) as entries:
            check(entries.testzip() is None and len(entries.namelist()) > len(files), "the archive's entries")
    check(Browser(stage).ask(f"/api/v1/releases/{release_id}/archive.zip")[0] == 401, "a stranger gets no archive")
    say(
        f"a file of {len(data):,} bytes and an archive of {len(archive):,}: whole, in ranges, and continued after a cut"
    )


def _check_address(who: Browser, path: str) -> bytes:
    """Read an address whole and in parts, which have to agree; return its bytes."""
    status, headers, data = who.ask(path)
    size = len(data)
    check(status == 200 and size > 100, f"{path} comes", (status, headers))
    check(headers.get("Accept-Ranges") == "bytes" and headers.get("Etag", "") != "", f"{path} takes ranges", headers)
    check("X-Accel-Redirect" not in headers, f"{path} shows no address of the store", headers)
    tag, cut = headers["Etag"], size // 3
    for first, last in ((0, 0), (1, 10), (cut, size - 1), (size - 1, size - 1)):
        status, headers, part = who.ask(path, Range=f"bytes={first}-{last}")
        right = status == 206 and part == data[first : last + 1]
        check(right, f"bytes {first}-{last} of {path}", (status, headers, len(part)))
        check(headers.get("Content-Range") == f"bytes {first}-{last}/{size}", f"{path} names its range", headers)
    # As `curl -C -` and browsers continue: from the first byte that is missing, if it is still the same file.
    status, _, rest = who.ask(path, Range=f"bytes={cut}-", If_Range=tag)
    check(status == 206 and data[:cut] + rest == data, f"{path} continues", (status, len(rest)))
    status, _, again = who.ask(path, Range=f"bytes={cut}-", If_Range='"another"')
    check(status == 200 and again == data, f"{path} begins again where it is another file now", (status, len(again)))
    status, headers, _ = who.ask(path, Range=f"bytes={size}-")
    check(status == 416, f"{path} has no bytes behind its end", (status, headers))
    return data
