"""What the site has besides the pages of this folder: the changelog, the examples, and the notebook as a page.

It also sees to it that no page needs the network. A hook of mkdocs; see mkdocs.yml.
"""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

LOG = logging.getLogger("mkdocs.hooks.site_files")
ROOT = Path(__file__).parent.parent
PAGES = {"changelog.md": "CHANGELOG.md", "security.md": "SECURITY.md", "first-steps.md": "examples/first_steps.ipynb"}
"""Pages of the site that are made of files elsewhere in the repository."""

HIDDEN = {"index.md": ["navigation", "toc"], "tutorial.md": ["navigation"], "strength.md": ["toc"]}
"""What pages do without: a list of neighbours where there are none, one of headings where tables need the room."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and the examples."""
    for name, source in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=notebook_page(text) if source.endswith("ipynb") else text))
    for path in sorted((ROOT / "examples").iterdir()):
        if path.is_file():
            files.append(File.generated(config, f"examples/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Let links out of the folder lead to what stands in the site instead."""
    page.meta["hide"] = HIDDEN.get(page.file.src_uri, [])
    for name, source in PAGES.items():
        markdown = markdown.replace(f"](../{source})", f"]({name})")
    return markdown.replace("](../docs/", "](").replace("](../examples/", "](examples/")


def on_post_page(output: str, page: Page, **_: Any) -> str:
    """Warn, and so let a strict build fail, where a page would take scripts, styles or fonts from the network."""
    for found in re.findall(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^>]*>", output):
        LOG.warning("%s needs the network: %s", page.file.src_uri, found)
    return output


def notebook_page(text: str) -> str:
    """A notebook as Markdown: its words, and its code."""
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"]]
    parts = [f"```python\n{source}\n```" if kind == "code" else source for kind, source in cells]
    title, rest = re.split(r"\n", "\n\n".join(parts), maxsplit=1)
    source = "As a notebook: [first_steps.ipynb](examples/first_steps.ipynb). CI runs it."
    return f"{title}\n\n{source}\n{rest}\n"
