"""Index of the features' addresses."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("evaluation.systems.api.urls")),
    path("api/v1/", include("evaluation.asking.api.urls")),
    path("api/v1/", include("evaluation.sets.api.urls")),
    path("api/v1/", include("evaluation.runs.api.urls")),
    path("api/v1/", include("evaluation.scoring.api.urls")),
    path("api/v1/", include("evaluation.samples.api.urls")),
    path("api/v1/", include("evaluation.submissions.api.urls")),
    path("api/v1/", include("evaluation.leaderboards.api.urls")),
    path("api/v1/", include("evaluation.publication.api.urls")),
    path("api/v1/", include("evaluation.outsiders.api.urls")),
    path("", include("evaluation.publication.api.public_urls")),
]
