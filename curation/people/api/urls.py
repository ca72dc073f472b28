"""Addresses of people."""

from django.urls import path

from curation.people.api import links, own, views

urlpatterns = [
    path("session", views.SessionView.as_view()),
    path("session/password", own.OwnPasswordView.as_view()),
    path("demo-log-ins", views.DemoLogInsView.as_view()),
    path("tokens", own.TokensView.as_view()),
    path("tokens/<int:token_id>/revoke", own.TokenRevokeView.as_view()),
    path("notices", own.NoticesView.as_view()),
    path("notices/read", own.NoticesReadView.as_view()),
    path("invitations/read", links.InvitationReadView.as_view()),
    path("invitations/accept", links.InvitationAcceptView.as_view()),
    path("invitations/<int:invitation_id>/revoke", links.InvitationRevokeView.as_view()),
    path("password-links/use", links.PasswordSetView.as_view()),
    path("people/<int:person_id>/close", views.AccountCloseView.as_view()),
    path("people/<int:person_id>/open", views.AccountOpenView.as_view()),
    path("role-grants/<int:grant_id>/end", views.RoleEndView.as_view()),
    path("teams/<int:team_id>", views.TeamView.as_view()),
    path("teams/<int:team_id>/close", views.TeamCloseView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/people", views.PeopleView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/people/<int:person_id>", views.PersonView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/people/<int:person_id>/roles", views.RolesView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/people/<int:person_id>/password-link", links.PasswordLinkView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/teams", views.TeamsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/invitations", links.InvitationsView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/consent", own.ConsentView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/consent/withdraw", own.ConsentWithdrawView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/audit", views.AuditView.as_view()),
    path("benchmarks/<slug:benchmark_slug>/audit.csv", views.AuditFileView.as_view()),
    path("jobs/<int:job_id>", views.JobView.as_view()),
]
