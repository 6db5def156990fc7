// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary serve: a live world in the browser, until Ctrl-C.
#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "cli/autopilot_options.hpp"
#include "cli/command.hpp"
#include "cli/mavlink_options.hpp"
#include "cli/paths.hpp"
#include "cli/signals.hpp"
#include "cli/watch.hpp"
#include "scenario/load.hpp"
#include "server/service.hpp"

namespace volary::cli {

namespace {

struct ServeCommand {
  std::string scenario = "default", speed = "1", token_file, view_token_file, page;
  std::vector<std::string> set;
  server::ServeOptions options;
  int port = 8642;
  bool port_given = false, make_token = false;
  RecordOptions record;
  MavlinkOptions mavlink;
  AutopilotOptions autopilots;
};

core::Status read_tokens(ServeCommand& o) {
  auto read = [](const std::string& path, std::string& token) -> core::Status {
    if (path.empty()) return core::ok();
    core::Result<std::string> text = server::read_token_file(path);
    if (!text) return text.error();
    token = std::move(text).value();
    return core::ok();
  };
  if (const core::Status all = read(o.token_file, o.options.token); !all) return all;
  if (const core::Status view = read(o.view_token_file, o.options.view_token); !view) return view;
  if (!o.make_token || !o.options.token.empty()) return core::ok();
  core::Result<std::string> made = server::random_token();
  if (!made) return made.error();
  o.options.token = std::move(made).value();
  return core::ok();
}

// the folders as `run` has them; what the command line said stays
void fill_folders(ServeCommand& o) {
  server::ServeOptions with = page_options();
  server::ServeOptions& s = o.options;
  s.version = with.version;
  s.page = o.page.empty() ? with.page : o.page;
  s.openapi = with.openapi;
  s.scenarios = with.scenarios;
}

int serve(ServeCommand o) {
  if (!parse_speed(o.speed, o.options.session.speed)) return fail("serve: --speed: '" + o.speed + "' is neither a positive number nor max");
  o.options.port = static_cast<unsigned short>(o.port);
  o.options.only_this_port = o.port_given;
  o.options.session.run.profile = true;
  if (const core::Status read = read_tokens(o); !read) return fail("serve: " + read.error().text());
  if (const core::Status safe = server::check_exposure(o.options); !safe) return fail("serve: " + safe.error().text());
  fill_folders(o);
  const core::Result<std::string> path = find_scenario(o.scenario);
  if (!path) return fail(path.error().text());
  if (const auto checked = recorder_options(o.record); !checked) return fail("serve: " + checked.error().text());
  scenario::Bundle bundle;
  scenario::Paths paths;
  paths.assets = scenario_paths().assets;
  const core::Result<WorldDef> def = load_flown(path.value(), paths, o.set, o.autopilots, bundle);
  if (!def) return fail(def.error().text());
  Autopilots autopilots(o.autopilots);
  if (const core::Status can = autopilots.use(bundle, def.value()); !can) return fail("serve: " + can.error().text());
  if (const core::Status can = autopilots.pace(o.options.session.speed); !can) return fail("serve: --speed: " + can.error().text());
  Watched watched(o.record);
  watched.recorder().set_bundle(std::move(bundle));
  watched.plug_into(o.options);
  autopilots.plug_into(o.options);
  const auto mavlink = open_mavlink(o.mavlink, def.value());
  if (!mavlink) return fail("serve: " + mavlink.error().text());
  mavlink.value().plug_into(o.options.session);

  catch_signals();
  core::Result<std::unique_ptr<server::Service>> service = server::serve_world(def.value(), std::move(o.options));
  if (!service) return fail("serve: " + service.error().text(), kFailed);
  server::Service& s = *service.value();
  fmt::print("{}\n", o.make_token ? s.url_with_token() : s.url());
  std::fflush(stdout);
  while (!is_interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  s.stop();
  return kDone;
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  auto o = std::make_shared<ServeCommand>();
  CLI::App* c = app.add_subcommand("serve", "Run a scenario live in the browser until Ctrl-C.");
  c->add_option("SCENARIO", o->scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->capture_default_str();
  CLI::Option* port = c->add_option("--port", o->port, "TCP port of the server; default: 8642 or the next free port")->check(CLI::Range(0, 65535));
  c->add_option("--address", o->options.address, "address to listen on; any address but loopback needs a token")->capture_default_str();
  c->add_option("--token-file", o->token_file, "file with the token that clients must send, readable by its owner only; default: no token");
  c->add_option("--view-token-file", o->view_token_file, "file with a second token for clients that may only view; default: none");
  c->add_flag("--token", o->make_token, "generate a token and print it with the address");
  c->add_option("--allow-origin", o->options.origins, "origin of another page that may send commands, such as a development server; may be repeated")
      ->allow_extra_args(false);
  c->add_option("--speed", o->speed, "simulated seconds per second, or max for as fast as possible")->capture_default_str();
  c->add_flag("--paused", o->options.session.paused, "start paused, until a client presses play");
  c->add_option("--page", o->page, "folder of the page; default: web/dist");
  c->add_option("--threads", o->options.session.run.threads, "number of threads; the result does not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_record_options(*c, o->record);
  add_mavlink_options(*c, o->mavlink);
  add_autopilot_options(*c, o->autopilots);
  c->add_option("--set", o->set, "override a field of the scenario, path=value; may be repeated")->allow_extra_args(false);
  c->footer(
      "The command prints its address, then serves the page, the REST API (/api/openapi.json) and the stream (/ws).\n"
      "By default it listens on this machine only. With --address it listens on a network and needs a token.\n"
      "TLS is not supported yet: use a trusted network, or 'ssh -L 8642:localhost:8642 HOST'.\n"
      "Every run is recorded in the library (`volary runs`).\n"
      "Scenarios saved from the page go to scenarios/ in $VOLARY_DATA, or by default in ~/.local/share/volary.\n\n"
      "Examples:\n"
      "  volary serve\n"
      "  volary serve grid_1000 --speed max --port 9000\n"
      "  volary serve default --paused --address 0.0.0.0 --token");
  c->callback([=, &action] {
    o->port_given = port->count() > 0;
    action = [=] { return serve(*o); };
  });
}

}  // namespace volary::cli
