# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Compares schema/mavlink.json and our codec with pymavlink (pip install pymavlink): ids, checksum seeds, lengths, wire order, enums, and frames both ways.

usage: oracle.py PROGRAM [--xml FILE]

PROGRAM is built from tests/mavlink/oracle.cpp. The dialects that come with pymavlink lack some messages and names (LACKING); those are not
compared. With --xml FILE, the file of a dialect from the MAVLink definitions (such as development.xml, with those that it includes beside it), everything is
compared with that dialect too, and nothing may be missing.

Extensions are appended over the years: the shorter list of extensions of the two sides must be the start of the longer one.
"""
import argparse
import contextlib
import importlib
import importlib.util
import io
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = {"char": 1, "uint8_t": 1, "int8_t": 1, "uint16_t": 2, "int16_t": 2, "uint32_t": 4, "int32_t": 4, "uint64_t": 8, "int64_t": 8, "float": 4, "double": 8}
RANGES = {f"{sign}int{bits}_t": (0 if sign else -(2 ** (bits - 1)), 2 ** (bits if sign else bits - 1) - 1) for bits in (8, 16, 32, 64) for sign in ("u", "")}
# in the MAVLink definitions, but not in the dialects that come with pymavlink 2.4.50
LACKING = set(
    "ATTITUDE_TARGET_TYPEMASK_THRUST_BODY_SET COMPONENT_INFORMATION COMPONENT_METADATA CURRENT_EVENT_SEQUENCE ESC_INFO ESC_STATUS EVENT "
    "MAV_MODE_PROPERTY_AUTO_MODE MAV_RESULT_CANCELLED MAV_RESULT_COMMAND_UNSUPPORTED_MAV_FRAME MAV_RESULT_NOT_IN_CONTROL MAV_TYPE_VTOL_FIXEDROTOR "
    "MAV_TYPE_VTOL_TAILSITTER MAV_TYPE_VTOL_TAILSITTER_DUOROTOR MAV_TYPE_VTOL_TAILSITTER_QUADROTOR MAV_TYPE_VTOL_TILTWING PROTOCOL_VERSION REQUEST_EVENT "
    "RESPONSE_EVENT_ERROR".split()
)


class Disagreement(Exception):
    pass


def same(what, ours, theirs):
    if ours != theirs:
        raise Disagreement(f"{what}: ours {ours!r}, theirs {theirs!r}")


def crc_extra(name, fields):
    """Computed here once more, for messages that a dialect lacks."""
    text = f"{name} ".encode()
    for field in fields:
        text += f"{field['type']} {field['name']} ".encode() + (bytes([field["count"]]) if "count" in field else b"")
    crc = 0xFFFF
    for byte in text:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc & 0xFF ^ crc >> 8


class Message:
    """A message of schema/mavlink.json with its fields in wire order."""

    def __init__(self, entry):
        def plain(field):
            return {**field, "type": field["type"].removesuffix("_mavlink_version")}

        self.name, self.id = entry["name"], entry["id"]
        self.xml_order = [plain(field) for field in entry["fields"]]
        self.base = sorted(self.xml_order, key=lambda field: -SIZES[field["type"]])
        self.extensions = [plain(field) for field in entry.get("extensions", [])]
        self.fields = self.base + self.extensions
        self.base_length = sum(SIZES[field["type"]] * field.get("count", 1) for field in self.base)
        self.crc_extra = crc_extra(self.name, self.base)


# ---------------------------------------------------------------- dialects


def load_shipped():
    return [importlib.import_module(f"pymavlink.dialects.v20.{name}") for name in ("all", "development", "ardupilotmega", "common")]


def load_xml(path):
    """The module that pymavlink's generator makes of a definition."""
    from pymavlink.generator import mavgen

    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "reference_dialect.py"
        with contextlib.redirect_stdout(io.StringIO()):
            mavgen.mavgen(mavgen.Opts(str(target), wire_protocol="2.0", language="Python3", validate=False), [str(path)])
        spec = importlib.util.spec_from_file_location("reference_dialect", target)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


def class_of(dialect, name):
    return next((c for c in dialect.mavlink_map.values() if c.msgname == name), None)


def their_fields(theirs):
    """(name, type, count) in wire order; count 0: not an array."""
    types = dict(zip(theirs.fieldnames, theirs.fieldtypes))
    return [(name, types[name], count) for name, count in zip(theirs.ordered_fieldnames, theirs.array_lengths)]


# ---------------------------------------------------------------- the table


def compare_message(message, theirs):
    what = message.name
    same(f"{what}: id", message.id, theirs.id)
    same(f"{what}: CRC_EXTRA", message.crc_extra, theirs.crc_extra)
    ours = [(field["name"], field["type"], field.get("count", 0)) for field in message.fields]
    other = their_fields(theirs)
    n_base, shared = len(message.base), min(len(ours), len(other))
    if shared < n_base:
        raise Disagreement(f"{what}: {len(other)} fields there, {n_base} base fields here")
    same(f"{what}: fields in wire order", ours[:shared], other[:shared])
    same(f"{what}: base length", message.base_length, sum(SIZES[kind] * max(count, 1) for _, kind, count in other[:n_base]))
    # base fields as the definition lists them; pymavlink keeps that order in fieldnames
    same(f"{what}: fields in the order of the definition", [field["name"] for field in message.xml_order], theirs.fieldnames[:n_base])
    return len(ours) - len(other)


