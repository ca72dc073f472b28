"""Why a system's files cannot be had or cannot be run."""

from curation.core.errors import DomainError


class BackendFilesUnfit(DomainError):
    """The folder holds no model that the backend can run."""

    code = "backend_files_unfit"
    status = 422
    detail = "{folder} cannot be run by the backend: {reason}."


class HubUnreachable(DomainError):
    """Nobody answers, or something else than a model hub does."""

    code = "hub_unreachable"
    status = 503
    detail = "The model hub at {hub} cannot be reached or does not answer as one: {reason}."


class HubNotFound(DomainError):
    """The hub knows no such repository, or no such revision of it, or keeps it from us."""

    code = "hub_not_found"
    status = 404
    detail = "The model hub shows us no {hub_id} at revision {revision}."


class HubGated(DomainError):
    """Its makers ask for an agreement first."""

    code = "hub_gated"
    status = 403
    detail = "The makers of {hub_id} let in only who agreed to their terms: agree on the hub, and set HF_TOKEN."


class HubNoWeights(DomainError):
    """Weights come as pickles only; reading a pickle can run anything."""

    code = "hub_no_weights"
    status = 422
    detail = "{hub_id} at {revision} holds no weights in safetensors; pickled ones ({pickles}) are not read."


class HubFileAltered(DomainError):
    """What came is not what the hub announced."""

    code = "hub_file_altered"
    status = 502
    detail = "{file} came with another content than the hub announced ({expected}); it was thrown away."


class ModelStoreFull(DomainError):
    """No room for the files."""

    code = "model_store_full"
    status = 507
    detail = "The models' folder has {free} bytes left, {needed} are needed."
