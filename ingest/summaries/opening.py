"""What makes summaries, from the settings: the endpoint with its patience, the limits, the recipe."""

from es_mappings.settings import Settings
from ingest.summaries.freshness import Recipe
from ingest.summaries.patience import Patience, PatientChat
from ingest.summaries.prompts import overhead_tokens, template_texts
from ingest.summaries.windows import Limits, fitted

# Texts are counted in o200k tokens; a model may cut them into more of its own (measured: Gemma 3 takes 1.06 times as many for a story).
_WINDOW_USED = 0.9


def open_patient_chat(settings: Settings, *, within_seconds: float | None = None) -> PatientChat | None:
    """The endpoint for summaries, None when SECTIONARY_LLM_BASE_URL is not set. Nothing is sent yet.

    Attempts are counted here, not in the client, and a whole reply may take SECTIONARY_SUMMARY_CALL_SECONDS; for a caller who
    waits no longer than `within_seconds` there is one attempt of that length.
    """
    if not settings.llm_base_url:
        return None
    from ingest.endpoint import Endpoint  # here: the openai package takes half a second to import
    from ingest.openai_chat import OpenAIChat

    seconds = min(settings.summary_call_seconds, within_seconds or settings.summary_call_seconds)
    endpoint = Endpoint(
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key,
        named_model=settings.llm_model,
        read_seconds=seconds,
        total_seconds=seconds,
        attempts=1,
    )
    return PatientChat(OpenAIChat(endpoint), Patience(attempts=1 if within_seconds else settings.summary_attempts))


def limits_of(settings: Settings) -> Limits:
    """The sizes of the settings, made to fit the window with a tenth to spare. Raises SettingsError when the window is too small."""
    return fitted(
        Limits(
            window=int(settings.llm_window * _WINDOW_USED),
            overhead=overhead_tokens(),
            summary=settings.summary_tokens,
            document=settings.summary_document_tokens,
            short=settings.summary_short_tokens,
            call=settings.summary_text_tokens,
        )
    )


def recipe_of(settings: Settings, model: str, limits: Limits, language: str | None) -> Recipe:
    """How summaries of a document in `language` (ISO 639-1 or None) are made now."""
    return Recipe(
        model=model,
        prompts=template_texts(),
        language=settings.summary_language or language or "",
        method=settings.summary_method,
        summary_tokens=limits.summary,
        document_tokens=limits.document,
    )
