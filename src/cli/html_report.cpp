// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/html_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/html_style.hpp"
#include "cli/svg_plot.hpp"

namespace volary::cli {

namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kMostSingleCurves = 8;  // more vehicles than this are drawn as mean and range

std::string element(const char* tag, const std::string& text) { return fmt::format("<{0}>{1}</{0}>", tag, escaped_html(text)); }

// cells are text; a column of numbers is set to the right
std::string table(const Cells& header, const std::vector<Cells>& rows, const std::vector<std::string>& classes = {}) {
  std::string out = "<table>\n<thead><tr>";
  for (const std::string& cell : header) out += element("th", cell);
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    out += k < classes.size() && !classes[k].empty() ? "<tr class=\"" + classes[k] + "\">" : "<tr>";
    for (const std::string& cell : rows[k]) out += element("td", cell);
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "<section>\n" + element("h2", title) + "\n" + body + "</section>\n";
}

// ---------------------------------------------------------------- what the run was

std::string head_of(const RunPage& p) {
  const Verdict verdict = p.report.verdict.value_or(Verdict{"no tasks", ""});
  std::string word = verdict.word;
  std::replace(word.begin(), word.end(), ' ', '_');
  return fmt::format("<header>\n<p class=\"verdict {}\"><strong>{}</strong>{}</p>\n<h1>{}</h1>\n{}</header>\n", word, escaped_html(verdict.word),
                     verdict.reason.empty() ? "" : ": " + escaped_html(verdict.reason), escaped_html(p.ending.name),
                     p.ending.description.empty() ? "" : element("p", p.ending.description) + "\n");
}

std::string tasks_of(const RunPage& p) {
  std::vector<Cells> rows;
  std::vector<std::string> classes;
  for (const TaskStanding& t : p.ending.tasks) {
    rows.push_back({t.name, t.state, fmt::format("{:.2f}", static_cast<double>(t.since) * p.ending.tick_s), t.required ? "yes" : "no", t.detail});
    classes.push_back(t.state);
  }
  return rows.empty() ? "" : table({"task", "state", "since (s)", "required", "detail"}, rows, classes);
}

std::string warnings_of(const RunPage& p) {
  std::string out;
  for (const std::string& text : p.ending.warnings) out += element("li", text) + "\n";
  return out.empty() ? "" : "<ul class=\"warnings\">\n" + out + "</ul>\n";
}

std::string scenario_of(const RunPage& p) {
  const Ending& e = p.ending;
  std::vector<Cells> rows = {{"scenario", e.name},
                             {"seed", std::to_string(e.seed)},
                             {"version", std::string("Volary ") + VOLARY_VERSION},
                             {"duration", fmt::format("{:g} s planned, {:g} s simulated", e.duration, e.time)},
                             {"tick", fmt::format("{:g} s, {} integration steps", e.tick_s, e.substeps)}};
  if (e.worlds > 1) rows.push_back({"worlds", std::to_string(e.worlds)});
  for (const Ending::Flock& f : e.flocks) rows.push_back({"flock " + f.name, fmt::format("{} vehicles, {} ({})", f.vehicles, f.airframe, f.model)});
  for (const std::string& text : p.overrides) rows.push_back({"override", text});
  const Machine m = this_machine();
  rows.push_back({"machine", fmt::format("{}, {} cores, {}", m.cpu, m.cores, m.os)});
  if (!p.written.empty()) rows.push_back({"report written", p.written});
  return table({"", ""}, rows);
}

// ---------------------------------------------------------------- figures

// "tracking error" of "tracking error/max"; figures without a slash belong to the run as a whole
std::string group_of(const Row& row) {
  const std::size_t slash = row.name.find('/');
  return slash == std::string::npos ? "run" : row.name.substr(0, slash);
}

std::string metrics_of(const Report& report) {
  std::vector<std::string> groups;
  for (const Row& row : report.rows)
    if (const std::string g = group_of(row); g != "tasks" && g != "events" && std::find(groups.begin(), groups.end(), g) == groups.end()) groups.push_back(g);
  std::string out;
  for (const std::string& group : groups) {
    std::vector<Cells> rows;
    for (const Row& row : report.rows) {
      if (group_of(row) != group) continue;
      std::string note;
      for (const auto& [key, value] : row.extra)
        if (key == "note") note = text_of(value);
      rows.push_back({group == "run" ? row.name : row.name.substr(group.size() + 1), text_of(row.value), row.unit, note});
    }
    out += element("h3", group) + "\n" + table({"metric", "value", "unit", "note"}, rows);
  }
  return out;
}

// ---------------------------------------------------------------- plots

std::string figure(const std::string& title, const std::string& note, const std::string& svg, const std::vector<std::string>& names) {
  if (svg.empty()) return "";
  std::string legend;
  for (std::size_t k = 0; k < names.size(); ++k) legend += fmt::format(" <span class=\"key c{}\">{}</span>", k % kColours, escaped_html(names[k]));
  return fmt::format("<figure>\n<figcaption><b>{}</b>{}{}</figcaption>\n{}</figure>\n", escaped_html(title), note.empty() ? "" : " " + escaped_html(note), legend, svg);
}

std::vector<std::string> names_of(const std::vector<Curve>& curves) {
  std::vector<std::string> names;
  for (const Curve& c : curves) names.push_back(c.name);
  return names;
}

// each vehicle of a few, or the mean and the range of many
LinePlot swarm_plot(const FlightTrace& trace, std::size_t n_vehicles, const char* title, const char* unit, double FlightTrace::Place::* of_place,
                    FlightTrace::Spread FlightTrace::Sample::* of_sample) {
  LinePlot plot{title, unit, {}, {}, {}};
  if (n_vehicles <= kMostSingleCurves && trace.tracks().size() <= kMostSingleCurves) {
    for (const FlightTrace::Track& t : trace.tracks()) {
      plot.curves.push_back({t.name, {}});
      for (const FlightTrace::Place& p : t.places) plot.curves.back().points.push_back({p.time, p.*of_place});
    }
    return plot;
  }
  plot.curves.push_back({"mean", {}});
  for (const FlightTrace::Sample& s : trace.samples()) {
    plot.curves.back().points.push_back({s.time, (s.*of_sample).mean});
    plot.low.push_back({s.time, (s.*of_sample).low});
    plot.high.push_back({s.time, (s.*of_sample).high});
  }
  return plot;
}

// all plots of a run have its whole time as their axis
std::string line_figure(LinePlot plot, const FlightTrace& trace, const std::string& note) {
  if (!trace.samples().empty()) plot.times = {trace.samples().front().time, trace.samples().back().time};
  const bool has_legend = plot.curves.size() > 1 || !plot.low.empty();
  return figure(plot.title, plot.low.empty() ? note : note + "; the band spans the lowest to the highest vehicle", svg_of(plot),
                has_legend ? names_of(plot.curves) : std::vector<std::string>{});
}

// a value of every sample; samples without one are left out, so that the line joins those that have one
LinePlot sample_plot(const FlightTrace& trace, const char* title, double FlightTrace::Sample::* value) {
  LinePlot plot{title, "m", {{title, {}}}, {}, {}, true};
  for (const FlightTrace::Sample& s : trace.samples())
    if (s.*value == s.*value) plot.curves[0].points.push_back({s.time, s.*value});
  return plot;
}

std::string delivery_figure(const RadioReport& radio) {
  BarPlot plot{"Delivery ratio by distance", "distance from the sender (m)", {}};
  for (const RadioReport::Distance& at : radio.by_distance) {
    std::uint64_t delivered = 0;
    for (const auto& [outcome, n] : at.outcomes) delivered += outcome == "delivered" ? n : 0;
    const double ratio = static_cast<double>(delivered) / static_cast<double>(at.receivers);
    plot.bars.push_back({fmt::format("{:g} to {:g}", at.from, at.to), fmt::format("{:g} to {:g} m: {:.3f} of {} receptions", at.from, at.to, ratio, at.receivers), ratio});
  }
  return figure(plot.title, "share of the messages that arrived at receivers in reach", svg_of(plot), {});
}

std::string tracks_figure(const FlightTrace& trace, std::size_t n_vehicles) {
  TrackPlot plot{"Tracks seen from above", {}};
  for (const FlightTrace::Track& t : trace.tracks()) {
    plot.tracks.push_back({t.name, {}});
    for (const FlightTrace::Place& p : t.places) plot.tracks.back().points.push_back({p.east, p.north});
  }
  const std::size_t n = plot.tracks.size();
  std::string note = n < n_vehicles ? fmt::format("{} of {} vehicles; ", n, n_vehicles) : "";
  note += "an open circle marks the start, a full circle the end";
  return figure(plot.title, note, svg_of(plot), n <= kMostSingleCurves ? names_of(plot.tracks) : std::vector<std::string>{});
}

std::string plots_of(const RunPage& p) {
  const FlightTrace& t = p.trace;
  const std::string every = fmt::format("sampled every {:g} s", t.interval());
  using Place = FlightTrace::Place;
  using Sample = FlightTrace::Sample;
  std::string out = tracks_figure(t, p.ending.vehicles);
  out += line_figure(swarm_plot(t, p.ending.vehicles, "Altitude", "up (m)", &Place::up, &Sample::up), t, "height in the world frame, " + every);
  out += line_figure(swarm_plot(t, p.ending.vehicles, "Speed", "m/s", &Place::speed, &Sample::speed), t, every);
  out += line_figure(sample_plot(t, "Tracking error", &Sample::error), t, "greatest distance between setpoint and position of a vehicle on a mission");
  out += line_figure(sample_plot(t, "Closest distance", &Sample::closest), t, "least distance between the centres of two vehicles, " + every);
  return out + delivery_figure(p.ending.radio);
}

// ---------------------------------------------------------------- events

std::string events_of(const RunPage& p) {
  std::vector<Cells> counts, list;
  for (const Row& row : p.report.rows)
    if (group_of(row) == "events") counts.push_back({row.name.substr(7), text_of(row.value)});
  for (const FlightTrace::Happening& e : p.trace.events()) list.push_back({fmt::format("{:.2f}", e.time), e.vehicle, e.what});
  if (counts.empty()) return "";
  std::string out = table({"kind", "number"}, counts);
  const std::string all = p.trace.n_events() > list.size() ? fmt::format("The first {} of {} events", list.size(), p.trace.n_events()) : "All events";
  return out + "<details>\n" + element("summary", all) + "\n" + table({"time (s)", "vehicle", "event"}, list) + "</details>\n";
}

}  // namespace

std::string html_of(const RunPage& p) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n" +
      element("title", p.ending.name + ": " + (p.report.verdict ? p.report.verdict->word : std::string("report"))) + "\n<style>\n" + kHtmlStyle +
      "</style>\n</head>\n<body>\n";
  out += head_of(p) + section("Tasks", tasks_of(p)) + section("Warnings", warnings_of(p)) + section("Plots", plots_of(p)) + section("Metrics", metrics_of(p.report));
  out += section("Events", events_of(p)) + section("Scenario", scenario_of(p));
  return out + "</body>\n</html>\n";
}

}  // namespace volary::cli
