"""How Sphinx builds the documentation site: `make docs`, offline, with warnings as errors."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

import novikoff
from novikoff.lab.export import export

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))

import messages  # noqa: E402

project = "novikoff"
author = "The novikoff developers"
copyright = author  # noqa: A001
version = release = novikoff.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates", "examples", "**/README.rst"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
html_math_renderer = "mathml"
myst_heading_anchors = 3
suppress_warnings = ["config.cache"]  # the scraper below is a function, which is not kept

autosummary_generate = True
# Where file names know no case, the pages of `trace` and `Trace` would be one.
autosummary_filename_map = {"novikoff.trace": "novikoff.trace_function"}
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

# Types of parameters lead to their pages, here and elsewhere. The lists of what is elsewhere lie in
# a folder, as the site is built offline.
intersphinx_mapping = {
    name: (address, f"inventories/{name}.txt")
    for name, address in {
        "python": "https://docs.python.org/3",
        "numpy": "https://numpy.org/doc/stable",
        "matplotlib": "https://matplotlib.org/stable",
        "pandas": "https://pandas.pydata.org/docs",
        "onnx": "https://onnx.ai/onnx",
    }.items()
}
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = {
    name.rpartition(".")[2]: name
    for path in sorted((DOCS / "inventories").glob("*.txt"))
    for name in (line.split()[0] for line in path.read_text("utf-8").splitlines())
    if name != "#"
} | {name: f"novikoff.{name}" for name in novikoff.__all__ if name[0].isupper()}
numpydoc_xref_aliases["path"] = "pathlib.Path"
for word in ("array_like", "array-like", "iterable", "mapping", "sequence"):  # they need no page
    numpydoc_xref_aliases[word] = word

default_role = "py:obj"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"novikoff {version}"
html_theme_options = {
    "navbar_align": "left",
    "show_toc_level": 2,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
# A menu of versions: DOCS_URL is where all of them are read, DOCS_VERSION the folder of this one.
if "DOCS_URL" in os.environ:
    html_theme_options |= {
        "navbar_end": ["version-switcher", "theme-switcher", "navbar-icon-links"],
        "check_switcher": False,  # it is written when the site is put beside the other versions
        "switcher": {
            "json_url": os.environ["DOCS_URL"].rstrip("/") + "/switcher.json",
            "version_match": os.environ.get("DOCS_VERSION", version),
        },
    }
html_static_path = ["_static"]
html_js_files = ["search.js"]
html_show_sourcelink = False
# The lab as a page of the site: lab/index.html, with its engine in the browser; and a list of the
# pages for language models.
html_extra_path = ["_build/lab", "llms.txt"]
export(DOCS / "_build" / "lab" / "lab")
(DOCS / "reference" / "messages.md").write_text(
    messages.page(Path(novikoff.__file__).parent), "utf-8"
)


def figures_of(
    _block: tuple[str, str, int], block_vars: dict[str, Any], gallery_conf: dict[str, Any]
) -> str:
    """The figures and moving pictures that a block made; novikoff draws without pyplot."""
    images = []
    for name, value in list(block_vars["example_globals"].items()):
        if isinstance(value, Path) and value.suffix == ".gif":
            path = Path(next(block_vars["image_path_iterator"])).with_suffix(".gif")
            shutil.copy(value, path)
            images.append(str(path))
            block_vars["example_globals"][name] = None  # so that it is shown once
        if isinstance(value, Figure) and not hasattr(value, "in_gallery"):
            value.in_gallery = True
            path = next(block_vars["image_path_iterator"])
            value.savefig(path, dpi=110)
            images.append(path)
    return str(figure_rst(images, gallery_conf["src_dir"]))


sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "image_scrapers": (figures_of,),
    "reset_modules": (),
    "within_subsection_order": "FileNameSortKey",
    "doc_module": ("novikoff",),
    "backreferences_dir": "reference/generated/used",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1000,
    "write_computation_times": False,
}


def setup(app: Any) -> None:
    """Formulas as MathML, which browsers typeset by themselves: the site needs no network."""

    def write(display: str) -> Any:
        def visit(translator: Any, node: nodes.Element) -> None:
            formula = convert(node.astext(), display=display)
            translator.body.append(formula if display == "inline" else f"<p>{formula}</p>")
            raise nodes.SkipNode

        return visit

    app.add_html_math_renderer("mathml", (write("inline"), None), (write("block"), None))
