"""All addresses of the site: the API, sign-in, picture files, the desk, health, and one page for everything else."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path, re_path

from config.pages import desk_page, mail_stop_page, single_page
from config.watch.health import figures, health, readiness


def closed(request: HttpRequest) -> HttpResponse:
    """Respond to a library's unused address as if it did not exist."""
    raise Http404


# Programs use these addresses; the front end's page serves all others.
handler400 = "curation.core.api.views.bad_request"
handler404 = "curation.core.api.views.page_not_found"
handler500 = "curation.core.api.views.server_error"

urlpatterns = [
    # Django tries addresses in order, and most requests are for items.
    path("", include("annotation.urls")),
    path("healthz", health),
    path("readyz", readiness),
    path("metrics", figures),
    # Only signing in and out; the rest of allauth (addresses, telephones, resets) stays closed.
    re_path(r"^_allauth/(?!browser/v1/(?:config|auth/(?:login|signup|session))$)", closed),
    path("_allauth/", include("allauth.headless.urls")),
    path("", include("curation.urls")),
    path("", include("evaluation.urls")),
    path("mail/stop/<str:token>", mail_stop_page),
    path("b/<slug:benchmark>/work/<int:package>", desk_page),
    re_path(r"^(?!api/|_allauth/|media/|assets/|events/|p/).*$", single_page),
]
