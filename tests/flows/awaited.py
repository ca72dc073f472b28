"""Operations of the permission table whose views are still being written; whoever adds a view takes its name out."""

AWAITED = frozenset(
    [
        "upload_create",
        "upload_offset",
        "upload_part",
        "upload_drop",
        "upload_list",
        "upload_describe",
        "upload_take",
        "image_counts",
        "image_items",
        "image_releases",
        "image_hold",
        "image_hold_renew",
        "image_hold_release",
        "image_take_down",
        "image_restore",
    ]
)
