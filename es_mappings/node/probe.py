"""Looks before and after a start: is there memory, is the port free, does the node answer."""

import http.client
import json
import socket
import time
from typing import Any

import psutil

from es_mappings.errors import NodeMemoryShort, NodePortTaken
from es_mappings.node.process import HOST

# Measured on a fresh node and one with 100,000 vectors: what the Java process takes beside its heap.
BESIDE_HEAP_MB = 250
_PROBE_SECONDS = 5
_RELEASE_SECONDS = 2


def check_memory(heap_mb: int) -> None:
    """Raises NodeMemoryShort unless the heap and what Java needs beside it are free."""
    free_mb = psutil.virtual_memory().available // 2**20
    if free_mb < heap_mb + BESIDE_HEAP_MB:
        raise NodeMemoryShort(
            f"the local Elasticsearch needs {heap_mb + BESIDE_HEAP_MB} MB of free memory and {free_mb} MB are free: "
            "close other programs, or set SECTIONARY_NODE_HEAP_MB lower (256 is enough for a few books)"
        )


def check_port(port: int) -> None:
    """Raises NodePortTaken unless the port can be listened on; a killed node needs a moment to give its port back."""
    deadline = time.monotonic() + _RELEASE_SECONDS
    while (reason := _bind_fault(port)) is not None:
        if time.monotonic() > deadline:
            raise port_taken(port, reason)
        time.sleep(0.1)


def _bind_fault(port: int) -> str | None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            return error.strerror or "it cannot be bound"
    return None


def port_taken(port: int, reason: str) -> NodePortTaken:
    """The error for a port that something else listens on; a Sectionary node of another folder is named as such."""
    answer = ask(port, "/")
    holder = "the node of another SECTIONARY_HOME" if answer and answer.get("cluster_name") == "sectionary-local" else "another program"
    return NodePortTaken(
        f"port {port} is taken by {holder} ({reason}): stop that, or set SECTIONARY_NODE_PORT to a free port; "
        f"if it is an Elasticsearch that you want to use, set SECTIONARY_ES_URL=http://{HOST}:{port}"
    )


def health(port: int) -> str | None:
    """green, yellow or red, or None while nothing answers."""
    answer = ask(port, "/_cluster/health?filter_path=status")
    return str(answer["status"]) if answer and "status" in answer else None


def ask(port: int, path: str) -> dict[str, Any] | None:
    """The JSON object that the node answers to GET `path` with status 200, else None. No proxy is asked, unlike by urllib."""
    connection = http.client.HTTPConnection(HOST, port, timeout=_PROBE_SECONDS)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        value = json.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return value if response.status == http.client.OK and isinstance(value, dict) else None
