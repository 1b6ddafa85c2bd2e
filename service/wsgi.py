"""What gunicorn imports: `service.wsgi:app`."""

from es_mappings.settings import read_settings
from service.app import create_app
from service.installation import refuse_clashes
from service.logs import set_up_logs
from service.opening import open_services

set_up_logs()
refuse_clashes()
_settings = read_settings()
app = create_app(_settings, open_services(_settings))
