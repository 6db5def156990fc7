// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Triangles of a mesh file, in the file's own axes and units: OBJ here, glTF and GLB in gltf.cpp. Only the shape is read, no colours. What the
// readers do not know they refuse; errors begin with the name of the file and, where it has lines, the line.
#pragma once

#include <functional>
#include <string>

#include "core/result.hpp"
#include "environment/obstacles.hpp"

namespace volary::scenario {

using Mesh = obstacles::Mesh;
// reads a file that the mesh names, from its own folder
using ReadBeside = std::function<core::Result<std::string>(const std::string&)>;

bool is_gltf(const std::string& name);  // by how the name ends: .gltf or .glb
core::Result<Mesh> read_mesh(const std::string& name, const std::string& bytes, const ReadBeside& beside);

core::Result<Mesh> read_obj(const std::string& name, const std::string& text);
core::Result<Mesh> read_gltf(const std::string& name, const std::string& bytes, const ReadBeside& beside);

}  // namespace volary::scenario
