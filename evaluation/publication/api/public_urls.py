"""Addresses outside the API that everybody may read."""

from django.urls import path

from evaluation.publication.api import pages

urlpatterns = [
    path("p/pages-<str:digest>.css", pages.stylesheet),
    path("p/<slug:slug>", pages.choose_language),
    path("p/<slug:slug>/", pages.choose_language),
    path("p/<slug:slug>/<path:page>", pages.public_page),
    path("sitemap.xml", pages.sitemap),
    path("robots.txt", pages.robots),
]
