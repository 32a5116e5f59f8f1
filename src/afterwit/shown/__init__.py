"""What models and results show of themselves, in a notebook and by `afterwit inspect`."""

from afterwit.shown.html import pairs, picture, table, together
from afterwit.shown.lines import aligned
from afterwit.shown.models import model_html

__all__ = ["aligned", "model_html", "pairs", "picture", "table", "together"]
