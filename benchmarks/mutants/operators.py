"""Which small mistakes a file can have: comparisons, arithmetic, constants, conditions, returns, lost statements."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Mutant", "mutants_of"]

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Div,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_PAIRS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("any", "all"),
    ("floor", "ceil"),
    ("argmin", "argmax"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
)
_CALLS = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
_SHOWN = 28  # characters around a change


@dataclass(frozen=True)
class Mutant:
    """One small mistake.

    Attributes
    ----------
    file : str
    where : str
        The function (``Class.method``), or the name that is assigned at the top of the file.
    change : str
        What becomes of the code, as ``before → after``; the same every time, wherever in the file it stands.
    line, end : int
        The lines of the statement that is changed, or of its head.
    top : int
        The place in the file's body of the statement that has to be made anew.
    parent, field, index, new : Any
        Where in the tree the change goes, and the node that is put there.
    """

    file: str
    where: str
    change: str
    line: int
    end: int
    top: int
    parent: Any
    field: str
    index: int | None
    new: Any

    @property
    def key(self) -> str:
        """A name by which it is found again after edits elsewhere."""
        return f"{self.where}: {self.change}"

    def put(self) -> Any:
        """Change the tree; returns what was there."""
        if self.index is None:
            old = getattr(self.parent, self.field)
            setattr(self.parent, self.field, self.new)
            return old
        old = getattr(self.parent, self.field)[self.index]
        getattr(self.parent, self.field)[self.index] = self.new
        return old

    def restore(self, old: Any) -> None:
        """Undo :meth:`put`."""
        if self.index is None:
            setattr(self.parent, self.field, old)
        else:
            getattr(self.parent, self.field)[self.index] = old


def mutants_of(file: str, tree: ast.Module) -> list[Mutant]:
    """All mutants of a file, in the order of its lines.

    Left alone are docstrings, type hints, decorators, ``__all__``, the words of messages (all that is raised), other
    strings than those compared or given as defaults, and ``strict=True``, which is a check itself.
    """
    found: list[Mutant] = []
    seen: Counter[str] = Counter()
    for top, statement in enumerate(tree.body):
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Expr) or _names(statement) == "__all__":
            continue
        for where, holder, parent, field, index, new in _changes(statement):
            plain = Mutant(file, where, "", holder.lineno, _last_line(holder), top, parent, field, index, new)
            before = _shown(holder)
            old = plain.put()
            after = _shown(holder) if _is_there(statement, holder) else "pass"
            plain.restore(old)
            change = _difference(before, after)
            seen[f"{where}: {change}"] += 1
            times = seen[f"{where}: {change}"]
            change = f"{change} (#{times})" if times > 1 else change
            found.append(Mutant(file, where, change, plain.line, plain.end, top, parent, field, index, new))
    return found


_Change = tuple[str, ast.stmt, Any, str, int | None, Any]


def _changes(top: ast.stmt) -> Iterator[_Change]:
    yield from _of_statement(top, _names(top), None, "", None)


def _of_statement(node: ast.stmt, where: str, parent: Any, field: str, index: int | None) -> Iterator[_Change]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        for part in ("defaults", "kw_defaults"):
            for i, default in enumerate(getattr(node.args, part)):
                if default is not None:
                    yield from _of_expression(default, where, node, node.args, part, i, strings=True)
        yield from _of_body(node, "body", where)
        return
    if isinstance(node, ast.ClassDef):
        for i, one in enumerate(node.body):
            if isinstance(one, ast.FunctionDef | ast.ClassDef):
                yield from _of_statement(one, f"{where}.{one.name}", node, "body", i)
            elif isinstance(one, ast.AnnAssign | ast.Assign) and one.value is not None:
                yield from _of_expression(one.value, where, one, one, "value", None, strings=True)
        return
    if parent is not None and _can_go(node):
        yield where, node, parent, field, index, ast.copy_location(ast.Pass(), node)
    if isinstance(node, ast.Raise):
        return
    if isinstance(node, ast.Break | ast.Continue):
        other = ast.Continue() if isinstance(node, ast.Break) else ast.Break()
        yield where, node, parent, field, index, ast.copy_location(other, node)
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield where, node, node, "value", None, ast.copy_location(ast.Constant(None), node.value)
    if isinstance(node, ast.AugAssign):
        yield from _operator(node, where, node)
    if isinstance(node, ast.If | ast.While):
        yield from _negated(where, node, node, "test", None, node.test)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "targets", "target") and not (name == "targets" and _has_subscript(value)):
            continue
        if name in ("body", "orelse", "finalbody"):
            yield from _of_body(node, name, where)
        elif name == "handlers":
            for handler in value:
                yield from _of_body(handler, "body", where)
        elif name == "items":
            for item in value:
                yield from _of_expression(item.context_expr, where, node, item, "context_expr", None)
        elif isinstance(value, ast.expr):
            yield from _of_expression(value, where, node, node, name, None)
        elif isinstance(value, list):
            for i, one in enumerate(value):
                if isinstance(one, ast.expr):
                    yield from _of_expression(one, where, node, node, name, i)


def _of_body(node: Any, name: str, where: str) -> Iterator[_Change]:
    for i, one in enumerate(getattr(node, name)):
        is_docstring = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
        if not is_docstring and not isinstance(one, ast.Import | ast.ImportFrom):
            yield from _of_statement(one, where, node, name, i)


def _of_expression(
    node: ast.expr, where: str, holder: ast.stmt, parent: Any, field: str, index: int | None, *, strings: bool = False
) -> Iterator[_Change]:
    if isinstance(node, ast.JoinedStr):
        return
    for new in _instead_of(node, strings):
        yield where, holder, parent, field, index, ast.copy_location(new, node)
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            for other in _COMPARISONS[type(operator)]:
                yield where, holder, node, "ops", i, other()
    if isinstance(node, ast.BinOp):
        yield from _operator(node, where, holder)
    if isinstance(node, ast.BoolOp):
        yield where, holder, node, "op", None, ast.Or() if isinstance(node.op, ast.And) else ast.And()
    if isinstance(node, ast.IfExp):
        yield from _negated(where, holder, node, "test", None, node.test)
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Name) and called.id in _CALLS:
            yield where, holder, called, "id", None, _CALLS[called.id]
        if isinstance(called, ast.Attribute) and called.attr in _CALLS:
            yield where, holder, called, "attr", None, _CALLS[called.attr]
    for name, value in ast.iter_fields(node):
        parts = value if isinstance(value, list) else [value]
        for i, part in enumerate(parts):
            at = i if isinstance(value, list) else None
            if isinstance(part, ast.expr):
                yield from _of_expression(
                    part, where, holder, node, name, at, strings=strings or isinstance(node, ast.Compare)
                )
            elif isinstance(part, ast.keyword) and part.arg != "strict":
                yield from _of_expression(part.value, where, holder, part, "value", None)
            elif isinstance(part, ast.comprehension):
                yield from _of_expression(part.iter, where, holder, part, "iter", None)
                for j, test in enumerate(part.ifs):
                    yield from _negated(where, holder, part, "ifs", j, test)
                    yield from _of_expression(test, where, holder, part, "ifs", j)


def _instead_of(node: ast.expr, strings: bool) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            yield ast.Constant(not value)
        elif isinstance(value, int | float):
            yield ast.Constant(value + 1)
        elif isinstance(value, str) and strings:
            yield ast.Constant(f"{value}?")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not | ast.Invert):
        yield node.operand


def _operator(node: ast.BinOp | ast.AugAssign, where: str, holder: ast.stmt) -> Iterator[_Change]:
    if type(node.op) in _ARITHMETIC:
        yield where, holder, node, "op", None, _ARITHMETIC[type(node.op)]()


def _can_go(node: ast.stmt) -> bool:
    """Whether the statement does something that may be missed only later, or never."""
    if isinstance(node, ast.Assign):
        return _has_subscript(node.targets)
    return isinstance(node, ast.Expr | ast.AugAssign | ast.Raise)


def _has_subscript(targets: Any) -> bool:
    return isinstance(targets, list) and any(isinstance(target, ast.Subscript) for target in targets)


def _negated(
    where: str, holder: ast.stmt, parent: Any, field: str, index: int | None, test: ast.expr
) -> Iterator[_Change]:
    """Yield the contrary of a condition, unless another operator makes it."""
    is_simple = isinstance(test, ast.Compare) and len(test.ops) == 1
    if not is_simple and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
        yield where, holder, parent, field, index, ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _names(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign):
        return ", ".join(ast.unparse(target) for target in node.targets)
    return ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else ""


def _is_there(top: ast.stmt, holder: ast.stmt) -> bool:
    return any(node is holder for node in ast.walk(top))


def _last_line(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if body:
        return max(node.lineno, int(body[0].lineno) - 1)
    return node.end_lineno or node.lineno


def _shown(node: ast.stmt) -> str:
    """Return the statement on one line, or its head."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return f"def {node.name}({ast.unparse(node.args)})"
    text = ast.unparse(node)
    return text.split("\n", 1)[0] if getattr(node, "body", None) else " ".join(text.split())


def _difference(before: str, after: str) -> str:
    """Return the parts that differ and some of what is around them."""
    start = next(
        (i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(map(len, (before, after)))
    )
    back = next(
        (i for i, (a, b) in enumerate(zip(before[start:][::-1], after[start:][::-1], strict=False)) if a != b),
        min(len(before), len(after)) - start,
    )
    first = max(0, start - _SHOWN)

    def part(text: str) -> str:
        last = len(text) - back + _SHOWN
        return ("…" if first else "") + text[first:last] + ("…" if last < len(text) else "")

    return f"{part(before)} → {part(after)}"
