"""What Elasticsearch's client raises becomes an error of ours, whoever of this room calls it."""

from collections.abc import Iterator
from contextlib import contextmanager

import elasticsearch

from es_mappings.errors import IndexRefused, IndexUnavailable, RevisionConflict


@contextmanager
def door() -> Iterator[None]:
    """Around every call of the client. Raises IndexUnavailable, IndexRefused, RevisionConflict."""
    try:
        yield
    except elasticsearch.AuthenticationException:
        raise IndexRefused(
            "Elasticsearch refuses the credentials: check SECTIONARY_ES_API_KEY, or SECTIONARY_ES_USER and SECTIONARY_ES_PASSWORD"
        ) from None
    except elasticsearch.AuthorizationException:
        raise IndexRefused("Elasticsearch does not grant this account a needed privilege: run `sectionary doctor` to see which") from None
    except elasticsearch.ConflictError:
        raise RevisionConflict("the record was changed by another writer meanwhile: try again") from None
    except elasticsearch.ApiError as error:
        if error.status_code in (429, 502, 503, 504):
            raise IndexUnavailable(f"Elasticsearch is overloaded or starting (status {error.status_code}): try again in a moment") from None
        raise IndexRefused(
            f"Elasticsearch refused a request (status {error.status_code}, {error.error}): run `sectionary doctor`"
        ) from None
    except elasticsearch.TransportError as error:
        raise IndexUnavailable(
            f"Elasticsearch does not answer ({type(error).__name__}): start it with `sectionary node start`, or check SECTIONARY_ES_URL"
        ) from None
