"""A small protocol for tests of the package track: packages of any size, 25% drawn."""


def names(text: str) -> dict[str, str]:
    """The same text in the three languages."""
    return {"zh-Hans": text, "zh-Hant": text, "en": text}


def captions_protocol(*, size: int = 4, sample_percent: int = 25, pass_over_percent: int = 97) -> dict:
    """Content of a protocol version as the database holds it."""
    return {
        "kinds": {
            "captions": {
                "slots": 5,
                "minimum_characters": 8,
                "overlap": {"measure": "bigram_jaccard", "limit_percent": 30},
                "human_checks": [{"code": "no_names", "name": names("没有人名")}],
                "review_reasons": [
                    {"code": "wrong_fact", "name": names("与图不符")},
                    {"code": "names_a_person", "name": names("写了人名")},
                ],
                "skip_reasons": [{"code": "unclear", "name": names("看不清")}],
            }
        },
        "tracks": {
            "package": {
                "size": size,
                "sample_percent": sample_percent,
                "pass_over_percent": pass_over_percent,
                "self_check": True,
            }
        },
    }
