"""HTTP of teams' work on their items."""

from __future__ import annotations

from annotation.peer import queries, services
from annotation.peer.api import serializers as s
from annotation.seats.api.serializers import SeatsInput
from curation.core.api.operations import command, csv_file, query
from curation.core.api.views import OperationView
from curation.core.operations import reaches
from curation.people.rules import HEADS

_TEAM = reaches(annotate="team", verify="team", inspect="all")
# Those who review decide about items of the pair track.
_READERS = HEADS | _TEAM | reaches(review="all")
_MEMBERS = reaches(annotate="team", verify="team")
_AUTHORS = reaches(annotate="team")
_DISCARDERS = HEADS | reaches(annotate="team", inspect="all")
_INSPECTORS = reaches(inspect="all")
_CHECKERS = reaches(verify="team", inspect="all")
# Those who hold seats of items of any of these tracks.
_HOLDERS = reaches(verify="team", inspect="all", click="assigned")


class BoardView(OperationView):
    """A team's board."""

    get = query("team_board", queries.team_board, _READERS, parameters=s.BoardInput, shows="item image")


class PlacesView(OperationView):
    """A team's items in a row."""

    get = query("team_places", queries.team_places, _READERS, parameters=s.PlacesInput, shows="item")


class ItemView(OperationView):
    """An item as its team writes and checks it."""

    get = query("peer_item_show", queries.peer_item, _READERS, shows="item seat")


class CreateView(OperationView):
    """Creating an item."""

    post = command(
        "item_create",
        services.create_item,
        s.CreateInput,
        _AUTHORS,
        then=queries.changed_item,
        status=201,
        contributes=True,
        changes="item",
    )


class StarView(OperationView):
    """Accepting a colleague's item."""

    post = command(
        "item_star",
        services.star_item,
        s.JudgedInput,
        _CHECKERS,
        then=queries.changed_item,
        contributes=True,
        changes="item seat",
    )


class SendBackView(OperationView):
    """Returning a colleague's item."""

    post = command(
        "item_send_back",
        services.send_back_item,
        s.SendBackInput,
        _CHECKERS,
        then=queries.changed_item,
        contributes=True,
        changes="item seat",
    )


class ReopenView(OperationView):
    """Returning an accepted item to its author."""

    post = command(
        "item_reopen",
        services.reopen_item,
        s.ReopenInput,
        HEADS | reaches(inspect="all"),
        then=queries.changed_item,
        contributes=True,
        changes="item seat",
    )


class DiscardView(OperationView):
    """Discarding an item."""

    post = command(
        "item_discard",
        services.discard_item,
        s.DiscardInput,
        _DISCARDERS,
        then=queries.changed_item,
        contributes=True,
        changes="item seat",
    )


class SpotChecksView(OperationView):
    """The spot checks of a kind, and drawing another one."""

    get = query(
        "spot_check_list", queries.spot_checks, HEADS | _TEAM, parameters=s.SpotChecksQuery, shows="item draw team"
    )
    post = command(
        "spot_check_draw",
        services.draw_spot_check,
        s.DrawInput,
        _INSPECTORS,
        then=queries.changed_spot_checks,
        changes="draw",
    )


class SpotCheckSheetView(OperationView):
    """The drawn items to judge."""

    get = query(
        "spot_check_sheet", queries.spot_check_sheet, _INSPECTORS, parameters=s.SpotCheckSheetQuery, shows="item draw"
    )


class SpotCheckView(OperationView):
    """Judging a drawn item."""

    post = command(
        "item_spot_check",
        services.judge_spot_check,
        s.SpotCheckInput,
        _INSPECTORS,
        then=queries.changed_item,
        contributes=True,
        changes="item draw",
    )


class CreditView(OperationView):
    """Credit towards authorship."""

    get = query("credit_list", queries.credit, HEADS | _MEMBERS, shows="item team protocol person")


class CreditFileView(OperationView):
    """Credit towards authorship as a file."""

    get = csv_file("credit_file", queries.credit_lines, queries.COLUMNS, HEADS | _MEMBERS, title="credit")


class StatisticsView(OperationView):
    """Accepted items by team and category."""

    get = query(
        "team_statistics", queries.team_statistics, HEADS | _TEAM, parameters=s.StatisticsQuery, shows="item image team"
    )


class PoolView(OperationView):
    """The items that wait to be checked."""

    get = query("peer_pool_show", queries.peer_pool, _CHECKERS, parameters=s.PeerPoolQuery, shows="item seat")


class PoolClaimView(OperationView):
    """Claiming items to check."""

    post = command(
        "peer_pool_claim",
        services.claim_items,
        s.PeerClaimInput,
        _CHECKERS,
        then=queries.claimed_pool,
        contributes=True,
        changes="seat",
    )


class PoolRenewView(OperationView):
    """Heartbeat: renew held seats."""

    post = command("peer_pool_renew", services.renew_seats, SeatsInput, _HOLDERS)


class PoolReleaseView(OperationView):
    """Releasing seats."""

    post = command("peer_pool_release", services.release_seats, SeatsInput, _HOLDERS, changes="seat")
