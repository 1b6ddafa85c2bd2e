"""A language model is asked about the lines that the rules left in doubt; whatever goes wrong leaves the rules' result, with a warning.

This runs outside the confined process that reads: that one has no network (docs/decisions/0011).
"""

from dataclasses import replace

from es_mappings.errors import BackendError
from ingest.blocks import Reading
from ingest.chat import Chat
from ingest.doubt_prompts import ANSWER_TOKENS_A_LINE, batches, parse_levels, question
from ingest.doubts import Place, doubtful_lines, settled
from ingest.formats import Announce

MOST_CALLS = 50  # a document in which 2,000 lines are in doubt has another problem


def level_doubts(reading: Reading, chat: Chat, window: int, announce: Announce) -> Reading:
    """The reading with its doubtful lines judged by the model, one call for each batch that fits its window (tokens).

    `announce` is told ("leveling", calls made, calls in all). An outline that a person corrected is not asked about.
    """
    if any(block.source == "manual" for block in reading.blocks):
        return replace(reading, blocks=settled(reading.blocks, {}).blocks)
    groups = batches(doubtful_lines(reading.blocks), window)
    levels: dict[Place, int] = {}
    warnings: list[str] = []
    malformed = unasked = unanswered = 0
    for made, lines in enumerate(groups):
        announce("leveling", made, len(groups))
        if made == MOST_CALLS:
            unasked = sum(map(len, groups[made:]))
            break
        try:
            reply = chat.complete(question(lines), ANSWER_TOKENS_A_LINE * len(lines) + 64)
            answered = parse_levels(reply.text, len(lines))
        except BackendError as error:
            # The endpoint was tried again where that helps; the next calls would only wait as long.
            warnings.append(f"the language model was not asked about {sum(map(len, groups[made:]))} doubtful lines: {error.message}")
            break
        except ValueError:
            malformed += len(lines)
            continue
        unanswered += len(lines) - len(answered)
        levels |= {lines[number - 1].place: level for number, level in answered.items()}
    result = settled(reading.blocks, levels)
    notes = (
        (malformed, "the language model answered in another form than asked about {} doubtful lines: they stay as the rules have them"),
        (unanswered, "the language model left out {} doubtful lines: they stay as the rules have them"),
        (unasked, "more lines than the language model is asked about are in doubt: {} stay as the rules have them"),
        (result.refused, "the language model gave {} lines a level that cannot be where they stand: they stay as the rules have them"),
        (result.changed, "the language model decided {} places of the outline otherwise than the rules"),
    )
    warnings += [text.format(count) for count, text in notes if count]
    return replace(reading, blocks=result.blocks, warnings=(*reading.warnings, *warnings))
