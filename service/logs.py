"""Logs of the service: one JSON object a line on stderr, with codes, ids and times, never texts, questions or keys."""

import logging
import sys

import structlog


def set_up_logs() -> None:
    """Configure structlog for this process; JSON also keeps a line break in a name from forging a line."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
    )
