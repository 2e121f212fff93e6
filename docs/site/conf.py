"""How Sphinx makes the site of what build.py has put together."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from pygments.lexers.special import TextLexer  # noqa: E402
from mlir_lexer import MlirLexer  # noqa: E402

project = "memplan"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "memplan"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["extra"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
# A page opened as a file may not read another one, which the excerpts of search results would take.
html_show_search_summary = False
html_permalinks_icon = "#"
# Links to headings are those that repositories make of them.
myst_heading_anchors = 6
myst_enable_extensions = ["deflist"]
# Pages that mlir-tblgen makes begin at a third level.
suppress_warnings = ["myst.header"]
highlight_language = "text"


def setup(app):
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("csv", TextLexer)
