// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A federation that people and programs watch and steer: its committed world behind the page and REST of `volary run`, and behind topics of its broker. What they
// command becomes inputs of the coordinator's log.
#pragma once

#include "cli/federation_stage.hpp"
#include "cluster/shown_modes.hpp"
#include "server/node_book.hpp"

namespace volary::cli {

// how the figures of a federation are told to clients
server::FederationFigures figures_of(const cluster::FederationHealth& health, const cluster::ShownModes& modes);

// until Ctrl-C, or without a page until the run is over
int watch_federation(FlyingFederation& federation, const cluster::ShownModes& modes);

}  // namespace volary::cli
