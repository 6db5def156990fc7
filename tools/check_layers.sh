#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Volary contributors
# SPDX-License-Identifier: Apache-2.0
#
# Fails when an #include goes against the arrows:
#   core <- math <- {environment, multibody} <- {control, sensors} <- estimation <- {vehicles, swarm, agents, logs} <- {scenario, engine} <- {runner, learning} <- {replay, server, validation, cluster, autopilot} <- cli
# multibody is for the engine alone, and MuJoCo's headers are for multibody alone.
# The public headers (volary/...) may be used by environment and above, and use only each other.
# Fails too when anybody but those who keep a flock's columns touches their elements: the others read the published frame and write patches.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find src include -name '*.hpp' -o -name '*.cpp' | sort | tr '\n' '\0' | xargs -0 awk '
  BEGIN {
    rank["core"] = 0; rank["math"] = 1; rank["environment"] = 2; rank["multibody"] = 2; rank["control"] = 3; rank["sensors"] = 3; rank["vehicles"] = 4; rank["swarm"] = 4; rank["agents"] = 4; rank["logs"] = 4
    rank["scenario"] = 5; rank["engine"] = 5; rank["runner"] = 6; rank["learning"] = 6; rank["replay"] = 7; rank["server"] = 7; rank["validation"] = 7; rank["cluster"] = 7; rank["autopilot"] = 7; rank["cli"] = 8
    rank["estimation"] = 3.5  # knows sensors
    public_from = rank["environment"]
    # the flock itself, what its stepper is made of, snapshots and the first states that worlds begin again from, and World::view
    split("flock.cpp variants.cpp starts.cpp columns.hpp stepper.cpp publish.cpp apply.cpp arrays.cpp snapshot.cpp snapshot_bytes.cpp parts.cpp roster.cpp reset.cpp world.cpp senses.cpp sense_scene.cpp own_plugins.cpp ranging.cpp fault_rows.cpp row_stepper.cpp joined.cpp dock_view.cpp", keeper, " ")
    for (k in keeper) keeps["src/engine/" keeper[k]] = 1
    faults = 0
  }
  FNR == 1 {
    split(FILENAME, part, "/")
    room = part[1] == "include" ? "volary" : part[2]
    if (part[1] == "src" && !(room in rank)) report("src/" room " is not a room of tools/check_layers.sh")
    # tests and small programs sit beside the code they use but may know anything
    is_free = FILENAME ~ /_main\.cpp$/ || FILENAME ~ /_test(_[a-z]+)?\.[ch]pp$/
    if (is_free) room = "cli"
  }
  # buffers of columns, elements, and parameters that vehicles have for themselves
  !is_free && !(FILENAME in keeps) && !/^[ \t]*\/\// && FILENAME !~ /flock\.hpp$/ {
    if (/#[ \t]*include[ \t]*"engine\/columns\.hpp"/ || /(\.|->)(hot|plan|identity)\.(data|size|grow)\(/ || /&[a-z_]+(\.|->)(hot|plan|identity)([^a-z_]|$)/ ||
        /(hot_lane|plan_lane|set_override|own_column)\(/)
      report("the elements of columns are for flock, stepper, snapshot and World::view: read the frame, write patches")
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    match($0, /"[^"]*"/)
    path = substr($0, RSTART + 1, RLENGTH - 2)
    target = path; sub(/\/.*/, "", target)
    if (target == "volary") {
      if (room != "volary" && rank[room] < public_from) report("public headers belong to environment and above, not to " room)
    } else if (room == "volary") {
      report("a public header includes only public headers")
    } else if (target == "benchmarks") {
      if (room != "cli") report("only cli measures")
    } else if (!(target in rank)) {
      report("no room is called \"" target "\"; write the path from src/")
    } else if (target == "multibody" && room != "multibody" && rank[room] < rank["engine"]) {
      report("multibody is for the engine")
    } else if (target != room && rank[target] >= rank[room]) {
      report(room " may not know " target)
    }
  }
  /^[ \t]*#[ \t]*include[ \t]*<mujoco\// && FILENAME !~ /^src\/multibody\// { report("MuJoCo is for multibody: its other users see src/multibody/model.hpp") }
  # what kernels are made of also compiles for a GPU, and the formatter does not
  /^[ \t]*#[ \t]*include[ \t]*<fmt\// {
    if (FILENAME ~ /^src\/(math|environment|control|sensors|estimation|vehicles)\/.*\.hpp$/) report("a header of kernels: format text in a .cpp")
  }
  function report(text) { printf "%s:%d: %s\n    %s\n", FILENAME, FNR, text, $0; ++faults }
  END {
    if (faults > 0) { printf "%d place(s) against the arrows\n", faults; exit 1 }
    print "includes follow the arrows; columns are touched where flocks live"
  }' || exit 1
