"""Addresses of concepts."""

from django.urls import path

from annotation.concepts.api import views

urlpatterns = [
    path("images/<int:image_id>/concepts", views.ConceptsView.as_view()),
    path("concepts/<int:concept_id>/retire", views.RetireView.as_view()),
]
