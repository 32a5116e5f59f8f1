"""What can be named on the command line, in the words of the classes themselves.

Read from their source: to import them takes NumPy, and help is not to wait for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

ROOMS = Path(__file__).parent.parent


def learners() -> str:
    """All that take features, with their settings and what they say of themselves."""
    found = (node for room in ("dense", "linear", "panel", "trees") for _, node in _classes(room))
    return _shown(node for node in found if "features" in _arguments(node) and not _must_be_given(node))


def rules() -> str:
    """All that take experts and any losses."""
    return _shown(node for _, node in _classes("experts") if "experts" in _arguments(node) and not _set(node, "binary"))


def losses(*labels: str) -> str:
    """All for labels of these kinds; the file of a loss has its name."""
    found = [(stem, node) for stem, node in _classes("losses") if _set(node, "labels") in labels]
    return "\n".join(_entry(":".join([stem, *_parameter(node)]), node) for stem, node in found)


def _classes(room: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for path in sorted((ROOMS / room).glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                yield path.stem, node


def _shown(nodes: Iterator[ast.ClassDef]) -> str:
    """The registered ones, in the order of their names."""
    named = sorted((_name(node), node) for node in nodes if _name(node))
    return "\n".join(_entry(f"{name} ({', '.join(_numbers(node))})".removesuffix(" ()"), node) for name, node in named)


def _entry(name: str, node: ast.ClassDef) -> str:
    first = (ast.get_docstring(node) or "").partition("\n\n")[0]
    return f"  {name}\n" + fill(first, 100, initial_indent=6 * " ", subsequent_indent=6 * " ")


def _name(node: ast.ClassDef) -> str:
    """The one under which it is registered."""
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "register":
            return str(ast.literal_eval(call.args[0]))
    return ""


def _arguments(node: ast.ClassDef) -> dict[str, str]:
    """Those of the constructor -> their types."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            return {arg.arg: ast.unparse(arg.annotation) for arg in each.args.args if arg.annotation}
    return {}


def _must_be_given(node: ast.ClassDef) -> bool:
    """Whether the constructor has an argument without a default, beside itself."""
    inits = (each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__")
    return any(len(init.args.args) - 1 > len(init.args.defaults) for init in inits)


def _numbers(node: ast.ClassDef) -> list[str]:
    """The arguments that a word on the command line can be."""
    return [name for name, kind in _arguments(node).items() if kind.split(" ")[0] in ("int", "float", "bool")]


def _parameter(node: ast.ClassDef) -> list[str]:
    """The word for the parameter of a loss, if it has one."""
    return [str(ast.literal_eval(each.value)) for each in node.keywords if each.arg == "parameter"]


def _set(node: ast.ClassDef, name: str) -> object:
    """What the class sets this attribute to; None where it does not."""
    for each in node.body:
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value is not None:
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            if isinstance(target, ast.Name) and target.id == name:
                return ast.literal_eval(each.value)
    return None
