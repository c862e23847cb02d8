"""Reports: tables for a terminal, and one HTML page to attach to an email."""

from novikoff.report.notebook import figure_html
from novikoff.report.page import page, write_page
from novikoff.report.tables import rich_table

__all__ = ["figure_html", "page", "rich_table", "write_page"]
