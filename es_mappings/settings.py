"""Settings: one frozen object, read once from SECTIONARY_* variables; units are in the names."""

import ipaddress
from pathlib import Path

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from es_mappings.errors import SettingsError


class Settings(BaseSettings):
    """Every setting with its default; each can be given as an environment variable with the prefix SECTIONARY_."""

    model_config = SettingsConfigDict(env_prefix="SECTIONARY_", frozen=True, extra="forbid")

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("sectionary")),
        description="folder for the local node, its data and waiting uploads",
    )

    es_url: str = Field(default="", description="an Elasticsearch to use; empty: the local node is started")
    es_api_key: str = Field(default="", description="API key for es_url", repr=False)
    es_user: str = Field(default="", description="user for es_url")
    es_password: str = Field(default="", description="password for es_url", repr=False)
    es_ca_file: str = Field(default="", description="CA certificate file (PEM) for es_url")
    es_timeout_seconds: float = Field(default=10, gt=0, description="longest wait for one request to Elasticsearch")
    index_prefix: str = Field(default="sectionary", pattern=r"^[a-z0-9][a-z0-9_.-]{0,80}$", description="start of the name of every index")
    node_port: int = Field(default=9266, ge=1, le=65435, description="HTTP port of the local node (loopback)")
    node_heap_mb: int = Field(default=512, ge=128, description="Java heap of the local node in MB")

    embedder: str = Field(
        default="", description="use, e5, transformers:FOLDER or openai:MODEL; empty: as the index was made, a new one with use"
    )
    embedder_base_url: str = Field(default="", description="base URL of an OpenAI-compatible /embeddings service")
    embedder_model: str = Field(default="", description="model name asked of the embeddings service")
    embedder_max_tokens: int = Field(
        default=8000, ge=16, description="longest text sent to the embeddings service in tokens (o200k); longer ones are split and averaged"
    )
    embedder_query_prefix: str = Field(default="", description='what the served model wants before a question, for example "query: "')
    embedder_passage_prefix: str = Field(default="", description='what the served model wants before a passage, for example "passage: "')
    embedder_api_key: str = Field(default="", description="key for the embeddings service", repr=False)

    reranker: str = Field(default="off", description="off, endpoint (any /v1/rerank), tei, or transformers:FOLDER (a cross-encoder)")
    reranker_base_url: str = Field(default="", description="base URL of a reranking service; its path ends before /rerank")
    reranker_model: str = Field(default="", description="model name asked of the reranking service; empty: the first that it lists")
    reranker_api_key: str = Field(default="", description="key for the reranking service", repr=False)
    reranker_depth: int = Field(default=32, ge=2, le=100, description="how many of the best hits are reranked")
    reranker_passage_tokens: int = Field(
        default=1000, ge=64, description="longest passage sent to a reranking service in tokens (o200k); longer ones keep both ends"
    )
    reranker_seconds: float = Field(default=5, gt=0, description="longest wait for reranking; after it the order stays as it was")

    llm_base_url: str = Field(default="", description="base URL of an OpenAI-compatible endpoint; empty: extractive answers")
    llm_model: str = Field(default="", description="model name; empty: the first that the endpoint lists")
    llm_api_key: str = Field(default="", description="key for the endpoint", repr=False)
    llm_window: int = Field(
        default=32_768,
        ge=512,
        description="context window of the model in tokens; set what yours has (`sectionary doctor` compares, where the endpoint tells)",
    )
    llm_answer_tokens: int = Field(default=1000, ge=16, description="longest answer in tokens")
    llm_timeout_seconds: float = Field(default=45, gt=0, description="longest wait for the first or next piece of a reply")

    host: str = Field(default="127.0.0.1", description="address that the service listens on")
    port: int = Field(default=8080, ge=0, le=65535, description="port that the service listens on")
    upload_max_bytes: int = Field(default=50_000_000, gt=0, description="largest upload in bytes")
    public_reading: bool = Field(default=True, description="beyond loopback, callers without an identity may read what is public")
    groups_header: str = Field(
        default="", description="request header, set by a trusted proxy, that carries the reader's groups, comma-separated"
    )

    trusted_proxies: str = Field(
        default="127.0.0.0/8,::1/128",
        description="networks, comma-separated, whose groups_header is believed; from elsewhere it is ignored",
    )
    writer_groups: str = Field(default="", description="groups, comma-separated, whose members may upload and delete")
    owner_key: str = Field(
        default="",
        pattern=r"^(\S{32,})?$",
        description="key of 32 or more characters; who sends it as a bearer token is the owner",
        repr=False,
    )
    allowed_hosts: str = Field(
        default="", description="names, comma-separated, by which requests may address the service besides those of loopback"
    )
    job_lease_seconds: float = Field(default=60, ge=1, description="a job whose worker is silent this long is given to another")
    job_attempts: int = Field(default=3, ge=1, description="how often a job is tried when its worker dies")

    reader_seconds: float = Field(default=120, gt=0, description="longest time for reading one document")
    reader_memory_mb: int = Field(default=1536, ge=256, description="most memory for reading one document in MB")
    reader_page_seconds: float = Field(
        default=20, gt=0, description="more time for each page that is recognised (OCR) or shown to a layout model"
    )
    reader_longest_seconds: float = Field(default=7200, gt=0, description="longest time for all such pages of one document")
    ocr_languages: str = Field(
        default="eng+chi_sim", pattern=r"^\w+(\+\w+)*$", description="languages of scans by Tesseract's names, joined by +"
    )
    pdf_evidence: str = Field(
        default="",
        description="asked about doubtful headings of PDFs: layout_model, layout_model_all, layoutlm:FOLDER, llm, comma-separated",
    )
    file_max_bytes: int = Field(default=200_000_000, gt=0, description="largest file that is read in bytes")
    chunk_tokens: int = Field(default=512, ge=64, le=4096, description="largest chunk with its heading path in tokens (o200k)")
    chunk_overlap_tokens: int = Field(default=0, ge=0, le=256, description="tokens repeated between pieces of one section")
    budget_tokens: int = Field(default=4000, ge=100, description="evidence given to an answer in tokens when not asked otherwise")
    signal_weights: str = Field(
        default="",
        description="weights of ranking signals that differ from their own, comma-separated: vector=0 switches one off, lexical=1.5",
    )
    request_deadline_seconds: float = Field(default=60, gt=0, description="longest request; replaced nodes are kept this long")

    summary_policy: str = Field(
        default="at-once",
        pattern=r"^(at-once|every:[1-9]\d{0,5}|by-hand)$",
        description="when summaries are made: at-once (when a document is ingested), every:MINUTES (by the worker), by-hand",
    )
    summary_method: str = Field(
        default="map_reduce",
        pattern=r"^(map_reduce|refine)$",
        description="what does not fit one call is summarised in groups at once (map_reduce) or one after the other (refine)",
    )
    summary_language: str = Field(default="", description="language of summaries (zh, en ... or its name); empty: the document's own")
    summary_tokens: int = Field(default=500, ge=32, le=8000, description="longest summary of a section in tokens")
    summary_document_tokens: int = Field(default=1000, ge=64, le=16000, description="longest summary of a document in tokens")
    summary_short_tokens: int = Field(default=400, ge=1, le=4000, description="a section of fewer tokens is its own summary")
    summary_text_tokens: int = Field(default=16000, ge=400, description="most text given to one call, however large the window is")
    summary_parallel: int = Field(default=8, ge=1, le=256, description="summaries asked for at the same time")
    summary_call_seconds: float = Field(default=300, gt=0, description="longest wait for one summary")
    summary_attempts: int = Field(default=5, ge=1, le=20, description="how often one summary is asked for before it counts as failed")
    summary_tree: str = Field(
        default="contiguous",
        pattern=r"^(contiguous|raptor)$",
        description="documents without headings: groups of neighbours (contiguous) or clusters by meaning (raptor)",
    )
    summary_themes: str = Field(
        default="by-hand",
        pattern=r"^(off|by-hand|every:[1-9]\d{0,5})$",
        description="themes across chapters and documents: off, by-hand, or rebuilt every:MINUTES by the worker",
    )
    summary_themes_within_access: bool = Field(
        default=False, description="themes are made only of texts under one and the same access rule"
    )

    @property
    def on_loopback(self) -> bool:
        """Whether the service listens on this machine only."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_settings(**overrides: object) -> Settings:
    """Settings from the environment; SettingsError names each wrong variable."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]  # pydantic checks the values
    except ValidationError as error:
        faults = "; ".join(f"SECTIONARY_{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in error.errors() if fault["loc"])
        raise SettingsError(f"these settings are wrong: {faults}") from None
