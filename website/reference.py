"""Writes the guides, man pages, the changelog and the programming interface as pages."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from website.sources import Names, SiteError, SourcePage, link

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
LEFT_OUT = frozenset({"styleguide", "trials"})
"""Pages that concern who changes the screens, and tables of figures."""
INTERFACE = ("jaxtutor/diagnosis.py", "jaxtutor/core/vocabulary.py")
"""The modules that others import."""
ELSEWHERE = {
    ROOT / "CHANGELOG.md": "changelog/index",
    ROOT / "jaxtutor" / "core" / "reporting" / "outputs" / "schemas.py": "schemas/index",
}
"""The files of which the site has another form, with the paths of their pages."""
_LINK = re.compile(r"(?<![!`])\[([^\]\n]*)\]\((?!https?:|mailto:)([^)#\s]*)(#[^)\s]*)?\)")


def guide_paths() -> dict[str, str]:
    """Return the path of each document's page, by the name of its file."""
    return {
        path.name: f"guides/{path.stem}"
        for path in sorted(DOCS.glob("*.md"))
        if path.stem not in LEFT_OUT
    }


def reference_pages(names: Names, repository: str) -> Iterator[SourcePage]:
    """Write every page of the reference, and the list of the guides."""
    guides = [_document(DOCS / name, path, repository) for name, path in guide_paths().items()]
    yield from guides
    rows = [f"- {link(page.title, page.path)}" for page in guides]
    yield SourcePage("guides/index", "Guides", "\n".join(rows), "How to use jaxtutor.")
    yield _document(ROOT / "CHANGELOG.md", "changelog/index", repository)
    yield from _man_pages()
    yield _interface(names)


def _document(path: Path, to: str, repository: str) -> SourcePage:
    """Turn a document into a page: its links lead to pages of the site, or to the repository."""
    text = path.read_text(encoding="utf-8")
    heading, _, body = text.lstrip().partition("\n")
    body = re.sub(r"^```mermaid\b", "```text", body, flags=re.M)
    first = re.sub(r"\s+", " ", body.strip().partition("\n\n")[0])
    return SourcePage(to, heading.lstrip("# "), complete_links(path, body, repository), first)


def complete_links(path: Path, text: str, repository: str) -> str:
    """Complete the links of a document. Raises SiteError for a file that does not exist."""
    guides = guide_paths()

    def complete(found: re.Match[str]) -> str:
        says, target, part = found[1], found[2], found[3] or ""
        file = (path.parent / target).resolve() if target else path
        if not file.exists():
            line = text.count("\n", 0, found.start()) + 2  # below the heading
            raise SiteError(f"{path}:{line}: there is no file {target!r}")
        if file.parent == DOCS and file.name in guides:
            return f"[{says}](/{guides[file.name]}.md{part})"
        if file in ELSEWHERE:
            return f"[{says}](/{ELSEWHERE[file]}.md{part})"
        if not repository:
            return says
        return f"[{says}]({repository}/blob/HEAD/{file.relative_to(ROOT).as_posix()}{part})"

    return _LINK.sub(complete, text)


# ---------------------------------------------------------------- man pages


def _man_pages() -> Iterator[SourcePage]:
    program = shutil.which("mandoc")
    if program is None:
        raise SiteError("man/:1: install mandoc: it turns the man pages into pages of the site")
    rows = []
    for path in sorted((ROOT / "man").iterdir()):
        ran = subprocess.run(
            [program, "-T", "markdown", str(path)], capture_output=True, text=True, check=True
        )
        body = ran.stdout.partition("\n\n")[2]
        name, section = path.stem, path.suffix[1:]
        says = re.search(r"^\.Nd (.+)$", path.read_text(encoding="utf-8"), re.M)
        about = says[1] if says else ""
        title = f"{name}({section})"
        rows.append(f"- {link(title, f'man/{name}')}: {about}")
        text = _below_title(body)
        yield SourcePage(f"man/{name}", title, text, about)
    yield SourcePage("man/index", "Man pages", "\n".join(rows), "The manual of each command.")


def _below_title(text: str) -> str:
    """Move the headings of a man page below the title of the page."""
    text = re.sub(r"^(#+ )", r"#\1", text, flags=re.M)
    head = re.compile(r"^## ([A-Z][A-Z ]+)$", re.M)
    return head.sub(lambda it: f"## {it[1].capitalize()}", text)


# ---------------------------------------------------------------- the programming interface


def _interface(names: Names) -> SourcePage:
    """List the functions and classes that others import, by their docstrings."""
    parts = [f"What a program may import. {link('The guide', 'guides/api')} shows how it is used."]
    for name in INTERFACE:
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        module = name.removesuffix(".py").replace("/", ".")
        parts.append(f"## `{module}`\n\n{ast.get_docstring(tree) or ''}")
        parts += map(_described, _public(tree))
    text = "\n\n".join(parts)
    return SourcePage("api/index", "Programming interface", names.linked(text), parts[0])


def _public(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Yield the functions and classes that `__all__` lists, or those without an underscore."""
    lists = (it.value for it in tree.body if isinstance(it, ast.Assign) and _is_all(it.targets[0]))
    listed = next((ast.literal_eval(value) for value in lists), None)
    for it in tree.body:
        if isinstance(it, ast.FunctionDef | ast.ClassDef):
            is_public = not it.name.startswith("_") if listed is None else it.name in listed
            if is_public:
                yield it


def _is_all(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "__all__"


def _described(node: ast.FunctionDef | ast.ClassDef) -> str:
    """Describe a function, or a class with its fields and methods."""
    doc = ast.get_docstring(node) or ""
    if isinstance(node, ast.FunctionDef):
        return f"### `{node.name}`\n\n{_signature(node)}\n\n{doc}"
    parts = [f"### `{node.name}`\n\n{doc}"]
    fields = [ast.unparse(it) for it in node.body if isinstance(it, ast.AnnAssign)]
    if fields:
        parts.append("\n".join(["```python", *fields, "```"]))
    methods = (it for it in node.body if isinstance(it, ast.FunctionDef))
    parts += [
        f"{_signature(it)}\n\n{ast.get_docstring(it) or ''}"
        for it in methods
        if not it.name.startswith("_")
    ]
    return "\n\n".join(parts)


def _signature(node: ast.FunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"```python\n{node.name}({ast.unparse(node.args)}){returns}\n```"
