"""Index of the features' addresses."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("curation.people.api.urls")),
    path("api/v1/", include("curation.mail.api.urls")),
    path("api/v1/", include("curation.prompts.api.urls")),
    path("api/v1/", include("curation.calls.api.urls")),
    path("api/v1/", include("curation.taxonomy.api.urls")),
    path("api/v1/", include("curation.board.api.urls")),
    path("api/v1/", include("curation.images.api.urls")),
    path("api/v1/", include("curation.url_lists.api.urls")),
]
