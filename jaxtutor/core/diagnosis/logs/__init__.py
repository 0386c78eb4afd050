"""Reads exceptions from what people paste: logs, notebooks, mails and reports of test runs."""
