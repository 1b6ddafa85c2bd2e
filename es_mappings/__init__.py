"""What is stored, and the only door to Elasticsearch."""
