"""How gunicorn serves the app (`gunicorn -c python:service.gunicorn_conf service.wsgi:app`); each choice with its reason."""

import os
from pathlib import Path

from es_mappings.settings import read_settings

_settings = read_settings()

bind = f"{'[' + _settings.host + ']' if ':' in _settings.host else _settings.host}:{_settings.port}"
worker_class = "gthread"  # requests wait for Elasticsearch and the model; a stream holds a thread, not a process
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))  # each holds an embedder
threads = 8
timeout = int(_settings.request_deadline_seconds) + 30  # a silent worker is replaced; the threads of a busy one keep it alive
graceful_timeout = 30  # streams may end when the service stops
keepalive = 15  # the page polls jobs over one connection
max_requests = 20_000  # a slow leak in any library never becomes a failure
max_requests_jitter = 2_000
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108  # the heartbeat must not wait for a disk
limit_request_line = 4094
limit_request_fields = 60
control_socket_disable = True  # nothing is steered while it runs, and its socket wants a writable HOME
accesslog = None
errorlog = "-"
loglevel = "warning"
proc_name = "sectionary"
