"""Every address of the site: the API, sign-in, picture files, and one page for everything else."""

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.urls import include, path, re_path
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe


@require_safe
@ensure_csrf_cookie
def single_page(request: HttpRequest) -> HttpResponse | FileResponse:
    """Answer every other address with the front end's page; its router shows the rest."""
    index = settings.FRONTEND_DIST / "index.html"
    if not index.exists():
        return HttpResponse("The front end is not built yet: run `make demo`.", status=503, content_type="text/plain")
    response = HttpResponse(index.read_bytes(), content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    response["Content-Security-Policy"] = settings.CONTENT_SECURITY_POLICY
    return response


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Say that the process answers, without touching the database."""
    return HttpResponse("ok", content_type="text/plain")


def closed(request: HttpRequest) -> HttpResponse:
    """Answer an address of a library that is not offered here, as if it did not exist."""
    raise Http404


# Everything the front end's page does not answer is spoken to by programs.
handler400 = "curation.core.api.views.bad_request"
handler404 = "curation.core.api.views.nothing_here"
handler500 = "curation.core.api.views.server_error"

urlpatterns = [
    path("healthz", health),
    # Signing in and out is all that is offered; the rest of allauth (addresses, telephones, resets) stays closed.
    re_path(r"^_allauth/(?!browser/v1/(?:config|auth/(?:login|signup|session))$)", closed),
    path("_allauth/", include("allauth.headless.urls")),
    path("", include("curation.urls")),
    path("", include("annotation.urls")),
    path("", include("evaluation.urls")),
    re_path(r"^(?!api/|_allauth/|media/|assets/).*$", single_page),
]
