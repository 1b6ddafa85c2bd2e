"""Trees without headings and themes: soft clusters that fit a call, the same every time, on any number of texts."""

import numpy as np
import pytest
from summary_books import MemoryStore, ScriptedChat, limits, prose, recipe, run

from ingest.summaries.clustering import soft_clusters
from ingest.summaries.clusters import Cluster, contiguous_clusters, plan_clusters, plan_themes, raptor_clusters
from ingest.summaries.coverage import coverage_of
from ingest.summaries.mapreduce import calls_needed
from ingest.summaries.tree import Plan, SectionSource

DOCUMENT = SectionSource(key="d", title="A story", parent=None)


def topics(count: int, each: int, seed: int = 0, spread: float = 0.6) -> np.ndarray:
    """Unit vectors around `count` directions, `each` a topic, in turn."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(count, 64))
    rows = np.tile(centres, (each, 1)) + rng.normal(size=(count * each, 64)) * spread
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_texts_about_the_same_thing_come_together() -> None:
    clusters = soft_clusters(topics(6, 20), [50] * 120, 100_000)
    for rows in clusters:
        assert len({row % 6 for row in rows}) == 1
    assert {row for rows in clusters for row in rows} == set(range(120))


def test_texts_between_two_topics_belong_to_both() -> None:
    rows = np.random.default_rng(0).normal(size=(300, 6)) * [1, 0.3, 0.3, 0.3, 0.3, 0.3]
    rows[150:, 0] += 3.5  # two topics that overlap along one axis
    clusters = soft_clusters(rows, [50] * 300, 1_000_000)
    parents = [sum(row in cluster for cluster in clusters) for row in range(300)]
    both = [row for row, count in enumerate(parents) if count == 2]
    assert len(clusters) == 2
    assert 10 < len(both) < 80
    assert all(0.5 < rows[row, 0] < 3.0 for row in both)
    assert min(parents) == 1


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7, 11])
def test_tiny_sets_and_equal_texts_are_clustered_without_a_fault(count: int) -> None:
    for rows in (topics(2, 6)[:count], np.ones((count, 8))):
        clusters = soft_clusters(rows, [50] * count, 10_000)
        assert {row for cluster in clusters for row in cluster} == set(range(count))


def test_no_text_gives_no_cluster() -> None:
    assert soft_clusters(np.empty((0, 8)), [], 100) == ()


def test_the_same_texts_give_the_same_clusters() -> None:
    rows = topics(5, 30, seed=3, spread=1.2)
    assert soft_clusters(rows, [50] * 150, 2_000) == soft_clusters(rows.copy(), [50] * 150, 2_000)


def test_clusters_too_large_for_a_call_are_split() -> None:
    sizes = [300] * 200
    for rows in (topics(2, 100), np.ones((200, 8))):
        clusters = soft_clusters(rows, sizes, 3_000)
        assert max(sum(sizes[row] for row in cluster) for cluster in clusters) <= 3_000
        assert {row for cluster in clusters for row in cluster} == set(range(200))


def leaves(count: int, tokens: int = 300) -> list[SectionSource]:
    return [SectionSource(key=f"c{i}", title="", parent=0, text=prose(tokens, i), kind="leaf") for i in range(count)]


def tree(kind: str, texts: list[SectionSource], window: int) -> Plan:
    bounds = limits(window)
    sizes = [300] * len(texts)
    if kind == "raptor":
        clusters = raptor_clusters(topics(7, len(texts) // 7 + 1)[: len(texts)], sizes, bounds)
    else:
        clusters = contiguous_clusters(sizes, list(range(len(texts))), bounds)
    return plan_clusters(DOCUMENT, texts, clusters, bounds, recipe())


@pytest.mark.parametrize("window", [3_000, 8_192, 32_000])
@pytest.mark.parametrize("kind", ["raptor", "contiguous"])
def test_a_document_without_headings_is_covered_by_the_calls_told(kind: str, window: int) -> None:
    made, store, chat = tree(kind, leaves(120), window), MemoryStore(), ScriptedChat(lambda prompt: "Said.")
    told = calls_needed(made, store)
    done = run(made, chat, store)
    assert told == len(chat.prompts) == made.calls > 1
    coverage = coverage_of(done, 0)
    assert coverage.share == 1.0
    assert {section.section for section in coverage.sections} >= set(range(121))


def test_a_text_in_two_clusters_is_counted_once_in_the_coverage() -> None:
    texts = leaves(3)
    clusters = (Cluster(level=1, members=(0, 1)), Cluster(level=1, members=(1, 2)))
    done = run(plan_clusters(DOCUMENT, texts, clusters, limits(), recipe()), ScriptedChat(lambda prompt: "Said."))
    assert [section.reached for section in coverage_of(done, 0).sections[1:4]] == [300, 300, 300]


def test_contiguous_clusters_keep_the_order_and_cost_fewest_calls() -> None:
    made = tree("contiguous", leaves(120), 32_000)
    assert made.calls == -(-120 * 376 // 8_000) + 2  # 300 tokens and room for a heading each, the groups not quite full, the whole
    firsts = [step.units[0].section for step in made.steps if step.role == "reduce"]
    assert firsts == sorted(firsts)


def test_one_changed_leaf_remakes_its_clusters_and_the_document_only() -> None:
    texts, store = leaves(120), MemoryStore()
    run(tree("contiguous", texts, 32_000), ScriptedChat(lambda prompt: "Said."), store)
    texts[50] = SectionSource(key="c50", title="", parent=0, text=prose(300, 999), kind="leaf")
    assert calls_needed(tree("contiguous", texts, 32_000), store) == 2


def test_themes_are_summaries_of_clusters_without_one_of_the_whole() -> None:
    texts = [SectionSource(key=f"s{i}", title=f"Place {i}", parent=0, text=prose(100, i), kind="leaf") for i in range(30)]
    bounds = limits()
    rows = topics(3, 10)
    clusters = [Cluster(level=1, members=members) for members in soft_clusters(rows, [100] * 30, 5_000)]
    made = plan_themes(texts, clusters, DOCUMENT, bounds, recipe())
    chat = ScriptedChat(lambda prompt: "A theme.")
    done = run(made, chat)
    assert done.summary(0) is None
    assert len(chat.prompts) == len(clusters)
    assert all("theme in common" in prompt and "[Place " in prompt for prompt in chat.prompts)
