"""Index of the features' addresses."""

from django.urls import URLPattern, URLResolver, include, path

from annotation.tracks.api.media import MediaView

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("annotation.tracks.api.urls")),
    path("api/v1/", include("annotation.packages.api.urls")),
    path("api/v1/", include("annotation.guidelines.api.urls")),
    path("api/v1/", include("annotation.peer.api.urls")),
    path("api/v1/", include("annotation.panel.api.urls")),
    path("api/v1/", include("annotation.pair.api.urls")),
    path("api/v1/", include("annotation.dialogues.api.urls")),
    path("api/v1/", include("annotation.quality.api.urls")),
    path("api/v1/", include("annotation.comments.api.urls")),
    path("api/v1/", include("annotation.concepts.api.urls")),
    path("api/v1/", include("annotation.drafting.api.urls")),
    path("api/v1/", include("annotation.trials.api.urls")),
    path("api/v1/", include("annotation.lookup.api.urls")),
    path("media/<int:image>/<int:rendition>-<slug:role>.<slug:extension>", MediaView.as_view()),
    path("api/v1/", include("annotation.releases.api.urls")),
    path("api/v1/", include("annotation.imports.api.urls")),
    path("api/v1/", include("annotation.bulk.api.urls")),
]
