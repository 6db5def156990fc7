# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
"""Validates an exported KML against the schema of OGC KML 2.2, which comes with fastkml (pip install fastkml lxml), and counts what is in its folders.

usage: record_kml_check.py FILE.kml
"""
import pathlib
import sys

import fastkml
from lxml import etree

KML = "{http://www.opengis.net/kml/2.2}"


def main(path):
    schema = etree.XMLSchema(etree.parse(str(pathlib.Path(fastkml.__file__).parent / "schema" / "ogckml22.xsd")))
    document = etree.parse(path)
    schema.assertValid(document)
    foreign = {e.tag for e in document.iter(etree.Element) if not e.tag.startswith(KML)}
    assert not foreign, f"elements that OGC KML 2.2 does not have: {foreign}"
    folders = {f.findtext(f"{KML}name"): len(f.findall(f".//{KML}Placemark")) for f in document.iter(f"{KML}Folder")}
    print("valid OGC KML 2.2;", ", ".join(f"{name} {n}" for name, n in folders.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
