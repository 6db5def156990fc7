// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sensors of a flock, its estimator and its failsafe as plain data. docs/sensors.md describes every model.
// SI units unless noted, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians. An error of 0 is switched off.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace volary {

// Three numbers, such as east, north and up.
using Vec = std::array<double, 3>;

// Errors of a measured quantity, in its own unit: measured = limit(round((I + scale + misalignment) true + bias + noise)).
struct ErrorDef {
  double noise = 0;         // white noise: standard deviation of a sample; of an IMU the density, per sqrt(Hz)
  double turn_on = 0;       // standard deviation of the constant bias, drawn once per episode
  double instability = 0;   // standard deviation of the slowly varying bias, a Gauss-Markov process; a data sheet's Allan deviation divided by 0.618
  double correlation = 100; // s, correlation time of that bias
  double walk = 0;          // random walk of the bias, per sqrt(s)
  double scale = 0;         // standard deviation of the scale factor error, drawn once per episode
  double misalignment = 0;  // rad, standard deviation of the cross-axis terms, drawn once per episode
  double quantum = 0;       // resolution: the measured value is a multiple of it
  double range = 0;         // greatest magnitude that is measured
};

// When a sensor measures and when its reading arrives. Each time is a whole number of ticks.
struct TimingDef {
  double rate = 0;      // Hz; 0: every tick
  double phase = 0;     // s from the start to the first reading
  double latency = 0;   // s from the measured state to the arrival of the reading
  double drop_out = 0;  // probability that a reading is lost
};

// One harmonic of the vibration that each rotor causes.
struct VibrationHarmonicDef {
  int order = 1;                       // multiple of the rotor speed: 1 for imbalance, the number of blades for blade passing
  Vec gyro_B = {0, 0, 0};              // rad/s, amplitude on each axis for one rotor at the reference speed
  Vec accelerometer_B = {0, 0, 0};     // m/s2, the same
};
// Greatest number of harmonics.
inline constexpr std::size_t kMostHarmonics = 3;

// Vibration that follows the rotor speed. It grows with the square of the rotor speed and passes through the resonance of the frame.
struct VibrationDef {
  double reference_speed = 0;                   // rad/s, rotor speed at which the amplitudes hold; 0: no vibration
  double resonance = 0;                         // Hz, natural frequency of the frame; 0: none
  double damping = 0.05;                        // -, damping ratio of the frame
  Vec broadband_gyro_B = {0, 0, 0};             // rad/s, standard deviation of the broadband part at the reference speed
  Vec broadband_accelerometer_B = {0, 0, 0};    // m/s2, the same
  std::vector<VibrationHarmonicDef> harmonics;  // at most kMostHarmonics
};

// Gyroscope and accelerometer. They are sampled at every integration step; readings are their integrals over a tick.
struct ImuDef {
  std::string preset;      // name in assets/sensors that the values were taken from; empty: none
  ErrorDef gyro;           // rad/s; noise in rad/s/sqrt(Hz)
  ErrorDef accelerometer;  // m/s2; noise in m/s2/sqrt(Hz)
  Vec position_B = {0, 0, 0};  // m, from the centre of mass; on a platform from the origin of the central body
  VibrationDef vibration;
  double latency = 0;      // s, for readers outside of the vehicle; its own controller and estimator have no delay
};

// A satellite receiver. Position errors are correlated in time, and grow where obstacles hide a part of the sky.
struct GnssDef {
  std::string preset;
  TimingDef time;
  double horizontal = 0;    // m, standard deviation of the correlated error on each horizontal axis
  double vertical = 0;      // m, the same on the vertical axis
  double correlation = 60;  // s, correlation time of that error
  double white = 0;         // m, standard deviation of the uncorrelated error on each axis
  double velocity = 0;      // m/s, standard deviation on each axis
  double multipath = 0;     // m, standard deviation of reflected signals where the whole sky is hidden
  double multipath_correlation = 10;  // s
  double sky_needed = 0.25; // share of the sky below which there is no fix
  int satellites = 12;      // number in an open sky
  double loss = 0;          // share of time without a fix, drawn for each window
  double loss_window = 5;   // s, length of a window
  std::vector<std::array<double, 2>> outages;  // s, from and until: planned times without a fix, at most kMostOutages
};
// Greatest number of planned outages.
inline constexpr std::size_t kMostOutages = 8;

// A barometer. Its height is that of the standard atmosphere, set to zero at the origin of the world.
struct BarometerDef {
  std::string preset;
  TimingDef time;
  ErrorDef error;             // Pa
  double position_error = 0;  // share of the dynamic pressure along the nose that reaches the static port
};

// A magnetometer in the field of the World Magnetic Model.
struct MagnetometerDef {
  std::string preset;
  TimingDef time;
  ErrorDef error;          // T
  double hard_iron = 0;    // T, standard deviation of the constant field of the vehicle on each axis, drawn once per episode
  double soft_iron = 0;    // standard deviation of each term of the symmetric distortion matrix, drawn once per episode
  Vec current_B = {0, 0, 0};  // T, field of the supply currents at full rotor load
};

// A pitot tube along the nose.
struct AirspeedDef {
  std::string preset;
  TimingDef time;
  ErrorDef error;  // Pa
};

// A range finder that looks along one direction of the body.
struct RangeFinderDef {
  std::string preset;
  TimingDef time;
  ErrorDef error;                 // m
  double relative_noise = 0;      // standard deviation as a share of the distance
  Vec direction_B = {0, 0, -1};   // of any length
  double field_of_view = 0;       // rad, full angle of the beam: the nearest ground in it is measured
  double min = 0.05, max = 10;    // m
};

