// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every file in tests/bad is refused, and the error says where the fault is, what it is and, where a near
// name exists, what was meant.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "scenario/airframe.hpp"
#include "scenario/load.hpp"

namespace volary::scenario {

namespace {

const std::string kFolder = VOLARY_SOURCE_DIR "/tests/bad/";

enum class Kind { Scenario, Airframe };
struct Bad {
  Kind kind;
  const char* file;        // without .yaml
  const char* field;       // path in the error
  const char* words;       // in the message
  const char* suggestion;  // words in the suggestion
};

const Bad kBad[] = {
    {Kind::Scenario, "empty", "", "empty", ""},
    {Kind::Scenario, "only_comments", "", "empty", ""},
    {Kind::Scenario, "not_a_map", "", "expected a map", ""},
    {Kind::Scenario, "just_a_word", "", "expected a map", ""},
    {Kind::Scenario, "syntax_unclosed_bracket", "", "not valid YAML", ""},
    {Kind::Scenario, "syntax_tab", "", "not valid YAML", ""},
    {Kind::Scenario, "syntax_unclosed_quote", "", "not valid YAML", ""},
    {Kind::Scenario, "syntax_bad_indent", "", "not valid YAML", ""},
    {Kind::Scenario, "two_documents", "", "second YAML document", ""},
    {Kind::Scenario, "unknown_anchor", "", "not valid YAML", ""},
    {Kind::Scenario, "alias_bomb", "", "too many values", ""},
    {Kind::Scenario, "nested_too_deep", "", "64 levels", ""},
    {Kind::Scenario, "key_is_a_list", "", "key must be a word", ""},
    {Kind::Scenario, "unknown_key", "duraton", "unknown key", "did you mean 'duration'?"},
    {Kind::Scenario, "unknown_key_far_off", "colour", "unknown key", "known: include, name"},
    {Kind::Scenario, "unknown_key_nested", "environment.windd", "unknown key", "did you mean 'wind'?"},
    {Kind::Scenario, "unknown_key_in_list", "flocks[0].missoin", "unknown key", "did you mean 'mission'?"},
    {Kind::Scenario, "unknown_key_in_grid", "flocks[0].vehicles.grid.cuont", "unknown key", "did you mean 'count'?"},
    {Kind::Scenario, "merge_key", "base", "unknown key", ""},
    {Kind::Scenario, "duplicate_key", "seed", "given twice", "keep one"},
    {Kind::Scenario, "duplicate_key_nested", "environment.gravity", "given twice", "keep one"},
    {Kind::Scenario, "missing_flocks", "flocks", "is missing", ""},
    {Kind::Scenario, "missing_airframe", "flocks[0].airframe", "is missing", ""},
    {Kind::Scenario, "missing_vehicles", "flocks[0].vehicles", "is missing", ""},
    {Kind::Scenario, "missing_count", "flocks[0].vehicles.grid.count", "is missing", ""},
    {Kind::Scenario, "missing_radius", "flocks[0].mission.circle.radius", "is missing", ""},
    {Kind::Scenario, "flocks_is_a_map", "flocks", "expected a list", "- "},
    {Kind::Scenario, "flocks_empty", "flocks", "has 0 entries", ""},
    {Kind::Scenario, "flock_is_a_word", "flocks[0]", "expected a map", ""},
    {Kind::Scenario, "number_is_a_word", "duration", "expected a number, found 'long'", ""},
    {Kind::Scenario, "number_in_quotes", "duration", "expected a number", "remove the quotes"},
    {Kind::Scenario, "number_with_unit", "duration", "expected a number", ""},
    {Kind::Scenario, "number_with_comma", "duration", "expected a number", ""},
    {Kind::Scenario, "number_is_a_list", "duration", "expected a number, found a list", ""},
    {Kind::Scenario, "number_infinite", "duration", "not a finite number", ""},
    {Kind::Scenario, "number_nan", "environment.gravity", "not a finite number", ""},
    {Kind::Scenario, "number_too_large", "environment.gravity", "not a finite number", ""},
    {Kind::Scenario, "number_empty", "duration", "found nothing", ""},
    {Kind::Scenario, "whole_number_with_fraction", "flocks[0].vehicles.grid.count", "expected a whole number", ""},
    {Kind::Scenario, "whole_number_too_large", "substeps", "out of range", ""},
    {Kind::Scenario, "seed_negative", "seed", "not negative", ""},
    {Kind::Scenario, "bool_is_a_number", "environment.ground", "expected true or false", ""},
    {Kind::Scenario, "text_is_a_map", "name", "expected a text, found a map", ""},
    {Kind::Scenario, "list_too_short", "environment.wind", "3 numbers, found 2", ""},
    {Kind::Scenario, "list_too_long", "environment.wind", "3 numbers, found 4", ""},
    {Kind::Scenario, "list_is_a_number", "environment.wind", "expected a list of 3 numbers", ""},
    {Kind::Scenario, "list_holds_a_word", "environment.wind[1]", "found 'north'", ""},
    {Kind::Scenario, "out_of_range_gravity", "environment.gravity", "between 0 and 100 m/s2", ""},
    {Kind::Scenario, "out_of_range_wind", "environment.wind[1]", "between -100 and 100 m/s", ""},
    {Kind::Scenario, "out_of_range_substeps", "substeps", "between 1 and 1000", ""},
    {Kind::Scenario, "count_zero", "flocks[0].vehicles.grid.count", "out of range", ""},
    {Kind::Scenario, "count_negative", "flocks[0].vehicles.ring.count", "out of range", ""},
    {Kind::Scenario, "angle_in_degrees_out_of_range", "flocks[0].yaw_deg", "between -360 and 360 deg", ""},
    {Kind::Scenario, "angle_given_twice", "flocks[0].yaw", "in degrees and in radians", "keep one"},
    {Kind::Scenario, "enum_misspelt", "flocks[0].controller.kind", "unknown value", "did you mean 'cascade'?"},
    {Kind::Scenario, "enum_unknown", "flocks[0].start", "unknown value", "known: disarmed, armed"},
    {Kind::Scenario, "enum_is_a_list", "precision", "expected a word", "known: float, double"},
    {Kind::Scenario, "formation_shape_unknown", "flocks[0].vehicles.formation.shape", "unknown value", "did you mean 'wedge'?"},
    {Kind::Scenario, "tick_not_whole_nanoseconds", "tick", "whole number of nanoseconds", "0.003333333"},
    {Kind::Scenario, "duration_below_tick", "duration", "shorter than one tick", ""},
    {Kind::Scenario, "metrics_after_end", "metrics_from", "after the end", ""},
    {Kind::Scenario, "flock_name_twice", "flocks[1].name", "also the name of flocks[0]", "its own name"},
    {Kind::Scenario, "airframe_misspelt", "flocks[0].airframe", "unknown airframe", "did you mean 'crazyflie'?"},
    {Kind::Scenario, "airframe_unknown", "flocks[0].airframe", "unknown airframe", "known: crazyflie"},
    {Kind::Scenario, "airframe_file_missing", "flocks[0].airframe", "no such file", ""},
    {Kind::Scenario, "airframe_file_faulty", "mass", "out of range", ""},
    {Kind::Scenario, "too_many_vehicles", "flocks[0].vehicles", "at most 10000000", ""},
    {Kind::Scenario, "too_many_vehicles_in_all_worlds", "flocks[0].vehicles", "20000000 vehicles", ""},
    {Kind::Scenario, "placement_none", "flocks[0].vehicles", "says nothing", "one of grid"},
    {Kind::Scenario, "placement_two", "flocks[0].vehicles", "more than one way", "one of grid"},
    {Kind::Scenario, "placement_list_empty", "flocks[0].vehicles.list", "has 0 entries", ""},
    {Kind::Scenario, "placement_list_position", "flocks[0].vehicles.list[1].position", "3 numbers, found 2", ""},
    {Kind::Scenario, "random_does_not_fit", "flocks[0].vehicles.random", "vehicles fit into the box", "larger box"},
    {Kind::Scenario, "random_box_reversed", "flocks[0].vehicles.random.max[1]", "below min", "swap"},
    {Kind::Scenario, "mission_two", "flocks[0].mission", "more than one curve", "one of hold"},
    {Kind::Scenario, "circle_speed_and_period", "flocks[0].mission.circle", "2 of speed, period", "exactly one"},
    {Kind::Scenario, "circle_without_speed", "flocks[0].mission.circle", "0 of speed, period", "exactly one"},
    {Kind::Scenario, "circle_spread_without_centre", "flocks[0].mission.circle.spread", "has a centre", "add centre"},
    {Kind::Scenario, "circle_all_in_one_place", "flocks[0].mission.circle.centre", "4 vehicles would fly in the same place", "spread: true"},
    {Kind::Scenario, "figure_eight_without_speed", "flocks[0].mission.figure_eight", "0 of speed and period", "exactly one"},
    {Kind::Scenario, "waypoints_one_point", "flocks[0].mission.waypoints.points", "has 1 entries", ""},
    {Kind::Scenario, "waypoints_same_point", "flocks[0].mission.waypoints.points[2]", "same point", "leave one"},
    {Kind::Scenario, "waypoints_point_is_flat", "flocks[0].mission.waypoints.points[0]", "3 numbers, found 2", ""},
    {Kind::Scenario, "route_turns_back", "flocks[0].mission.route.points[1]", "turns by 179 deg", "at most 170 deg"},
    {Kind::Scenario, "route_leg_too_short", "flocks[0].mission.route.points[2]", "from points[1] to points[2] is 3 m long", "a radius of at most 1.5 m"},
    {Kind::Scenario, "route_without_radius", "flocks[0].mission.route.radius", "is missing", ""},
    {Kind::Scenario, "minimum_snap_without_time", "flocks[0].mission.minimum_snap", "0 of speed and total_time", "exactly one"},
    {Kind::Scenario, "minimum_snap_too_far", "flocks[0].mission.minimum_snap.points[1]", "too far", ""},
    {Kind::Scenario, "event_unknown", "events[0].what", "unknown value", "did you mean 'land'?"},
    {Kind::Scenario, "event_after_end", "events[0].time", "after the end", "duration longer"},
    {Kind::Scenario, "event_negative_time", "events[0].time", "out of range", ""},
    {Kind::Scenario, "event_flock_unknown", "events[0].flock", "no flock is called", "did you mean 'scouts'?"},
    {Kind::Scenario, "event_vehicle_unknown", "events[0].vehicle", "the flock has 4 vehicles", ""},
    {Kind::Scenario, "event_vehicle_without_flock", "events[0].vehicle", "needs a flock", "add flock"},
    {Kind::Scenario, "event_wind_without_value", "events[0].value", "is missing", "value: [3, 0, 0]"},
    {Kind::Scenario, "event_value_without_wind", "events[0].value", "only the wind", ""},
    {Kind::Scenario, "cycle_a", "include[0]", "cycle_a.yaml -> cycle_b.yaml -> cycle_a.yaml", ""},
    {Kind::Scenario, "cycle_b", "include[0]", "cycle_b.yaml -> cycle_a.yaml -> cycle_b.yaml", ""},
    {Kind::Scenario, "cycle_self", "include[0]", "cycle_self.yaml -> cycle_self.yaml", ""},
    {Kind::Scenario, "include_missing", "include[0]", "no such file", ""},
    {Kind::Scenario, "include_not_a_list", "include", "expected a list of files", "include: [base.yaml]"},
    {Kind::Scenario, "include_not_a_name", "include[0]", "expected the name of a file", ""},
    {Kind::Scenario, "include_faulty", "environment.windd", "unknown key", "did you mean 'wind'?"},
    {Kind::Scenario, "region_no_shape", "regions[0]", "has no shape", "one of box"},
    {Kind::Scenario, "region_two_shapes", "regions[0]", "more than one shape", "one of box"},
    {Kind::Scenario, "region_rule_misspelt", "regions[0].rule", "keepin", "did you mean 'keep_in'?"},
    {Kind::Scenario, "region_name_twice", "regions[1].name", "also the name of regions[0]", "its own name"},
    {Kind::Scenario, "region_box_inverted", "regions[0].box.max", "not above min", ""},
    {Kind::Scenario, "region_ceiling_below_floor", "regions[0].ceiling", "not above the floor", ""},
    {Kind::Scenario, "region_outline_crosses", "regions[0].polygon.corners[2]", "crosses", "in order"},
    {Kind::Scenario, "region_two_corners", "regions[0].polygon.corners", "2 entries", ""},
    {Kind::Scenario, "region_on_one_line", "regions[0].polygon.corners", "no area", "not on one line"},
    {Kind::Scenario, "region_centre_has_three", "regions[0].cylinder.centre", "", ""},
    {Kind::Scenario, "obstacle_no_shape", "obstacles[0]", "has no shape", "one of box"},
    {Kind::Scenario, "obstacle_two_shapes", "obstacles[0]", "more than one shape", "one of box"},
    {Kind::Scenario, "obstacle_name_twice", "obstacles[1].name", "also the name of obstacles[0]", "its own name"},
    {Kind::Scenario, "obstacle_size_negative", "obstacles[0].box.size[1]", "out of range", ""},
    {Kind::Scenario, "obstacle_radius_nan", "obstacles[0].sphere.radius", "not a finite number", ""},
    {Kind::Scenario, "obstacle_start_inside", "flocks[0].vehicles", "inside the obstacle 'hall'", "upper side is at 8 m"},
    {Kind::Scenario, "obstacle_mesh_missing", "obstacles[0].mesh.file", "no such file", "in assets/meshes"},
    {Kind::Scenario, "obstacle_mesh_ending", "obstacles[0].mesh.file", "no mesh that can be read", ".obj, .gltf or .glb"},
    {Kind::Scenario, "obstacle_mesh_up", "obstacles[0].mesh.up", "unknown value", "known: y, z"},
    {Kind::Scenario, "obstacle_mesh_index", "obstacles[0].mesh.file", "mesh_index.obj:5: '4' is none of the 3 vertices above", ""},
    {Kind::Scenario, "obstacle_mesh_degenerate", "obstacles[0].mesh.file", "mesh_degenerate.obj:4: the face has corners on one line", "degenerate"},
    {Kind::Scenario, "obstacle_mesh_nan", "obstacles[0].mesh.file", "mesh_nan.obj:2: 'nan' is not a finite number", ""},
    {Kind::Scenario, "obstacle_mesh_empty", "obstacles[0].mesh.file", "mesh_empty.obj has no faces", ""},
    {Kind::Scenario, "obstacle_mesh_cut_off", "obstacles[0].mesh.file", "mesh_cut_off.glb is cut off: 48 bytes of 1024", "copied completely"},
    {Kind::Scenario, "obstacle_mesh_reaches_out", "obstacles[0].mesh.file", "'../../secret.bin', which is not beside it", ""},
    {Kind::Scenario, "obstacle_mesh_compressed", "obstacles[0].mesh.file", "KHR_draco_mesh_compression", "without compression"},
    {Kind::Scenario, "terrain_no_source", "terrain", "where the heights come from", "one of image, srtm, geotiff"},
    {Kind::Scenario, "terrain_two_sources", "terrain", "more than one source", "one of image, srtm, geotiff"},
    {Kind::Scenario, "weather_origin_too_far_north", "environment.origin.latitude", "between -90 and 90 deg", ""},
    {Kind::Scenario, "weather_origin_without_longitude", "environment.origin.longitude", "is missing", ""},
    {Kind::Scenario, "weather_curved_without_origin", "environment.curved", "needs an origin", "origin: {latitude"},
    {Kind::Scenario, "weather_year_before_the_model", "environment.year", "between 2025 and 2030", ""},
    {Kind::Scenario, "weather_humidity_in_percent", "environment.atmosphere.humidity", "between 0 and 1", ""},
    {Kind::Scenario, "weather_shear_misspelt", "environment.shear.law", "'logarithm'", "log"},
    {Kind::Scenario, "weather_shear_rough_as_high", "environment.shear.roughness", "below half the reference height", ""},
    {Kind::Scenario, "weather_turbulence_key_misspelt", "environment.turbulence.intensty", "unknown key", "did you mean 'intensity'?"},
    {Kind::Scenario, "weather_turbulence_form_misspelt", "environment.turbulence.form", "'drydn'", "did you mean 'dryden'?"},
    {Kind::Scenario, "weather_gust_never_met", "environment.gusts[0].speed", "never acts", "ahead: [1, 0, 0]"},
    {Kind::Scenario, "weather_too_many_gusts", "environment.gusts", "has 9 entries", ""},
    {Kind::Scenario, "weather_wind_field_missing", "environment.wind_field", "no such file", "in assets/wind"},
    {Kind::Scenario, "weather_wind_field_with_a_hole", "environment.wind_field", "no line for east 100, north 100", "nothing is guessed"},
    {Kind::Scenario, "weather_wind_field_without_a_value", "wind_east", "has a hole", "nothing is guessed"},
    {Kind::Scenario, "terrain_geotiff_missing", "terrain.geotiff.file", "no such file", "in assets/terrain"},
    {Kind::Scenario, "terrain_geotiff_is_text", "terrain.geotiff.file", "no TIFF that can be read", "terrain.image"},
    {Kind::Scenario, "terrain_geotiff_not_placed", "terrain.geotiff.file", "without a position on the Earth", "terrain.image"},
    {Kind::Scenario, "terrain_geotiff_cut_off", "terrain.geotiff.file", "no TIFF that can be read", ""},
    {Kind::Scenario, "behaviour_filter_with_rate", "flocks[0].behaviours[1].rate", "avoid is a filter", "leave the rate out"},
    {Kind::Scenario, "behaviour_filter_with_delay", "flocks[0].behaviours[1].delay", "avoid is a filter", "leave the delay out"},
    {Kind::Scenario, "behaviour_rate_above_decisions", "flocks[0].behaviours[0].rate", "20 Hz is above the decision_rate of the node, 5 Hz",
     "at most 5, or node: {decision_rate: 20}"},
    {Kind::Scenario, "behaviour_misspelt", "flocks[0].behaviours[0].reynold", "unknown key", "did you mean 'reynolds'?"},
    {Kind::Scenario, "behaviour_none", "flocks[0].behaviours[0]", "names no behaviour", "such as reynolds: {}; docs/behaviours.md lists them all"},
    {Kind::Scenario, "behaviour_param_missing", "flocks[0].behaviours[0].lawnmower.to", "is missing; 'to' must be given here", ""},
    {Kind::Scenario, "behaviour_param_misspelt", "flocks[0].behaviours[0].avoid.magrin", "unknown key", "did you mean 'margin'?"},
    {Kind::Scenario, "behaviour_param_out_of_range", "flocks[0].behaviours[0].avoid.horizon", "-3 is out of range: must be between 0.1 and 100 s", ""},
    {Kind::Scenario, "behaviour_two_in_one", "flocks[0].behaviours[0]", "names avoid and reynolds", "one behaviour for each entry of the list"},
    {Kind::Scenario, "behaviour_until_before_from", "flocks[0].behaviours[0].until", "5 s is not after 10 s, where it begins",
     "later than from, or leave it out: to the end"},
    {Kind::Scenario, "behaviour_weight_negative", "flocks[0].behaviours[0].weight", "-1 is out of range: must be between 0 and 1000000", ""},
    {Kind::Scenario, "wing_formation_angle_too_wide", "flocks[0].behaviours[0].wing_formation.angle_deg", "135 is out of range: must be between 0 and 90 deg",
     ""},
    {Kind::Scenario, "wing_formation_gain_misspelt", "flocks[0].behaviours[0].wing_formation.rol_gain", "unknown key", "did you mean 'roll_gain'?"},
    {Kind::Scenario, "wing_formation_spacing_negative", "flocks[0].behaviours[0].wing_formation.spacing", "-30 is out of range: must be between 1 and 10000 m",
     ""},
    {Kind::Scenario, "wing_route_too_slow", "flocks[0].mission.route", "9 m/s is slower than Talon class is flown: at least 13 m/s", "it cruises at 18 m/s"},
    {Kind::Scenario, "wing_circle_too_slow", "flocks[0].mission.circle", "5 m/s is slower than Talon class is flown", "it cruises at 18 m/s"},
    {Kind::Scenario, "wing_route_too_steep", "flocks[0].mission.route.points[1]", "800 m higher after 1000 m is a climb of 14.4 m/s", "a leg of "},
    {Kind::Scenario, "wing_eight_too_tight", "flocks[0].mission.figure_eight", "Talon class is flown at up to 49 deg", "a radius of "},
    {Kind::Scenario, "car_route_too_tight", "flocks[0].mission.route", "a turn of 2 m is tighter than", "m or more"},
    {Kind::Scenario, "car_route_too_fast", "flocks[0].mission.route", "150 m/s is faster than", "a lower speed"},
    {Kind::Scenario, "wing_with_a_controller", "flocks[0].controller.max_speed", "means nothing to 'Talon class'", "speeds.max of the airframe"},
    {Kind::Scenario, "wing_basic_physics", "flocks[0].full_physics", "means nothing to 'Talon class'", "leave it out"},
    {Kind::Scenario, "quadplane_tilt", "flocks[0].controller.max_tilt_deg", "an aircraft with lift rotors does not use it", "rate_d, max_speed, max_climb"},
    {Kind::Scenario, "car_attitude_gain", "flocks[0].controller.attitude_p", "a car does not use it", "it has position_p, velocity_p, velocity_i, max_speed"},
    {Kind::Scenario, "wing_circle_too_tight", "flocks[0].mission.circle", "takes a bank of 61 deg; Talon class is flown at up to 49 deg",
     "a radius of 36 m or more"},
    {Kind::Scenario, "wing_route_too_fast", "flocks[0].mission.route", "40 m/s is faster than Talon class is flown: at most 27 m/s", "it cruises at 18 m/s"},
    {Kind::Scenario, "behaviours_is_a_map", "flocks[0].behaviours", "expected a list, found a map", "begin each entry with '- '"},
    {Kind::Scenario, "contact_policy_misspelt", "flocks[0].node.contact.policy", "unknown value 'bounse'", "did you mean 'bounce'?"},
    {Kind::Scenario, "contact_radius_negative", "flocks[0].node.contact.radius", "-0.2 is out of range: must be between 0 and 1000 m", ""},
    {Kind::Scenario, "emits_is_a_map", "flocks[0].emits", "expected a list, found a map", "begin each entry with '- '"},
    {Kind::Scenario, "emits_level_is_a_word", "flocks[0].emits[0].sound.level", "expected a number, found 'loud'", ""},
    {Kind::Scenario, "emits_misspelt", "flocks[0].emits[0].ligth", "unknown key", "did you mean 'light'?"},
    {Kind::Scenario, "emits_nothing", "flocks[0].emits[0]", "names no stimulus", "one of light, plume, sound"},
    {Kind::Scenario, "emits_two_in_one", "flocks[0].emits[0]", "names light and sound", "one stimulus for each entry of the list"},
    {Kind::Scenario, "emits_until_before_from", "flocks[0].emits[0].until", "10 s is not after 10 s, where it begins",
     "later than from, or leave it out: to the end"},
    {Kind::Scenario, "node_decision_rate_zero", "flocks[0].node.decision_rate", "0 is out of range: must be between 0.001 and 10000 Hz", ""},
    {Kind::Scenario, "node_detection_range_negative", "flocks[0].node.detection.range", "-1 is out of range: must be between 0 and 100000 m", ""},
    {Kind::Scenario, "node_estimate_noise_negative", "flocks[0].node.estimate.position_noise", "-0.1 is out of range: must be between 0 and 1000 m", ""},
    {Kind::Scenario, "node_obstacle_range_nan", "flocks[0].node.obstacle_range", "'.nan' is not a finite number", ""},
    {Kind::Scenario, "node_field_of_view_too_wide", "flocks[0].node.detection.field_of_view_deg",
     "400 is out of range: must be between 0.5729577951 and 360 deg", ""},
    {Kind::Scenario, "node_is_a_number", "flocks[0].node", "expected a map of fields, found '10'", ""},
    {Kind::Scenario, "node_key_misspelt", "flocks[0].node.decison_rate", "unknown key", "did you mean 'decision_rate'?"},
    {Kind::Scenario, "node_memory_fraction", "flocks[0].node.memory", "expected a whole number, found '1.5'", ""},
    {Kind::Scenario, "node_power_of_a_broadcaster", "flocks[0].node.radio_power", "90 is out of range: must be between -100 and 60 dBm", ""},
    {Kind::Scenario, "plugin_is_text", "flocks[0].behaviours[0].plugin.file", "text.so: not a library that can be loaded",
     "volary plugin build FILE.cpp makes one"},
    {Kind::Scenario, "plugin_missing", "flocks[0].behaviours[0].plugin.file", "no_such.so: no such file",
     "a file beside the scenario, or in assets/behaviours"},
    {Kind::Scenario, "plugin_without_file", "flocks[0].behaviours[0].plugin.file", "is missing; 'file' must be given here", ""},
    {Kind::Scenario, "radio_bit_rate_is_a_word", "radio.bit_rate", "expected a number, found 'fast'", ""},
    {Kind::Scenario, "radio_delay_nan", "radio.delay", "'.nan' is not a finite number", ""},
    {Kind::Scenario, "radio_key_misspelt", "radio.rnage", "unknown key", "did you mean 'range'?"},
    {Kind::Scenario, "radio_loss_above_one", "radio.loss", "1.5 is out of range: must be between 0 and 1", ""},
    {Kind::Scenario, "radio_model_misspelt", "radio.model", "unknown value 'dsic'", "did you mean 'disc'?"},
    {Kind::Scenario, "radio_queue_fraction", "radio.queue", "expected a whole number, found '2.5'", ""},
    {Kind::Scenario, "radio_range_negative", "radio.range", "-30 is out of range: must be between 0.01 and 10000000 m", ""},
    {Kind::Scenario, "script_caret", "flocks[0].behaviours[0].script.file", "caret.lua:2: the operator ^ gives other bits on other systems",
     "use pow(x, y), or x * x"},
    {Kind::Scenario, "script_is_a_task", "flocks[0].behaviours[0].script.file", "task.lua:1: the file has holds(world): it is a task; a behaviour has act(me)",
     ""},
    {Kind::Scenario, "script_loops_at_load", "flocks[0].behaviours[0].script.file", "loops.lua:3: more than 1000000 instructions: a loop without end?", ""},
    {Kind::Scenario, "script_missing", "flocks[0].behaviours[0].script.file", "no_such.lua: no such file",
     "a file beside the scenario, or in assets/behaviours"},
    {Kind::Scenario, "script_opens_a_file", "flocks[0].behaviours[0].script.file",
     "opens.lua:1: a behaviour has no 'io': it knows its perception and its memory, nothing else", ""},
    {Kind::Scenario, "script_param_is_a_word", "flocks[0].behaviours[0].script.params.speed", "expected a number, found 'fast'", ""},
    {Kind::Scenario, "script_param_misspelt_inside", "flocks[0].behaviours[0].script.file", "misspelt.lua:5: there is no parameter 'sped'",
     "did you mean 'speed'?"},
    {Kind::Scenario, "script_param_nan", "flocks[0].behaviours[0].script.params.speed", "'.nan' is not a finite number", ""},
    {Kind::Scenario, "script_param_unknown", "flocks[0].behaviours[0].script.params.sped", "good.lua: there is no parameter 'sped'", "did you mean 'speed'?"},
    {Kind::Scenario, "script_syntax", "flocks[0].behaviours[0].script.file", "syntax.lua:2: 'then' expected near 'do'", ""},
    {Kind::Scenario, "script_without_act", "flocks[0].behaviours[0].script.file", "without_act.lua:1: the file has no function act(me)", ""},
    {Kind::Scenario, "script_without_file", "flocks[0].behaviours[0].script.file", "is missing; 'file' must be given here", ""},
    {Kind::Scenario, "task_condition_misspelt", "tasks[0].reched", "unknown key", "did you mean 'reached'?"},
    {Kind::Scenario, "task_count_too_many", "tasks[0].alive.count", "5 is too many: flock 'scouts' has 4 vehicle(s)", "at most 4"},
    {Kind::Scenario, "task_coverage_inverted", "tasks[0].coverage.max", "must be north and east of min",
     "min is the south-western corner, max the north-eastern one"},
    {Kind::Scenario, "task_cycle", "tasks[0]", "tasks wait for each other: 'a' -> 'b' -> 'c' -> 'a'", "one of them must be judged without the others"},
    {Kind::Scenario, "task_event_misspelt", "tasks[0].no_event", "no event is called 'crahsed'", "did you mean 'crashed'?"},
    {Kind::Scenario, "task_flock_unknown", "tasks[0].reached.flock", "no flock is called 'scuots'", "did you mean 'scouts'?"},
    {Kind::Scenario, "task_formation_places", "tasks[0].formation.offsets", "has 2 places for 4 vehicle(s)", "one for each vehicle, or none: as they started"},
    {Kind::Scenario, "task_formation_leader", "tasks[0].formation.leader", "4 does not exist: flock 'scouts' has 4 vehicle(s)", "vehicles are numbered from 0"},
    {Kind::Scenario, "task_held_without_what", "tasks[0].held.what", "is missing; 'what' must be given here", ""},
    {Kind::Scenario, "task_is_a_word", "tasks[0]", "expected a map of fields, found 'arrive'", ""},
    {Kind::Scenario, "task_kind_unknown", "tasks[0].detected.kind", "no airframe is called 'crazyfly'", "known: "},
    {Kind::Scenario, "task_mode_misspelt", "tasks[0].mode_is.mode", "unknown value 'lnad'", "did you mean 'land'?"},
    {Kind::Scenario, "task_name_missing", "tasks[0].name", "is missing; 'name' must be given here", ""},
    {Kind::Scenario, "task_name_twice", "tasks[1].name", "'safe' is the name of another task too", "give every task its own name"},
    {Kind::Scenario, "task_position_nan", "tasks[0].reached.position[1]", "'.nan' is not a finite number", ""},
    {Kind::Scenario, "task_region_unknown", "tasks[0].inside.region", "no region is called 'yrad'", "did you mean 'yard'?"},
    {Kind::Scenario, "task_script_is_a_behaviour", "tasks[0].script.file", "good.lua:1: the file has act(me): it is a behaviour; a task has holds(world)", ""},
    {Kind::Scenario, "task_script_missing", "tasks[0].script.file", "no_such.lua: no such file", "a file beside the scenario, or in assets/behaviours"},
    {Kind::Scenario, "task_script_param_unknown", "tasks[0].script.params.distnace", "task.lua: there is no parameter 'distnace'", "did you mean 'distance'?"},
    {Kind::Scenario, "task_script_syntax", "tasks[0].not.script.file", "syntax.lua:2: 'then' expected near 'do'", ""},
    {Kind::Scenario, "task_sequence_empty", "tasks[0].sequence", "has 0 entries: must have between 1 and 1000", ""},
    {Kind::Scenario, "task_share_above_one", "tasks[0].alive.share", "1.5 is out of range: must be between 0 and 1", ""},
    {Kind::Scenario, "task_topic_is_a_list", "tasks[0].heard.topic", "expected a text, found a list", ""},
    {Kind::Scenario, "task_two_conditions", "tasks[0].connected", "is given beside 'alive'; a condition has one test", "put both into all_of or any_of"},
    {Kind::Scenario, "task_unknown", "tasks[1].sequence[0].task", "no task is called 'frist'", "did you mean 'first'?"},
    {Kind::Scenario, "task_vehicle_and_share", "tasks[0].alive", "names more than one of vehicle, count, share", "keep one of them"},
    {Kind::Scenario, "task_vehicle_not_there", "tasks[0].alive.vehicle", "4 does not exist: flock 'scouts' has 4 vehicle(s)", "vehicles are numbered from 0"},
    {Kind::Scenario, "task_waits_for_itself", "tasks[0]", "tasks wait for each other: 'first' -> 'first'", "one of them must be judged without the others"},
    {Kind::Scenario, "task_within_negative", "tasks[0].within", "-1 is out of range: must be between 0.001 and 1000000000 s", ""},
    {Kind::Scenario, "task_without_condition", "tasks[0]", "has no condition",
     "give one of all_of, any_of, sequence, reached, inside, ...; docs/missions.md lists them"},
    {Kind::Airframe, "airframe_empty", "", "empty", ""},
    {Kind::Airframe, "airframe_not_a_map", "", "expected a map", ""},
    {Kind::Airframe, "airframe_model_missing", "model", "is missing", "multirotor"},
    {Kind::Airframe, "airframe_model_misspelt", "model", "unknown model", "did you mean 'multirotor'?"},
    {Kind::Airframe, "airframe_model_is_a_map", "model", "unknown model", ""},
    {Kind::Airframe, "car_friction_negative", "front.friction", "-0.8 is out of range", ""},
    {Kind::Airframe, "car_wheelbase_zero", "wheelbase", "0 is out of range", ""},
    {Kind::Airframe, "car_tyres_missing", "rear", "is missing", ""},
    {Kind::Airframe, "car_steering_without_rate", "steering.rate", "is missing", ""},
    {Kind::Airframe, "car_centre_outside", "to_front", "not between the axles", "less than the wheelbase of 2.5 m"},
    {Kind::Airframe, "car_inertia_impossible", "yaw_inertia", "more than", "in kg m2?"},
    {Kind::Airframe, "car_drive_too_weak", "drive.force", "cannot move the car", "more than 117.7 N"},
    {Kind::Airframe, "car_blend_reversed", "blend_to", "not above blend_from", "more than 5 m/s"},
    {Kind::Airframe, "car_key_misspelt", "weelbase", "unknown key", "did you mean 'wheelbase'?"},
    {Kind::Airframe, "airframe_name_missing", "name", "is missing", ""},
    {Kind::Airframe, "airframe_unknown_key", "mas", "unknown key", "did you mean 'mass'?"},
    {Kind::Airframe, "airframe_unknown_key_in_motor", "motor.trhust2", "unknown key", "did you mean 'thrust2'?"},
    {Kind::Airframe, "airframe_unknown_key_in_rotor", "rotors[1].spn", "unknown key", "did you mean 'spin'?"},
    {Kind::Airframe, "airframe_duplicate_key", "mass", "given twice", "keep one"},
    {Kind::Airframe, "airframe_mass_missing", "mass", "is missing", ""},
    {Kind::Airframe, "airframe_mass_negative", "mass", "out of range", ""},
    {Kind::Airframe, "airframe_mass_zero", "mass", "between 0.0001 and 10000 kg", ""},
    {Kind::Airframe, "airframe_mass_nan", "mass", "not a finite number", ""},
    {Kind::Airframe, "airframe_mass_in_grams", "mass", "expected a number", ""},
    {Kind::Airframe, "airframe_inertia_too_short", "inertia", "3 numbers, found 2", ""},
    {Kind::Airframe, "airframe_inertia_negative", "inertia[1]", "out of range", ""},
    {Kind::Airframe, "airframe_inertia_impossible", "inertia", "no body has", ""},
    {Kind::Airframe, "airframe_motor_missing", "motor", "is missing", ""},
    {Kind::Airframe, "airframe_motor_is_a_number", "motor", "expected a map", ""},
    {Kind::Airframe, "airframe_time_constant_zero", "motor.time_constant_up", "out of range", ""},
    {Kind::Airframe, "airframe_no_rotors", "rotors", "has 0 entries", ""},
    {Kind::Airframe, "airframe_too_many_rotors", "rotors", "has 9 entries", ""},
    {Kind::Airframe, "airframe_rotor_without_spin", "rotors[0].spin", "is missing", ""},
    {Kind::Airframe, "airframe_spin_fraction", "rotors[0].spin", "expected a whole number", ""},
    {Kind::Airframe, "airframe_spin_zero", "rotors[0].spin", "no direction", "1 or -1"},
    {Kind::Airframe, "airframe_too_heavy", "motor.speed_max", "do not carry", ""},
    {Kind::Airframe, "airframe_too_many_feet", "feet", "has 5 entries", ""},
    {Kind::Airframe, "airframe_syntax", "", "not valid YAML", ""},
    {Kind::Airframe, "aircraft_motor_too_weak", "speeds.cruise", "its motor is too weak", "a lower cruise airspeed"},
    {Kind::Airframe, "aircraft_stalls_at_cruise", "speeds.cruise", "it stalls", "m/s or more"},
    {Kind::Airframe, "aircraft_elevator_travel", "speeds.cruise", "elevator has not enough travel", "surfaces.elevator.travel"},
    {Kind::Airframe, "aircraft_inertia_tiny", "inertia[0]", "is 2.5 kg at a distance of 0.000632 m; its span is 1.8 m", "between 0.0032 and 2.9 kg m2"},
    {Kind::Airframe, "aircraft_roll_undamped", "roll.p", "0.45 does not damp a roll", "is negative"},
    {Kind::Airframe, "aircraft_pitch_undamped", "pitch.q", "12 does not damp pitching", "is negative"},
    {Kind::Airframe, "aircraft_aileron_without_effect", "roll.aileron", "s to bank by 45 deg at 16 m/s", "about 0.15"},
    {Kind::Airframe, "aircraft_wheels_in_a_line", "gear.wheels", "do not enclose the centre of mass", "one wheel before the centre of mass and two behind"},
    {Kind::Airframe, "aircraft_rotor_backwards", "rotors[0].axis", "a rotor for thrust that pulls backwards", "[1, 0, 0] pulls forward"},
    {Kind::Airframe, "aircraft_rotor_inertia", "rotors[0].inertia", "would weigh more than the aircraft", "less than 0.016 kg m2"},
    {Kind::Airframe, "aircraft_chord", "wing.area", "0.1 times span times chord", "about 4.5 m2"},
    {Kind::Airframe, "aircraft_table_missing", "table", "no such file", "relative to this file"},
    {Kind::Airframe, "aircraft_table_with_a_hole", "", "no row for alpha_deg = 10, beta_deg = 0", "3 x 3 breakpoints"},
    {Kind::Airframe, "aircraft_table_without_a_column", "", "there is no column 'Cm'", "'Cmm'"},
    {Kind::Airframe, "aircraft_table_over_mach", "table", "has the axis mach", "leave the column out"},
    {Kind::Airframe, "aircraft_propeller_misspelt", "", "no propeller is called 'apce 10x5'", "did you mean 'apce 10.0x5.0'?"},
    {Kind::Airframe, "aircraft_propeller_radius", "rotors[0].radius", "has a radius of 0.127 m", ""},
    {Kind::Airframe, "aircraft_propeller_speed", "", "no rows near 9000 rpm", "from 3919 to 4005 rpm"},
};

core::Error error_of(const Bad& bad) {
  const std::string path = kFolder + bad.file + ".yaml";
  if (bad.kind == Kind::Airframe) {
    const core::Result<Airframe> loaded = load_airframe(path);
    return loaded ? core::Error{} : loaded.error();
  }
  const core::Result<WorldDef> loaded = load_scenario(path, {kFolder + "assets"});
  return loaded ? core::Error{} : loaded.error();
}

std::string test_name(const testing::TestParamInfo<Bad>& info) { return info.param.file; }

}  // namespace

class BadInput : public testing::TestWithParam<Bad> {};

TEST_P(BadInput, is_refused_with_place_and_advice) {
  const Bad& bad = GetParam();
  const core::Error error = error_of(bad);
  ASSERT_FALSE(error.message.empty()) << "accepted";
  EXPECT_TRUE(error.file.starts_with(kFolder)) << error.text();
  EXPECT_GT(error.line, 0) << error.text();
  EXPECT_GT(error.column, 0) << error.text();
  EXPECT_EQ(error.field, bad.field) << error.text();
  EXPECT_NE(error.message.find(bad.words), std::string::npos) << error.text();
  EXPECT_NE(error.suggestion.find(bad.suggestion), std::string::npos) << error.text();
}
INSTANTIATE_TEST_SUITE_P(Files, BadInput, testing::ValuesIn(kBad), test_name);

TEST(bad_input, every_file_in_the_folder_is_in_the_table) {
  std::set<std::string> listed;
  for (const Bad& bad : kBad) listed.insert(bad.file);
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".yaml") {
      EXPECT_TRUE(listed.count(entry.path().stem().string())) << entry.path();
    }
  }
}

TEST(bad_input, the_line_is_the_line_of_the_fault) {
  const core::Error error = error_of({Kind::Airframe, "airframe_unknown_key_in_rotor", "", "", ""});
  EXPECT_EQ(error.line, 14);
  EXPECT_EQ(error.column, 37);
}

}  // namespace volary::scenario
