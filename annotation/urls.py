"""Index of the features' addresses."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("annotation.packages.api.urls")),
    path("api/v1/", include("annotation.quality.api.urls")),
]