// A camera that looks down and measures how fast the ground passes.
struct OpticalFlowDef {
  std::string preset;
  TimingDef time;
  ErrorDef error;               // rad/s
  double min = 0.1, max = 30;   // m, distance to the ground along the camera's axis
  double max_rate = 7;          // rad/s, fastest flow that is measured
  double max_tilt = 0.8;        // rad
};

// A radio that measures distances, to anchors or to other vehicles.
struct UwbDef {
  std::string preset;
  TimingDef time;
  ErrorDef error;             // m
  double reach = 60;          // m, greatest distance
  double blocked_bias = 0;    // m, mean of the exponential error of an obstructed range
  double blocked_noise = 0;   // m, standard deviation of an obstructed range, instead of the noise
  int per_reading = 4;        // anchors that are measured at a time, 1 to 4
};

// Cameras of a hall that see position and attitude.
struct MotionCaptureDef {
  std::string preset;
  TimingDef time;
  double position = 0;  // m, standard deviation on each axis
  double attitude = 0;  // rad, standard deviation about each axis
  Vec min_W = {-1e6, -1e6, -1e6}, max_W = {1e6, 1e6, 1e6};  // m, corners of the volume that is seen
};

// A stand-in for visual odometry: body velocity and yaw rate with an error that makes the integrated position drift as stated.
struct OdometryDef {
  std::string preset;
  TimingDef time;
  double drift_distance = 0;  // m per sqrt(m): standard deviation of the position on each axis after 1 m
  double drift_time = 0;      // m per sqrt(s): the same after 1 s
  double yaw_drift = 0;       // rad per sqrt(s)
  double scale = 0;           // standard deviation of the scale error, drawn once per episode
};

// A sensor or an estimator in a shared library (volary/sensor_plugin.h).
struct SensorPluginRef {
  std::string file;                                    // path of the library
  std::vector<std::pair<std::string, double>> params;  // new values for parameters that the library declares
  std::shared_ptr<const void> library = {};            // the library, as the reader of scenarios opens it; worlds need it
};

// A sensor that Volary has no model of. A plugin measures for it; without one its readings come from outside of the world, as inputs (Many::Reading).
struct OwnSensorDef {
  std::string name;  // of lower-case letters, digits and _; the columns are own.NAME, own.NAME.valid and own.NAME.tick
  int size = 1;      // numbers of a reading, at most kMostOwnNumbers; of a plugin as the plugin says
  std::optional<SensorPluginRef> plugin = {};
};
// Greatest number of such sensors of a flock, and of numbers of a reading.
inline constexpr std::size_t kMostOwnSensors = 16, kMostOwnNumbers = 16;

// The sensors of each vehicle of a flock: at most one of each kind.
struct SensorsDef {
  std::optional<ImuDef> imu;
  std::optional<GnssDef> gnss;
  std::optional<BarometerDef> barometer;
  std::optional<MagnetometerDef> magnetometer;
  std::optional<AirspeedDef> airspeed;
  std::optional<RangeFinderDef> range_finder;
  std::optional<OpticalFlowDef> optical_flow;
  std::optional<UwbDef> uwb_anchors;
  std::optional<UwbDef> uwb_peers;
  std::optional<MotionCaptureDef> motion_capture;
  std::optional<OdometryDef> odometry;
  std::vector<OwnSensorDef> own;
};

// A radio beacon at a known place, to which vehicles measure their distance.
struct AnchorDef {
  std::string name;
  Vec position_W = {0, 0, 0};  // m
};
// Greatest number of anchors of a world.
inline constexpr std::size_t kMostAnchors = 32;

// The estimator of a vehicle's state: none, the extended Kalman filter, a plugin, or a source outside of the world. The estimates of such a source are inputs
// (Many::Estimate); between two of them the IMU carries the estimate on.
enum class EstimatorKind { None, Ekf, Plugin, Outside };

// Standard deviations of the estimate at the start.
struct EstimateStartDef {
  double tilt = 0.0087266462599716477;  // rad, 0.5 degrees
  double yaw = 0.034906585039886591;    // rad, 2 degrees
  double velocity = 0.1;                // m/s
  double position = 0.5;                // m
};
// One number for each source of measurements, in the order of SensorsDef.
struct PerSourceDef {
  double gnss = 0, barometer = 0, magnetometer = 0, airspeed = 0, range_finder = 0, optical_flow = 0, uwb_anchors = 0, uwb_peers = 0, motion_capture = 0,
         odometry = 0;
};
// The estimator of a flock.
struct EstimatorDef {
  EstimatorKind kind = EstimatorKind::None;
  bool control_on_truth = false;  // true: controllers take the true state
  bool decide_on_truth = false;   // true: behaviours and messages take the true state
  EstimateStartDef start;
  PerSourceDef gates = {5, 5, 3, 5, 5, 5, 5, 5, 5, 5};  // standard deviations beyond which a measurement is rejected
  PerSourceDef trust = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  // factor of the standard deviation that the filter assumes
  double reset_after = 5;         // s of rejection after which the filter starts again from that source
  std::optional<SensorPluginRef> plugin = {};  // of EstimatorKind::Plugin
};

// The reaction of a vehicle to a loss.
enum class FailsafeAction { None, Hold, Return, Land, Stop };
// One loss: how long it must last, and the reaction to it.
struct FailsafeRuleDef {
  double after = 0;  // s
  FailsafeAction action = FailsafeAction::None;
};
// The failsafe of a flock: the reaction to each kind of loss.
struct FailsafeDef {
  FailsafeRuleDef gnss_lost, estimator, rotor_lost, link_lost, sensor_lost;
  FailsafeRuleDef tipped = {2, FailsafeAction::Stop};  // it lies tipped over or upside down on the ground; it can only be stopped
  bool telemetry = false;  // true: the measured rotor speeds are known to the detection of a lost rotor
};

}  // namespace volary
