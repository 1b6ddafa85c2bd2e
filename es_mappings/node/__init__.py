"""The local Elasticsearch: one node on this machine's loopback, made of the jars that Elastic publishes; no Docker, no JDK, no root.

It has no security and is for one person's machine and for tests; everything it writes is under `settings.home`.
"""

from es_mappings.node.lifecycle import NodeStatus, start, status, stop, url

__all__ = ["NodeStatus", "start", "status", "stop", "url"]
