"""What gunicorn imports: `service.wsgi:app`."""

import contextlib
import threading

from es_mappings.access import OWNER
from es_mappings.errors import SectionaryError
from es_mappings.settings import read_settings
from service.app import create_app
from service.installation import refuse_clashes
from service.logs import set_up_logs
from service.models.requests import SearchBody
from service.opening import open_services
from service.services import Services


def _warm_up(services: Services) -> None:
    """Load the embedder and open the connections before the first person waits for them."""
    with contextlib.suppress(SectionaryError):
        services.search(SearchBody(query="warm-up", size=1), OWNER)


set_up_logs()
refuse_clashes()
_settings = read_settings()
_services = open_services(_settings)
threading.Thread(target=_warm_up, args=(_services,), daemon=True).start()
app = create_app(_settings, _services)
