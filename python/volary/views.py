# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Columns of a world as NumPy arrays, in place and without a copy.

A view shows the state after the last tick. It is read-only. It becomes stale when the memory behind it moves or its rows change their meaning: when vehicles are added
to or removed from the world. Every use of a stale view raises :class:`StaleViewError`; take the view again, or copy what must last with ``np.array(view)``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["StaleViewError", "View"]


class StaleViewError(RuntimeError):
    """A view was used after vehicles had been added to or removed from its world."""


class View(np.ndarray):
    """A read-only column of a world. What is computed from it is an ordinary array."""

    _now: Callable[[], int] | None = None
    _generation: int = 0
    _label: str = "column"

    @staticmethod
    def over(array: np.ndarray, label: str, now: Callable[[], int]) -> View:
        """Wraps an array of the module; ``now`` returns the present generation of the memory behind it."""
        view = array.view(View)
        view._now, view._label, view._generation = now, label, now()
        return view

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, View):
            self._now, self._generation, self._label = source._now, source._generation, source._label

    def _check(self) -> None:
        if self._now is not None and self._now() != self._generation:
            raise StaleViewError(f"the view of '{self._label}' is stale: vehicles were added to or removed from the world since it was taken; take it again from the world")

    @property
    def is_stale(self) -> bool:
        """Whether a use would raise."""
        return self._now is not None and self._now() != self._generation

    def __getitem__(self, key: Any) -> Any:
        self._check()
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise ValueError(f"the view of '{self._label}' is read-only: state changes by inputs only, such as World.set() and World.submit('state', ...)")

    def __iter__(self) -> Any:
        self._check()
        return super().__iter__()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        return getattr(ufunc, method)(*(_plain(x) for x in inputs), **{k: _plain(v) for k, v in keywords.items()})

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        return function(*_plain_all(arguments), **_plain_all(keywords))

    def __repr__(self) -> str:
        return f"View('{self._label}', stale)" if self.is_stale else repr(_plain(self)).replace("array", f"View('{self._label}')", 1)

    def __str__(self) -> str:
        self._check()
        return str(_plain(self))

    def __float__(self) -> float:
        self._check()
        return float(_plain(self))

    def __reduce__(self) -> Any:
        # what travels to another process is a copy
        self._check()
        return np.array(_plain(self)).__reduce__()


def _checked(name: str) -> Any:
    inherited = getattr(np.ndarray, name)

    def method(self: View, *arguments: Any, **keywords: Any) -> Any:
        self._check()
        return inherited(_plain(self), *arguments, **keywords)

    method.__name__, method.__doc__ = name, inherited.__doc__
    return method


# methods that do not go through ufuncs
for _name in ("copy", "tolist", "tobytes", "astype", "item", "ravel", "flatten", "reshape", "transpose", "take", "mean", "sum", "min", "max", "std", "var", "dot", "argsort", "argmin",
              "argmax", "any", "all", "nonzero", "__dlpack__"):
    setattr(View, _name, _checked(_name))


def _plain(x: Any) -> Any:
    if not isinstance(x, View):
        return x
    x._check()
    return x.view(np.ndarray)


def _plain_all(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: _plain_all(v) for k, v in x.items()}
    if type(x) in (list, tuple):
        return type(x)(_plain_all(v) for v in x)
    return _plain(x)
