"""Addresses of comments."""

from django.urls import path

from annotation.comments.api import views

urlpatterns = [
    path("items/<int:item>/comments", views.CommentsView.as_view()),
    path("items/<int:item>/people", views.ItemPeopleView.as_view()),
]