def compare_table(messages, dialect, missing):
    compared, notes = [], []
    for message in messages:
        theirs = class_of(dialect, message.name)
        if theirs is None:
            missing.add(message.name)
            continue
        longer = compare_message(message, theirs)
        if longer != 0:
            notes.append(f"{message.name}: {abs(longer)} extension(s) only {'here' if longer > 0 else 'there'}")
        compared.append(message)
    return compared, notes


def compare_enums(enums, dialect, missing):
    agreed = set()
    for enum in enums:
        values = {entry.name: value for value, entry in dialect.enums.get(enum["name"], {}).items()}
        for name, value in enum["entries"].items():
            full = enum["prefix"] + name
            theirs = values.get(full, getattr(dialect, full, None))
            if theirs is None:
                missing.add(full)
                continue
            same(full, value, theirs)
            agreed.add(full)
    return agreed


def compare_program_table(rows, messages):
    """The generated header has every message of the table, in order of the ids."""
    same("messages of the program", [row["name"] for row in rows], [message.name for message in sorted(messages, key=lambda message: message.id)])


# ---------------------------------------------------------------- frames


def parse_one(dialect, frame, what):
    parser = dialect.MAVLink(None)
    got = parser.parse_buffer(frame) or []
    if len(got) != 1 or got[0].get_type() != what:
        raise Disagreement(f"{what}: pymavlink reads {[m.get_type() for m in got]} from {frame.hex()}")
    return got[0]


def check_ours(rows, compared, dialect):
    """Frames of ours must be read with equal values."""
    by_name = {message.name: message for message in compared}
    for row in rows:
        if row["name"] not in by_name:
            continue
        theirs = parse_one(dialect, bytes.fromhex(row["frame"]), row["name"])
        for field, value in zip(by_name[row["name"]].fields, row["values"]):
            if hasattr(theirs, field["name"]):
                same(f"{row['name']}.{field['name']}: frame of ours", value, getattr(theirs, field["name"]))


def some_value(kind, count, rng):
    if kind == "char":
        text = "".join(rng.choice("ABCXYZ_019") for _ in range(rng.randrange(count + 1)))
        return text.encode()
    if count:
        return [some_value(kind, 0, rng) for _ in range(count)]
    if kind in ("float", "double"):
        return struct.unpack("<f", struct.pack("<f", rng.uniform(-1e6, 1e6)))[0]
    return rng.choice([0, *RANGES[kind], rng.randint(*RANGES[kind])])


def frames_of_theirs(compared, dialect, rng, each):
    sender = dialect.MAVLink(None, srcSystem=7, srcComponent=190)
    for message in compared:
        theirs = class_of(dialect, message.name)
        known = {field["name"] for field in message.fields}
        kinds = {name: (kind, count) for name, kind, count in their_fields(theirs)}
        for turn in range(each):
            empty = [b"" if kind == "char" else [0] * count if count else 0 for kind, count in (kinds[name] for name in theirs.fieldnames)]
            values = [some_value(*kinds[name], rng) if turn and name in known else zero for name, zero in zip(theirs.fieldnames, empty)]
            sender.seq = 0
            yield message.name, theirs(*values).pack(sender)


def check_theirs(program, compared, dialect):
    """Frames of theirs, decoded and written again by us, must be the same bytes."""
    frames = list(frames_of_theirs(compared, dialect, random.Random(1), 20))
    text = "".join(frame.hex() + "\n" for _, frame in frames)
    lines = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.split()
    same("number of answers", len(lines), len(frames))
    for (name, frame), line in zip(frames, lines):
        same(f"{name}: frame of theirs", line, frame.hex())
    return len(frames)


# ---------------------------------------------------------------- all of it


def compare(schema, program, dialect, label, missing_messages, missing_entries):
    messages = [Message(entry) for entry in schema["messages"]]
    rows = [json.loads(line) for line in subprocess.run([program, "--all"], capture_output=True, text=True, check=True).stdout.splitlines()]
    compare_program_table(rows, messages)
    compared, notes = compare_table(messages, dialect, missing_messages)
    entries = compare_enums(schema["enums"], dialect, missing_entries)
    check_ours(rows, compared, dialect)
    n_frames = check_theirs(program, compared, dialect)
    print(f"{label}: {len(compared)} messages, {len(entries)} enum entries, {n_frames} frames")
    for note in notes:
        print(f"  {note}")
    return {message.name for message in compared}, entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--xml", help="file of a dialect of the MAVLink definitions")
    options = parser.parse_args()
    schema = json.loads((ROOT / "schema/mavlink.json").read_text())
    dialects = [(module.__name__.split(".")[-1], module) for module in load_shipped()]
    if options.xml:
        dialects.append((pathlib.Path(options.xml).name, load_xml(options.xml)))
    messages, entries, lacking_messages, lacking_entries = set(), set(), set(), set()
    for label, dialect in dialects:
        got_messages, got_entries = compare(schema, options.program, dialect, label, lacking_messages, lacking_entries)
        messages |= got_messages
        entries |= got_entries
    lacking = (lacking_messages - messages) | (lacking_entries - entries)
    if lacking:
        print("in none of these dialects:", *sorted(lacking))
    if unexpected := lacking if options.xml else lacking - LACKING:
        raise Disagreement(f"no dialect has {', '.join(sorted(unexpected))}")
    print(f"{len(messages)} messages, {len(entries)} enum entries agree")


if __name__ == "__main__":
    try:
        main()
    except Disagreement as fault:
        sys.exit(f"disagreement: {fault}")
