"""Addresses of pictures; their files are served by ``annotation.packages.api.media``, which knows who works on them."""

from django.urls import path

from curation.images.api import views

urlpatterns = [
    path("benchmarks/<slug:benchmark>/images", views.ImagesView.as_view()),
    path("images/<int:image>", views.ImageView.as_view()),
    path("images/<int:image>/judge", views.JudgeView.as_view()),
    path("images/<int:image>/clear-personal-information", views.ClearView.as_view()),
]
