"""How good answers are: questions with known evidence, pure metrics over what was found, intervals, and reports.

The metrics are functions of plain values, so that any retriever can be measured with them. Every figure of a set is a ratio of
sums over questions (service/evaluation/intervals.py), so that means, shares and abstention precision get the same intervals.
"""
