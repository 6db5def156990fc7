# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Scenarios as Python writes them: a name, a path, a YAML text, a dict, or the builders of :mod:`volary.build`."""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _core

__all__ = ["ScenarioLike", "find_scenario", "scenarios", "to_json"]

ScenarioLike = Union[str, "os.PathLike[str]", Mapping[str, Any], Any]


def scenarios() -> list[str]:
    """The names of the scenarios that come with Volary."""
    folder = Path(_core.home_folder()) / "scenarios"
    return sorted(str(p.relative_to(folder).with_suffix("")) for p in folder.rglob("*.yaml"))


def find_scenario(name_or_path: str | os.PathLike[str]) -> str:
    """The path of a scenario file, given by its path or by a name such as ``"default"``."""
    text = os.fspath(name_or_path)
    if Path(text).is_file():
        return text
    own = Path(_core.home_folder()) / "scenarios" / f"{text}.yaml"
    if own.is_file():
        return str(own)
    near = difflib.get_close_matches(text, scenarios(), n=1)
    hint = f"did you mean '{near[0]}'?" if near else "volary.scenarios() lists those that come with Volary"
    raise _core.ScenarioError(f"there is no scenario file '{text}' ({hint})")


def _encode(value: Any, path: str) -> Any:
    """Plain JSON values; anything else is an error that names the field."""
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"scenario: {path or 'the scenario'}: names of fields are texts, not {key!r}")
        return {k: _encode(v, f"{path}.{k}" if path else k) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        value = value.item()
    if isinstance(value, (list, tuple)):
        return [_encode(v, f"{path}[{k}]") for k, v in enumerate(value)]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise _core.ScenarioError(f"scenario: {path}: {value} is not a finite number")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"scenario: {path}: a {type(value).__name__} cannot be written to a scenario; use numbers, texts, lists and dicts")


def to_json(scenario: Mapping[str, Any] | Any) -> str:
    """A scenario of dicts or builders as a text that every reader of scenario files takes."""
    return json.dumps(_encode(scenario, ""), indent=1)


def overrides_of(changes: Mapping[str, Any] | Sequence[str] | None) -> list[str]:
    """``{"environment.wind": [3, 0, 0]}`` as the command line writes it."""
    if changes is None:
        return []
    if isinstance(changes, str):
        raise TypeError(f"overrides: a dict such as {{'seed': 7}} or a list of 'path=value', not the text '{changes}'")
    if isinstance(changes, Mapping):
        return [f"{path}={value if isinstance(value, str) else json.dumps(_encode(value, path))}" for path, value in changes.items()]
    return [str(x) for x in changes]


def source_of(scenario: ScenarioLike, folder: str | os.PathLike[str] | None) -> tuple[str, str, str]:
    """Text, path and folder for the module: exactly one of text and path is not empty."""
    where = os.fspath(folder) if folder is not None else ""
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, "", where
    if isinstance(scenario, (str, os.PathLike)):
        return "", find_scenario(scenario), where
    if isinstance(scenario, Mapping) or hasattr(scenario, "to_dict"):
        return to_json(scenario), "", where
    raise TypeError(f"a scenario is a name, a path, a YAML text, a dict or volary.build.Scenario, not a {type(scenario).__name__}")
