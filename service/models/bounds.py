"""Every bound of a request in one table; each has a test at the limit and one beyond it."""

QUERY_CHARACTERS = 2_000
FILTERS = 50  # documents, sections or excluded sections named in one request
FILTER_CHARACTERS = 8_000  # as long as the longest stored section path
HITS = 100
HITS_DEFAULT = 10
BUDGET_TOKENS_LEAST = 100
BUDGET_TOKENS_MOST = 200_000
NAME_CHARACTERS = 1_000  # collection, source and file names
COLLECTION_CHARACTERS = 200
GROUPS = 50
GROUPS_CHARACTERS = 4_000
ID_CHARACTERS = 128
READING_PASSAGES = 60  # passages in one piece of a document that is read in its place
JOBS_LISTED = 100
STYLE_CHARACTERS = 500  # how a summary is wished for
LANGUAGE_CHARACTERS = 40
SUMMARY_TOKENS_LEAST = 30
SUMMARY_TOKENS_MOST = 8_000
JSON_BODY_BYTES = 1_000_000
FORM_PARTS = 20
TURNS = 40  # messages of a conversation before a question
TURN_CHARACTERS = 8_000
GOLD_CHARACTERS = 20_000  # a gold quote or answer of an evaluation
