"""Addresses of comments."""

from django.urls import path

from annotation.comments.api import views

urlpatterns = [
    path("items/<int:item_id>/comments", views.CommentsView.as_view()),
    path("items/<int:item_id>/people", views.ItemPeopleView.as_view()),
]
