"""gunicorn in a container: as `sectionary serve` runs it (service/gunicorn_conf.py has the reasons), and what differs here."""

import os

from service.gunicorn_conf import *  # noqa: F403  # gunicorn reads the names of this module

# One process a core is the rule, but each holds an embedder of some 300 MB; WEB_CONCURRENCY says otherwise.
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
# The container runtime collects what is written to stdout.
accesslog = "-"
access_log_format = "%(t)s %(m)s %(U)s %(s)s %(b)s %(M)sms"  # no query strings: they may hold questions
# The proxy stands in another container; identity is not taken from its headers unless SECTIONARY_TRUSTED_PROXIES says so.
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1")
