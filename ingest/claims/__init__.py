"""Statements that can be checked: numbers, names, negations and exceptions in a text, and whether another text supports them."""
