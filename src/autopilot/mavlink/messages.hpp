// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// generated from schema/mavlink.json, do not edit
// clang-format off
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace volary::mavlink {

// ---------------------------------------------------------------- enums

// the number of an enumerator, as fields of messages hold it
template <class E> constexpr std::underlying_type_t<E> number_of(E e) { return static_cast<std::underlying_type_t<E>>(e); }

// MAV_CMD: Commands, also as items of a plan.
enum class Command : std::uint16_t {
  NavWaypoint = 16,
  NavLoiterUnlim = 17,
  NavLoiterTurns = 18,
  NavLoiterTime = 19,
  NavReturnToLaunch = 20,
  NavLand = 21,
  NavTakeoff = 22,
  DoOrbit = 34,
  NavVtolTakeoff = 84,
  NavVtolLand = 85,
  NavDelay = 93,
  ConditionYaw = 115,
  DoSetMode = 176,
  DoJump = 177,
  DoChangeSpeed = 178,
  DoSetHome = 179,
  DoFlighttermination = 185,
  DoSetActuator = 187,
  DoLandStart = 189,
  DoReposition = 192,
  DoPauseContinue = 193,
  DoSetRoiLocation = 195,
  DoSetRoiNone = 197,
  DoSetRoi = 201,
  DoMountControl = 205,
  DoSetCamTriggDist = 206,
  DoFenceEnable = 207,
  DoSetMissionCurrent = 224,
  PreflightCalibration = 241,
  PreflightStorage = 245,
  PreflightRebootShutdown = 246,
  MissionStart = 300,
  ComponentArmDisarm = 400,
  RunPrearmChecks = 401,
  GetHomePosition = 410,
  GetMessageInterval = 510,
  SetMessageInterval = 511,
  RequestMessage = 512,
  RequestProtocolVersion = 519,
  RequestAutopilotCapabilities = 520,
  SetCameraMode = 530,
  DoGimbalManagerPitchyaw = 1000,
  DoGimbalManagerConfigure = 1001,
  ImageStartCapture = 2000,
  ImageStopCapture = 2001,
  VideoStartCapture = 2500,
  VideoStopCapture = 2501,
  DoVtolTransition = 3000,
  NavFenceReturnPoint = 5000,
  NavFencePolygonVertexInclusion = 5001,
  NavFencePolygonVertexExclusion = 5002,
  NavFenceCircleInclusion = 5003,
  NavFenceCircleExclusion = 5004,
  NavRallyPoint = 5100,
};

// MAV_RESULT: Outcome of a command.
enum class CommandResult : std::uint8_t {
  Accepted = 0,
  TemporarilyRejected = 1,
  Denied = 2,
  Unsupported = 3,
  Failed = 4,
  InProgress = 5,
  Cancelled = 6,
  CommandLongOnly = 7,
  CommandIntOnly = 8,
  CommandUnsupportedMavFrame = 9,
  NotInControl = 10,
};

// MAV_MISSION_RESULT: Outcome of the transfer of a plan.
enum class MissionResult : std::uint8_t {
  Accepted = 0,
  Error = 1,
  UnsupportedFrame = 2,
  Unsupported = 3,
  NoSpace = 4,
  Invalid = 5,
  InvalidParam1 = 6,
  InvalidParam2 = 7,
  InvalidParam3 = 8,
  InvalidParam4 = 9,
  InvalidParam5X = 10,
  InvalidParam6Y = 11,
  InvalidParam7 = 12,
  InvalidSequence = 13,
  Denied = 14,
  OperationCancelled = 15,
};

// MAV_MISSION_TYPE: Kind of a plan.
enum class MissionType : std::uint8_t {
  Mission = 0,
  Fence = 1,
  Rally = 2,
  All = 255,
};

// MAV_TYPE: Kind of a vehicle or component. VTOL_DUOROTOR and VTOL_QUADROTOR are older names.
enum class VehicleType : std::uint8_t {
  Generic = 0,
  FixedWing = 1,
  Quadrotor = 2,
  Coaxial = 3,
  Helicopter = 4,
  AntennaTracker = 5,
  Gcs = 6,
  Airship = 7,
  FreeBalloon = 8,
  Rocket = 9,
  GroundRover = 10,
  SurfaceBoat = 11,
  Submarine = 12,
  Hexarotor = 13,
  Octorotor = 14,
  Tricopter = 15,
  OnboardController = 18,
  VtolTailsitterDuorotor = 19,
  VtolDuorotor = 19,
  VtolTailsitterQuadrotor = 20,
  VtolQuadrotor = 20,
  VtolTiltrotor = 21,
  VtolFixedrotor = 22,
  VtolTailsitter = 23,
  VtolTiltwing = 24,
  Gimbal = 26,
  Adsb = 27,
  Dodecarotor = 29,
  Camera = 30,
  Decarotor = 35,
  GenericMultirotor = 43,
};

// MAV_AUTOPILOT: Autopilot family.
enum class AutopilotKind : std::uint8_t {
  Generic = 0,
  Ardupilotmega = 3,
  Invalid = 8,
  Px4 = 12,
};

// MAV_STATE: State of a system.
enum class SystemState : std::uint8_t {
  Uninit = 0,
  Boot = 1,
  Calibrating = 2,
  Standby = 3,
  Active = 4,
  Critical = 5,
  Emergency = 6,
  Poweroff = 7,
  FlightTermination = 8,
};

// MAV_MODE_FLAG: Bits of base_mode.
enum class ModeFlag : std::uint8_t {
  CustomModeEnabled = 0x1,
  TestEnabled = 0x2,
  AutoEnabled = 0x4,
  GuidedEnabled = 0x8,
  StabilizeEnabled = 0x10,
  HilEnabled = 0x20,
  ManualInputEnabled = 0x40,
  SafetyArmed = 0x80,
};
constexpr ModeFlag operator|(ModeFlag a, ModeFlag b) { return static_cast<ModeFlag>(number_of(a) | number_of(b)); }

// MAV_FRAME: Frame of a position. Those with INT differ by name only.
enum class CoordinateFrame : std::uint8_t {
  Global = 0,
  LocalNed = 1,
  Mission = 2,
  GlobalRelativeAlt = 3,
  LocalEnu = 4,
  GlobalInt = 5,
  GlobalRelativeAltInt = 6,
  LocalOffsetNed = 7,
  BodyNed = 8,
  BodyOffsetNed = 9,
  GlobalTerrainAlt = 10,
  GlobalTerrainAltInt = 11,
  BodyFrd = 12,
  LocalFrd = 20,
  LocalFlu = 21,
};

// MAV_SEVERITY: Severity of a text, as in syslog.
enum class Severity : std::uint8_t {
  Emergency = 0,
  Alert = 1,
  Critical = 2,
  Error = 3,
  Warning = 4,
  Notice = 5,
  Info = 6,
  Debug = 7,
};

// MAV_LANDED_STATE: On the ground or in the air.
enum class LandedState : std::uint8_t {
  Undefined = 0,
  OnGround = 1,
  InAir = 2,
  Takeoff = 3,
  Landing = 4,
};

// MAV_VTOL_STATE: State of a vehicle that both hovers and flies on wings.
enum class VtolState : std::uint8_t {
  Undefined = 0,
  TransitionToFw = 1,
  TransitionToMc = 2,
  Mc = 3,
  Fw = 4,
};

// MAV_PARAM_TYPE: Type of a parameter.
enum class ParamType : std::uint8_t {
  Uint8 = 1,
  Int8 = 2,
  Uint16 = 3,
  Int16 = 4,
  Uint32 = 5,
  Int32 = 6,
  Uint64 = 7,
  Int64 = 8,
  Real32 = 9,
  Real64 = 10,
};

// MAV_PROTOCOL_CAPABILITY: Abilities of an autopilot.
enum class Capability : std::uint64_t {
  MissionFloat = 0x1,
  ParamFloat = 0x2,
  MissionInt = 0x4,
  CommandInt = 0x8,
  ParamEncodeBytewise = 0x10,
  Ftp = 0x20,
  SetAttitudeTarget = 0x40,
  SetPositionTargetLocalNed = 0x80,
  SetPositionTargetGlobalInt = 0x100,
  Terrain = 0x200,
  Reserved3 = 0x400,
  FlightTermination = 0x800,
  CompassCalibration = 0x1000,
  Mavlink2 = 0x2000,
  MissionFence = 0x4000,
  MissionRally = 0x8000,
  Reserved2 = 0x10000,
  ParamEncodeCCast = 0x20000,
  ComponentImplementsGimbalManager = 0x40000,
  ComponentAcceptsGcsControl = 0x80000,
  Gripper = 0x100000,
};
constexpr Capability operator|(Capability a, Capability b) { return static_cast<Capability>(number_of(a) | number_of(b)); }

// MAV_SYS_STATUS_SENSOR: Sensors and controllers in SYS_STATUS.
enum class SensorBit : std::uint32_t {
  Sensor3dGyro = 0x1,
  Sensor3dAccel = 0x2,
  Sensor3dMag = 0x4,
  SensorAbsolutePressure = 0x8,
  SensorDifferentialPressure = 0x10,
  SensorGps = 0x20,
  SensorOpticalFlow = 0x40,
  SensorVisionPosition = 0x80,
  SensorLaserPosition = 0x100,
  SensorExternalGroundTruth = 0x200,
  SensorAngularRateControl = 0x400,
  SensorAttitudeStabilization = 0x800,
  SensorYawPosition = 0x1000,
  SensorZAltitudeControl = 0x2000,
  SensorXyPositionControl = 0x4000,
  SensorMotorOutputs = 0x8000,
  SensorRcReceiver = 0x10000,
  Sensor3dGyro2 = 0x20000,
  Sensor3dAccel2 = 0x40000,
  Sensor3dMag2 = 0x80000,
  Geofence = 0x100000,
  Ahrs = 0x200000,
  Terrain = 0x400000,
  ReverseMotor = 0x800000,
  Logging = 0x1000000,
  SensorBattery = 0x2000000,
  SensorProximity = 0x4000000,
  SensorSatcom = 0x8000000,
  PrearmCheck = 0x10000000,
  ObstacleAvoidance = 0x20000000,
  SensorPropulsion = 0x40000000,
  ExtensionUsed = 0x80000000,
};
constexpr SensorBit operator|(SensorBit a, SensorBit b) { return static_cast<SensorBit>(number_of(a) | number_of(b)); }

// MAV_COMPONENT: Well known component ids.
enum class Component : std::uint8_t {
  All = 0,
  Autopilot1 = 1,
  Camera = 100,
  Gimbal = 154,
  Missionplanner = 190,
  OnboardComputer = 191,
  UdpBridge = 240,
  SystemControl = 250,
};

// GPS_FIX_TYPE: Quality of a satellite position.
enum class GpsFix : std::uint8_t {
  NoGps = 0,
  NoFix = 1,
  Gps2dFix = 2,
  Gps3dFix = 3,
  Dgps = 4,
  RtkFloat = 5,
  RtkFixed = 6,
  Static = 7,
  Ppp = 8,
};

// POSITION_TARGET_TYPEMASK: Fields of a position setpoint to ignore.
enum class TargetMask : std::uint16_t {
  XIgnore = 0x1,
  YIgnore = 0x2,
  ZIgnore = 0x4,
  VxIgnore = 0x8,
  VyIgnore = 0x10,
  VzIgnore = 0x20,
  AxIgnore = 0x40,
  AyIgnore = 0x80,
  AzIgnore = 0x100,
  ForceSet = 0x200,
  YawIgnore = 0x400,
  YawRateIgnore = 0x800,
};
constexpr TargetMask operator|(TargetMask a, TargetMask b) { return static_cast<TargetMask>(number_of(a) | number_of(b)); }

// ATTITUDE_TARGET_TYPEMASK: Fields of an attitude setpoint to ignore.
enum class AttitudeMask : std::uint8_t {
  BodyRollRateIgnore = 0x1,
  BodyPitchRateIgnore = 0x2,
  BodyYawRateIgnore = 0x4,
  ThrustBodySet = 0x20,
  ThrottleIgnore = 0x40,
  AttitudeIgnore = 0x80,
};
constexpr AttitudeMask operator|(AttitudeMask a, AttitudeMask b) { return static_cast<AttitudeMask>(number_of(a) | number_of(b)); }

// FENCE_BREACH: Last breach of the geofence.
enum class FenceBreach : std::uint8_t {
  None = 0,
  Minalt = 1,
  Maxalt = 2,
  Boundary = 3,
};

// FENCE_MITIGATE: Action that prevents a breach.
enum class FenceMitigation : std::uint8_t {
  Unknown = 0,
  None = 1,
  VelLimit = 2,
};

// MAV_STANDARD_MODE: Flight modes that mean the same on every autopilot.
enum class StandardMode : std::uint8_t {
  NonStandard = 0,
  PositionHold = 1,
  Orbit = 2,
  Cruise = 3,
  AltitudeHold = 4,
  SafeRecovery = 5,
  Mission = 6,
  Land = 7,
  Takeoff = 8,
};

// MAV_MODE_PROPERTY: Properties of a flight mode.
enum class ModeProperty : std::uint32_t {
  Advanced = 0x1,
  NotUserSelectable = 0x2,
  AutoMode = 0x4,
};
constexpr ModeProperty operator|(ModeProperty a, ModeProperty b) { return static_cast<ModeProperty>(number_of(a) | number_of(b)); }

// MAV_BATTERY_FUNCTION: Consumers of a battery.
enum class BatteryFunction : std::uint8_t {
  Unknown = 0,
  All = 1,
  Propulsion = 2,
  Avionics = 3,
  Payload = 4,
};

// MAV_BATTERY_TYPE: Chemistry of a battery.
enum class BatteryType : std::uint8_t {
  Unknown = 0,
  Lipo = 1,
  Life = 2,
  Lion = 3,
  Nimh = 4,
};

// ESTIMATOR_STATUS_FLAGS: Parts of the state estimate that are valid.
enum class EstimatorFlag : std::uint16_t {
  Attitude = 0x1,
  VelocityHoriz = 0x2,
  VelocityVert = 0x4,
  PosHorizRel = 0x8,
  PosHorizAbs = 0x10,
  PosVertAbs = 0x20,
  PosVertAgl = 0x40,
  ConstPosMode = 0x80,
  PredPosHorizRel = 0x100,
  PredPosHorizAbs = 0x200,
  GpsGlitch = 0x400,
  AccelError = 0x800,
};
constexpr EstimatorFlag operator|(EstimatorFlag a, EstimatorFlag b) { return static_cast<EstimatorFlag>(number_of(a) | number_of(b)); }

// MISSION_STATE: State of the mission.
enum class MissionState : std::uint8_t {
  Unknown = 0,
  NoMission = 1,
  NotStarted = 2,
  Active = 3,
  Paused = 4,
  Complete = 5,
};

// MAV_DATA_STREAM: Groups of messages for REQUEST_DATA_STREAM.
enum class DataStream : std::uint8_t {
  All = 0,
  RawSensors = 1,
  ExtendedStatus = 2,
  RcChannels = 3,
  RawController = 4,
  Position = 6,
  Extra1 = 10,
  Extra2 = 11,
  Extra3 = 12,
};

// HIL_SENSOR_UPDATED_FLAGS: Fields of HIL_SENSOR that are new.
enum class HilSensorUpdated : std::uint32_t {
  Xacc = 0x1,
  Yacc = 0x2,
  Zacc = 0x4,
  Xgyro = 0x8,
  Ygyro = 0x10,
  Zgyro = 0x20,
  Xmag = 0x40,
  Ymag = 0x80,
  Zmag = 0x100,
  AbsPressure = 0x200,
  DiffPressure = 0x400,
  PressureAlt = 0x800,
  Temperature = 0x1000,
  Reset = 0x80000000,
};
constexpr HilSensorUpdated operator|(HilSensorUpdated a, HilSensorUpdated b) { return static_cast<HilSensorUpdated>(number_of(a) | number_of(b)); }

// ---------------------------------------------------------------- messages, members in wire order

// Kind and state of a component, sent once per second.
struct Heartbeat {
  static constexpr std::uint32_t kId = 0;
  static constexpr std::uint8_t kCrcExtra = 50;
  static constexpr std::size_t kBaseLength = 9, kFullLength = 9;
  static constexpr const char* kName = "HEARTBEAT";

  std::uint32_t custom_mode = 0;  // mode in the numbering of the autopilot
  std::uint8_t type = 0;  // MAV_TYPE
  std::uint8_t autopilot = 0;  // MAV_AUTOPILOT
  std::uint8_t base_mode = 0;  // MAV_MODE_FLAG
  std::uint8_t system_status = 0;  // MAV_STATE
  std::uint8_t mavlink_version = 3;  // always 3

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.custom_mode);
    f(s.type);
    f(s.autopilot);
    f(s.base_mode);
    f(s.system_status);
    f(s.mavlink_version);
  }
  bool operator==(const Heartbeat&) const = default;
};

// Health of sensors and controllers, main battery, processor load and link errors.
struct SysStatus {
  static constexpr std::uint32_t kId = 1;
  static constexpr std::uint8_t kCrcExtra = 124;
  static constexpr std::size_t kBaseLength = 31, kFullLength = 43;
  static constexpr const char* kName = "SYS_STATUS";

  std::uint32_t onboard_control_sensors_present = 0;  // MAV_SYS_STATUS_SENSOR bits that exist
  std::uint32_t onboard_control_sensors_enabled = 0;  // MAV_SYS_STATUS_SENSOR bits in use
  std::uint32_t onboard_control_sensors_health = 0;  // MAV_SYS_STATUS_SENSOR bits without a fault
  std::uint16_t load = 0;  // 0.1 %: processor time of the main loop
  std::uint16_t voltage_battery = 0;  // mV: 65535: unknown
  std::int16_t current_battery = 0;  // 10 mA: -1: unknown
  std::uint16_t drop_rate_comm = 0;  // 0.01 %: lost packets, all links
  std::uint16_t errors_comm = 0;  // lost packets, all links
  std::uint16_t errors_count1 = 0;  // meaning set by the autopilot
  std::uint16_t errors_count2 = 0;  // meaning set by the autopilot
  std::uint16_t errors_count3 = 0;  // meaning set by the autopilot
  std::uint16_t errors_count4 = 0;  // meaning set by the autopilot
  std::int8_t battery_remaining = 0;  // %: -1: unknown
  std::uint32_t onboard_control_sensors_present_extended = 0;  // extension; further bits that exist
  std::uint32_t onboard_control_sensors_enabled_extended = 0;  // extension; further bits in use
  std::uint32_t onboard_control_sensors_health_extended = 0;  // extension; further bits without a fault

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.onboard_control_sensors_present);
    f(s.onboard_control_sensors_enabled);
    f(s.onboard_control_sensors_health);
    f(s.load);
    f(s.voltage_battery);
    f(s.current_battery);
    f(s.drop_rate_comm);
    f(s.errors_comm);
    f(s.errors_count1);
    f(s.errors_count2);
    f(s.errors_count3);
    f(s.errors_count4);
    f(s.battery_remaining);
    f(s.onboard_control_sensors_present_extended);
    f(s.onboard_control_sensors_enabled_extended);
    f(s.onboard_control_sensors_health_extended);
  }
  bool operator==(const SysStatus&) const = default;
};

// Clock of the sender.
struct SystemTime {
  static constexpr std::uint32_t kId = 2;
  static constexpr std::uint8_t kCrcExtra = 137;
  static constexpr std::size_t kBaseLength = 12, kFullLength = 12;
  static constexpr const char* kName = "SYSTEM_TIME";

  std::uint64_t time_unix_usec = 0;  // us: time since 1970 (UTC)
  std::uint32_t time_boot_ms = 0;  // ms: time since start

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_unix_usec);
    f(s.time_boot_ms);
  }
  bool operator==(const SystemTime&) const = default;
};

// Round trip measurement: both targets 0 asks, any other value answers.
struct Ping {
  static constexpr std::uint32_t kId = 4;
  static constexpr std::uint8_t kCrcExtra = 237;
  static constexpr std::size_t kBaseLength = 14, kFullLength = 14;
  static constexpr const char* kName = "PING";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::uint32_t seq = 0;  // number of the request
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.seq);
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const Ping&) const = default;
};

// Sets the flight mode; superseded by the command DO_SET_MODE.
struct SetMode {
  static constexpr std::uint32_t kId = 11;
  static constexpr std::uint8_t kCrcExtra = 89;
  static constexpr std::size_t kBaseLength = 6, kFullLength = 6;
  static constexpr const char* kName = "SET_MODE";

  std::uint32_t custom_mode = 0;  // mode in the numbering of the autopilot
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t base_mode = 0;  // MAV_MODE_FLAG

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.custom_mode);
    f(s.target_system);
    f(s.base_mode);
  }
  bool operator==(const SetMode&) const = default;
};

// Asks for one parameter, by name or by index.
struct ParamRequestRead {
  static constexpr std::uint32_t kId = 20;
  static constexpr std::uint8_t kCrcExtra = 214;
  static constexpr std::size_t kBaseLength = 20, kFullLength = 20;
  static constexpr const char* kName = "PARAM_REQUEST_READ";

  std::int16_t param_index = 0;  // -1: by name
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::array<char, 16> param_id{};  // name; no zero at its end when it has 16 characters

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param_index);
    f(s.target_system);
    f(s.target_component);
    f(s.param_id);
  }
  bool operator==(const ParamRequestRead&) const = default;
};

// Asks for all parameters.
struct ParamRequestList {
  static constexpr std::uint32_t kId = 21;
  static constexpr std::uint8_t kCrcExtra = 159;
  static constexpr std::size_t kBaseLength = 2, kFullLength = 2;
  static constexpr const char* kName = "PARAM_REQUEST_LIST";

  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const ParamRequestList&) const = default;
};

// One parameter: the answer to a request and to a change.
struct ParamValue {
  static constexpr std::uint32_t kId = 22;
  static constexpr std::uint8_t kCrcExtra = 220;
  static constexpr std::size_t kBaseLength = 25, kFullLength = 25;
  static constexpr const char* kName = "PARAM_VALUE";

  float param_value = 0;  // bits of the value, in the encoding of the autopilot
  std::uint16_t param_count = 0;  // number of parameters
  std::uint16_t param_index = 0;  // 65535: not in the list
  std::array<char, 16> param_id{};  // name; no zero at its end when it has 16 characters
  std::uint8_t param_type = 0;  // MAV_PARAM_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param_value);
    f(s.param_count);
    f(s.param_index);
    f(s.param_id);
    f(s.param_type);
  }
  bool operator==(const ParamValue&) const = default;
};

// Changes one parameter; the receiver answers with PARAM_VALUE.
struct ParamSet {
  static constexpr std::uint32_t kId = 23;
  static constexpr std::uint8_t kCrcExtra = 168;
  static constexpr std::size_t kBaseLength = 23, kFullLength = 23;
  static constexpr const char* kName = "PARAM_SET";

  float param_value = 0;  // bits of the value, in the encoding of the autopilot
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::array<char, 16> param_id{};  // name; no zero at its end when it has 16 characters
  std::uint8_t param_type = 0;  // MAV_PARAM_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param_value);
    f(s.target_system);
    f(s.target_component);
    f(s.param_id);
    f(s.param_type);
  }
  bool operator==(const ParamSet&) const = default;
};

// Position as the satellite receiver measured it.
struct GpsRawInt {
  static constexpr std::uint32_t kId = 24;
  static constexpr std::uint8_t kCrcExtra = 24;
  static constexpr std::size_t kBaseLength = 30, kFullLength = 52;
  static constexpr const char* kName = "GPS_RAW_INT";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm: altitude above mean sea level
  std::uint16_t eph = 0;  // HDOP times 100, 65535: unknown
  std::uint16_t epv = 0;  // VDOP times 100, 65535: unknown
  std::uint16_t vel = 0;  // cm/s: speed over ground, 65535: unknown
  std::uint16_t cog = 0;  // 0.01 deg: course over ground 0..35999, 65535: unknown
  std::uint8_t fix_type = 0;  // GPS_FIX_TYPE
  std::uint8_t satellites_visible = 0;  // 255: unknown
  std::int32_t alt_ellipsoid = 0;  // extension; mm: altitude above the WGS 84 ellipsoid
  std::uint32_t h_acc = 0;  // extension; mm: standard deviation
  std::uint32_t v_acc = 0;  // extension; mm: standard deviation
  std::uint32_t vel_acc = 0;  // extension; mm/s: standard deviation
  std::uint32_t hdg_acc = 0;  // extension; 1e-5 deg: standard deviation
  std::uint16_t yaw = 0;  // extension; 0.01 deg: 0: not provided, 36000: north

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.eph);
    f(s.epv);
    f(s.vel);
    f(s.cog);
    f(s.fix_type);
    f(s.satellites_visible);
    f(s.alt_ellipsoid);
    f(s.h_acc);
    f(s.v_acc);
    f(s.vel_acc);
    f(s.hdg_acc);
    f(s.yaw);
  }
  bool operator==(const GpsRawInt&) const = default;
};

// Inertial and magnetic measurement in small integers.
struct ScaledImu {
  static constexpr std::uint32_t kId = 26;
  static constexpr std::uint8_t kCrcExtra = 170;
  static constexpr std::size_t kBaseLength = 22, kFullLength = 24;
  static constexpr const char* kName = "SCALED_IMU";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::int16_t xacc = 0;  // 0.001 g: body x
  std::int16_t yacc = 0;  // 0.001 g: body y
  std::int16_t zacc = 0;  // 0.001 g: body z
  std::int16_t xgyro = 0;  // mrad/s: body x
  std::int16_t ygyro = 0;  // mrad/s: body y
  std::int16_t zgyro = 0;  // mrad/s: body z
  std::int16_t xmag = 0;  // mG: body x
  std::int16_t ymag = 0;  // mG: body y
  std::int16_t zmag = 0;  // mG: body z
  std::int16_t temperature = 0;  // extension; 0.01 degC: 0: not provided

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.xacc);
    f(s.yacc);
    f(s.zacc);
    f(s.xgyro);
    f(s.ygyro);
    f(s.zgyro);
    f(s.xmag);
    f(s.ymag);
    f(s.zmag);
    f(s.temperature);
  }
  bool operator==(const ScaledImu&) const = default;
};

// Inertial and magnetic measurement in counts of the sensor.
struct RawImu {
  static constexpr std::uint32_t kId = 27;
  static constexpr std::uint8_t kCrcExtra = 144;
  static constexpr std::size_t kBaseLength = 26, kFullLength = 29;
  static constexpr const char* kName = "RAW_IMU";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::int16_t xacc = 0;  // body x
  std::int16_t yacc = 0;  // body y
  std::int16_t zacc = 0;  // body z
  std::int16_t xgyro = 0;  // body x
  std::int16_t ygyro = 0;  // body y
  std::int16_t zgyro = 0;  // body z
  std::int16_t xmag = 0;  // body x
  std::int16_t ymag = 0;  // body y
  std::int16_t zmag = 0;  // body z
  std::uint8_t id = 0;  // extension; number of the sensor
  std::int16_t temperature = 0;  // extension; 0.01 degC: 0: not provided

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.xacc);
    f(s.yacc);
    f(s.zacc);
    f(s.xgyro);
    f(s.ygyro);
    f(s.zgyro);
    f(s.xmag);
    f(s.ymag);
    f(s.zmag);
    f(s.id);
    f(s.temperature);
  }
  bool operator==(const RawImu&) const = default;
};

// Pressure and temperature of the barometer and the airspeed sensor.
struct ScaledPressure {
  static constexpr std::uint32_t kId = 29;
  static constexpr std::uint8_t kCrcExtra = 115;
  static constexpr std::size_t kBaseLength = 14, kFullLength = 16;
  static constexpr const char* kName = "SCALED_PRESSURE";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float press_abs = 0;  // hPa: static
  float press_diff = 0;  // hPa: dynamic
  std::int16_t temperature = 0;  // 0.01 degC: temperature of the barometer
  std::int16_t temperature_press_diff = 0;  // extension; 0.01 degC: temperature of the airspeed sensor, 0: not provided

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.press_abs);
    f(s.press_diff);
    f(s.temperature);
    f(s.temperature_press_diff);
  }
  bool operator==(const ScaledPressure&) const = default;
};

// Attitude as Euler angles, NED to body FRD.
struct Attitude {
  static constexpr std::uint32_t kId = 30;
  static constexpr std::uint8_t kCrcExtra = 39;
  static constexpr std::size_t kBaseLength = 28, kFullLength = 28;
  static constexpr const char* kName = "ATTITUDE";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float roll = 0;  // rad: -pi..pi
  float pitch = 0;  // rad: -pi/2..pi/2
  float yaw = 0;  // rad: -pi..pi, clockwise from north
  float rollspeed = 0;  // rad/s: body x
  float pitchspeed = 0;  // rad/s: body y
  float yawspeed = 0;  // rad/s: body z

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.roll);
    f(s.pitch);
    f(s.yaw);
    f(s.rollspeed);
    f(s.pitchspeed);
    f(s.yawspeed);
  }
  bool operator==(const Attitude&) const = default;
};

// Attitude as a quaternion, body FRD to NED.
struct AttitudeQuaternion {
  static constexpr std::uint32_t kId = 31;
  static constexpr std::uint8_t kCrcExtra = 246;
  static constexpr std::size_t kBaseLength = 32, kFullLength = 48;
  static constexpr const char* kName = "ATTITUDE_QUATERNION";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float q1 = 0;  // w
  float q2 = 0;  // x
  float q3 = 0;  // y
  float q4 = 0;  // z
  float rollspeed = 0;  // rad/s: body x
  float pitchspeed = 0;  // rad/s: body y
  float yawspeed = 0;  // rad/s: body z
  std::array<float, 4> repr_offset_q{};  // extension; w x y z: turn to apply before showing the attitude, all 0: none

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.q1);
    f(s.q2);
    f(s.q3);
    f(s.q4);
    f(s.rollspeed);
    f(s.pitchspeed);
    f(s.yawspeed);
    f(s.repr_offset_q);
  }
  bool operator==(const AttitudeQuaternion&) const = default;
};

// Estimated position and velocity in the local frame.
struct LocalPositionNed {
  static constexpr std::uint32_t kId = 32;
  static constexpr std::uint8_t kCrcExtra = 185;
  static constexpr std::size_t kBaseLength = 28, kFullLength = 28;
  static constexpr const char* kName = "LOCAL_POSITION_NED";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float x = 0;  // m: north
  float y = 0;  // m: east
  float z = 0;  // m: down
  float vx = 0;  // m/s: north
  float vy = 0;  // m/s: east
  float vz = 0;  // m/s: down

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.vx);
    f(s.vy);
    f(s.vz);
  }
  bool operator==(const LocalPositionNed&) const = default;
};

// Estimated position and velocity on the globe.
struct GlobalPositionInt {
  static constexpr std::uint32_t kId = 33;
  static constexpr std::uint8_t kCrcExtra = 104;
  static constexpr std::size_t kBaseLength = 28, kFullLength = 28;
  static constexpr const char* kName = "GLOBAL_POSITION_INT";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm: altitude above mean sea level
  std::int32_t relative_alt = 0;  // mm: altitude above home
  std::int16_t vx = 0;  // cm/s: north
  std::int16_t vy = 0;  // cm/s: east
  std::int16_t vz = 0;  // cm/s: down
  std::uint16_t hdg = 0;  // 0.01 deg: nose direction 0..35999, 65535: unknown

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.relative_alt);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.hdg);
  }
  bool operator==(const GlobalPositionInt&) const = default;
};

// Eight channels of a remote control.
struct RcChannelsRaw {
  static constexpr std::uint32_t kId = 35;
  static constexpr std::uint8_t kCrcExtra = 244;
  static constexpr std::size_t kBaseLength = 22, kFullLength = 22;
  static constexpr const char* kName = "RC_CHANNELS_RAW";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::uint16_t chan1_raw = 0;  // us: 65535: unused
  std::uint16_t chan2_raw = 0;  // us: 65535: unused
  std::uint16_t chan3_raw = 0;  // us: 65535: unused
  std::uint16_t chan4_raw = 0;  // us: 65535: unused
  std::uint16_t chan5_raw = 0;  // us: 65535: unused
  std::uint16_t chan6_raw = 0;  // us: 65535: unused
  std::uint16_t chan7_raw = 0;  // us: 65535: unused
  std::uint16_t chan8_raw = 0;  // us: 65535: unused
  std::uint8_t port = 0;  // group of eight channels
  std::uint8_t rssi = 0;  // signal strength 0..254, 255: unknown

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.chan1_raw);
    f(s.chan2_raw);
    f(s.chan3_raw);
    f(s.chan4_raw);
    f(s.chan5_raw);
    f(s.chan6_raw);
    f(s.chan7_raw);
    f(s.chan8_raw);
    f(s.port);
    f(s.rssi);
  }
  bool operator==(const RcChannelsRaw&) const = default;
};

// Pulse widths at the servo and motor outputs.
struct ServoOutputRaw {
  static constexpr std::uint32_t kId = 36;
  static constexpr std::uint8_t kCrcExtra = 222;
  static constexpr std::size_t kBaseLength = 21, kFullLength = 37;
  static constexpr const char* kName = "SERVO_OUTPUT_RAW";

  std::uint32_t time_usec = 0;  // us: time since start, low 32 bits
  std::uint16_t servo1_raw = 0;  // us
  std::uint16_t servo2_raw = 0;  // us
  std::uint16_t servo3_raw = 0;  // us
  std::uint16_t servo4_raw = 0;  // us
  std::uint16_t servo5_raw = 0;  // us
  std::uint16_t servo6_raw = 0;  // us
  std::uint16_t servo7_raw = 0;  // us
  std::uint16_t servo8_raw = 0;  // us
  std::uint8_t port = 0;  // group of outputs
  std::uint16_t servo9_raw = 0;  // extension; us
  std::uint16_t servo10_raw = 0;  // extension; us
  std::uint16_t servo11_raw = 0;  // extension; us
  std::uint16_t servo12_raw = 0;  // extension; us
  std::uint16_t servo13_raw = 0;  // extension; us
  std::uint16_t servo14_raw = 0;  // extension; us
  std::uint16_t servo15_raw = 0;  // extension; us
  std::uint16_t servo16_raw = 0;  // extension; us

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.servo1_raw);
    f(s.servo2_raw);
    f(s.servo3_raw);
    f(s.servo4_raw);
    f(s.servo5_raw);
    f(s.servo6_raw);
    f(s.servo7_raw);
    f(s.servo8_raw);
    f(s.port);
    f(s.servo9_raw);
    f(s.servo10_raw);
    f(s.servo11_raw);
    f(s.servo12_raw);
    f(s.servo13_raw);
    f(s.servo14_raw);
    f(s.servo15_raw);
    f(s.servo16_raw);
  }
  bool operator==(const ServoOutputRaw&) const = default;
};

// Announces that a part of a plan is written anew.
struct MissionWritePartialList {
  static constexpr std::uint32_t kId = 38;
  static constexpr std::uint8_t kCrcExtra = 9;
  static constexpr std::size_t kBaseLength = 6, kFullLength = 7;
  static constexpr const char* kName = "MISSION_WRITE_PARTIAL_LIST";

  std::int16_t start_index = 0;  // first item
  std::int16_t end_index = 0;  // last item, -1: to the end
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.start_index);
    f(s.end_index);
    f(s.target_system);
    f(s.target_component);
    f(s.mission_type);
  }
  bool operator==(const MissionWritePartialList&) const = default;
};

// One item of a plan with the position in floats; superseded by MISSION_ITEM_INT.
struct MissionItem {
  static constexpr std::uint32_t kId = 39;
  static constexpr std::uint8_t kCrcExtra = 254;
  static constexpr std::size_t kBaseLength = 37, kFullLength = 38;
  static constexpr const char* kName = "MISSION_ITEM";

  float param1 = 0;  // meaning set by the command
  float param2 = 0;  // meaning set by the command
  float param3 = 0;  // meaning set by the command
  float param4 = 0;  // meaning set by the command
  float x = 0;  // latitude in deg, or local x in m
  float y = 0;  // longitude in deg, or local y in m
  float z = 0;  // altitude in m, or local z in m
  std::uint16_t seq = 0;  // index of the item
  std::uint16_t command = 0;  // MAV_CMD
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t frame = 0;  // MAV_FRAME
  std::uint8_t current = 0;  // 1: the vehicle goes there first
  std::uint8_t autocontinue = 0;  // 1: go on to the next item
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param1);
    f(s.param2);
    f(s.param3);
    f(s.param4);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.seq);
    f(s.command);
    f(s.target_system);
    f(s.target_component);
    f(s.frame);
    f(s.current);
    f(s.autocontinue);
    f(s.mission_type);
  }
  bool operator==(const MissionItem&) const = default;
};

// Asks for an item as MISSION_ITEM; superseded by MISSION_REQUEST_INT.
struct MissionRequest {
  static constexpr std::uint32_t kId = 40;
  static constexpr std::uint8_t kCrcExtra = 230;
  static constexpr std::size_t kBaseLength = 4, kFullLength = 5;
  static constexpr const char* kName = "MISSION_REQUEST";

  std::uint16_t seq = 0;  // index of the item
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.seq);
    f(s.target_system);
    f(s.target_component);
    f(s.mission_type);
  }
  bool operator==(const MissionRequest&) const = default;
};

// Makes an item the current one; superseded by a command.
struct MissionSetCurrent {
  static constexpr std::uint32_t kId = 41;
  static constexpr std::uint8_t kCrcExtra = 28;
  static constexpr std::size_t kBaseLength = 4, kFullLength = 4;
  static constexpr const char* kName = "MISSION_SET_CURRENT";

  std::uint16_t seq = 0;  // index of the item
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.seq);
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const MissionSetCurrent&) const = default;
};

// Tells which item the vehicle is heading for.
struct MissionCurrent {
  static constexpr std::uint32_t kId = 42;
  static constexpr std::uint8_t kCrcExtra = 28;
  static constexpr std::size_t kBaseLength = 2, kFullLength = 18;
  static constexpr const char* kName = "MISSION_CURRENT";

  std::uint16_t seq = 0;  // index of the item
  std::uint16_t total = 0;  // extension; items without home, 0: unknown, 65535: none
  std::uint8_t mission_state = 0;  // extension; MISSION_STATE
  std::uint8_t mission_mode = 0;  // extension; 0: unknown, 1: in a mode that follows the plan, 2: not
  std::uint32_t mission_id = 0;  // extension; opaque id of the mission, 0: not given
  std::uint32_t fence_id = 0;  // extension; opaque id of the fence, 0: not given
  std::uint32_t rally_points_id = 0;  // extension; opaque id of the rally points, 0: not given

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.seq);
    f(s.total);
    f(s.mission_state);
    f(s.mission_mode);
    f(s.mission_id);
    f(s.fence_id);
    f(s.rally_points_id);
  }
  bool operator==(const MissionCurrent&) const = default;
};

// Asks how many items a plan has.
struct MissionRequestList {
  static constexpr std::uint32_t kId = 43;
  static constexpr std::uint8_t kCrcExtra = 132;
  static constexpr std::size_t kBaseLength = 2, kFullLength = 3;
  static constexpr const char* kName = "MISSION_REQUEST_LIST";

  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.target_system);
    f(s.target_component);
    f(s.mission_type);
  }
  bool operator==(const MissionRequestList&) const = default;
};

// Number of items of a plan: the answer to a request, or the start of an upload.
struct MissionCount {
  static constexpr std::uint32_t kId = 44;
  static constexpr std::uint8_t kCrcExtra = 221;
  static constexpr std::size_t kBaseLength = 4, kFullLength = 9;
  static constexpr const char* kName = "MISSION_COUNT";

  std::uint16_t count = 0;  // number of items
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE
  std::uint32_t opaque_id = 0;  // extension; checksum or number of the plan, 0: not given

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.count);
    f(s.target_system);
    f(s.target_component);
    f(s.mission_type);
    f(s.opaque_id);
  }
  bool operator==(const MissionCount&) const = default;
};

// Deletes a plan.
struct MissionClearAll {
  static constexpr std::uint32_t kId = 45;
  static constexpr std::uint8_t kCrcExtra = 232;
  static constexpr std::size_t kBaseLength = 2, kFullLength = 3;
  static constexpr const char* kName = "MISSION_CLEAR_ALL";

  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.target_system);
    f(s.target_component);
    f(s.mission_type);
  }
  bool operator==(const MissionClearAll&) const = default;
};

// Tells that an item was reached.
struct MissionItemReached {
  static constexpr std::uint32_t kId = 46;
  static constexpr std::uint8_t kCrcExtra = 11;
  static constexpr std::size_t kBaseLength = 2, kFullLength = 2;
  static constexpr const char* kName = "MISSION_ITEM_REACHED";

  std::uint16_t seq = 0;  // index of the item

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.seq);
  }
  bool operator==(const MissionItemReached&) const = default;
};

// End of a transfer of a plan, or why it failed.
struct MissionAck {
  static constexpr std::uint32_t kId = 47;
  static constexpr std::uint8_t kCrcExtra = 153;
  static constexpr std::size_t kBaseLength = 3, kFullLength = 8;
  static constexpr const char* kName = "MISSION_ACK";

  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t type = 0;  // MAV_MISSION_RESULT
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE
  std::uint32_t opaque_id = 0;  // extension; checksum or number of the plan, 0: not given

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.target_system);
    f(s.target_component);
    f(s.type);
    f(s.mission_type);
    f(s.opaque_id);
  }
  bool operator==(const MissionAck&) const = default;
};

// Sets the point on the globe where the local frame begins.
struct SetGpsGlobalOrigin {
  static constexpr std::uint32_t kId = 48;
  static constexpr std::uint8_t kCrcExtra = 41;
  static constexpr std::size_t kBaseLength = 13, kFullLength = 21;
  static constexpr const char* kName = "SET_GPS_GLOBAL_ORIGIN";

  std::int32_t latitude = 0;  // 1e-7 deg
  std::int32_t longitude = 0;  // 1e-7 deg
  std::int32_t altitude = 0;  // mm: altitude above mean sea level
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint64_t time_usec = 0;  // extension; us: time since start or since 1970 (UTC)

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.latitude);
    f(s.longitude);
    f(s.altitude);
    f(s.target_system);
    f(s.time_usec);
  }
  bool operator==(const SetGpsGlobalOrigin&) const = default;
};

// Point on the globe where the local frame begins.
struct GpsGlobalOrigin {
  static constexpr std::uint32_t kId = 49;
  static constexpr std::uint8_t kCrcExtra = 39;
  static constexpr std::size_t kBaseLength = 12, kFullLength = 20;
  static constexpr const char* kName = "GPS_GLOBAL_ORIGIN";

  std::int32_t latitude = 0;  // 1e-7 deg
  std::int32_t longitude = 0;  // 1e-7 deg
  std::int32_t altitude = 0;  // mm: altitude above mean sea level
  std::uint64_t time_usec = 0;  // extension; us: time since start or since 1970 (UTC)

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.latitude);
    f(s.longitude);
    f(s.altitude);
    f(s.time_usec);
  }
  bool operator==(const GpsGlobalOrigin&) const = default;
};

// Asks for an item as MISSION_ITEM_INT.
struct MissionRequestInt {
  static constexpr std::uint32_t kId = 51;
  static constexpr std::uint8_t kCrcExtra = 196;
  static constexpr std::size_t kBaseLength = 4, kFullLength = 5;
  static constexpr const char* kName = "MISSION_REQUEST_INT";

  std::uint16_t seq = 0;  // index of the item
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.seq);
    f(s.target_system);
    f(s.target_component);
    f(s.mission_type);
  }
  bool operator==(const MissionRequestInt&) const = default;
};

// Up to 18 channels of a remote control.
struct RcChannels {
  static constexpr std::uint32_t kId = 65;
  static constexpr std::uint8_t kCrcExtra = 118;
  static constexpr std::size_t kBaseLength = 42, kFullLength = 42;
  static constexpr const char* kName = "RC_CHANNELS";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::uint16_t chan1_raw = 0;  // us: 65535: unused
  std::uint16_t chan2_raw = 0;  // us: 65535: unused
  std::uint16_t chan3_raw = 0;  // us: 65535: unused
  std::uint16_t chan4_raw = 0;  // us: 65535: unused
  std::uint16_t chan5_raw = 0;  // us: 65535: unused
  std::uint16_t chan6_raw = 0;  // us: 65535: unused
  std::uint16_t chan7_raw = 0;  // us: 65535: unused
  std::uint16_t chan8_raw = 0;  // us: 65535: unused
  std::uint16_t chan9_raw = 0;  // us: 65535: unused
  std::uint16_t chan10_raw = 0;  // us: 65535: unused
  std::uint16_t chan11_raw = 0;  // us: 65535: unused
  std::uint16_t chan12_raw = 0;  // us: 65535: unused
  std::uint16_t chan13_raw = 0;  // us: 65535: unused
  std::uint16_t chan14_raw = 0;  // us: 65535: unused
  std::uint16_t chan15_raw = 0;  // us: 65535: unused
  std::uint16_t chan16_raw = 0;  // us: 65535: unused
  std::uint16_t chan17_raw = 0;  // us: 65535: unused
  std::uint16_t chan18_raw = 0;  // us: 65535: unused
  std::uint8_t chancount = 0;  // channels in use
  std::uint8_t rssi = 0;  // signal strength 0..254, 255: unknown

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.chan1_raw);
    f(s.chan2_raw);
    f(s.chan3_raw);
    f(s.chan4_raw);
    f(s.chan5_raw);
    f(s.chan6_raw);
    f(s.chan7_raw);
    f(s.chan8_raw);
    f(s.chan9_raw);
    f(s.chan10_raw);
    f(s.chan11_raw);
    f(s.chan12_raw);
    f(s.chan13_raw);
    f(s.chan14_raw);
    f(s.chan15_raw);
    f(s.chan16_raw);
    f(s.chan17_raw);
    f(s.chan18_raw);
    f(s.chancount);
    f(s.rssi);
  }
  bool operator==(const RcChannels&) const = default;
};

// Sets the rate of a group of messages; superseded by SET_MESSAGE_INTERVAL.
struct RequestDataStream {
  static constexpr std::uint32_t kId = 66;
  static constexpr std::uint8_t kCrcExtra = 148;
  static constexpr std::size_t kBaseLength = 6, kFullLength = 6;
  static constexpr const char* kName = "REQUEST_DATA_STREAM";

  std::uint16_t req_message_rate = 0;  // Hz
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t req_stream_id = 0;  // MAV_DATA_STREAM
  std::uint8_t start_stop = 0;  // 1: send, 0: stop

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.req_message_rate);
    f(s.target_system);
    f(s.target_component);
    f(s.req_stream_id);
    f(s.start_stop);
  }
  bool operator==(const RequestDataStream&) const = default;
};

// Joystick axes, -1000..1000; 32767: axis not in use.
struct ManualControl {
  static constexpr std::uint32_t kId = 69;
  static constexpr std::uint8_t kCrcExtra = 243;
  static constexpr std::size_t kBaseLength = 11, kFullLength = 30;
  static constexpr const char* kName = "MANUAL_CONTROL";

  std::int16_t x = 0;  // forward
  std::int16_t y = 0;  // right
  std::int16_t z = 0;  // thrust
  std::int16_t r = 0;  // turn clockwise
  std::uint16_t buttons = 0;  // bits 0..15
  std::uint8_t target = 0;  // system that is controlled
  std::uint16_t buttons2 = 0;  // extension; bits 16..31
  std::uint8_t enabled_extensions = 0;  // extension; bit 0: s, bit 1: t, bits 2..7: aux1..aux6
  std::int16_t s = 0;  // extension; pitch
  std::int16_t t = 0;  // extension; roll
  std::int16_t aux1 = 0;  // extension; free
  std::int16_t aux2 = 0;  // extension; free
  std::int16_t aux3 = 0;  // extension; free
  std::int16_t aux4 = 0;  // extension; free
  std::int16_t aux5 = 0;  // extension; free
  std::int16_t aux6 = 0;  // extension; free

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.r);
    f(s.buttons);
    f(s.target);
    f(s.buttons2);
    f(s.enabled_extensions);
    f(s.s);
    f(s.t);
    f(s.aux1);
    f(s.aux2);
    f(s.aux3);
    f(s.aux4);
    f(s.aux5);
    f(s.aux6);
  }
  bool operator==(const ManualControl&) const = default;
};

// Replaces channels of the remote control.
struct RcChannelsOverride {
  static constexpr std::uint32_t kId = 70;
  static constexpr std::uint8_t kCrcExtra = 124;
  static constexpr std::size_t kBaseLength = 18, kFullLength = 38;
  static constexpr const char* kName = "RC_CHANNELS_OVERRIDE";

  std::uint16_t chan1_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan2_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan3_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan4_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan5_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan6_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan7_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint16_t chan8_raw = 0;  // us: 65535: leave, 0: give back to the remote control
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint16_t chan9_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan10_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan11_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan12_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan13_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan14_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan15_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan16_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan17_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control
  std::uint16_t chan18_raw = 0;  // extension; us: 0 or 65535: leave, 65534: give back to the remote control

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.chan1_raw);
    f(s.chan2_raw);
    f(s.chan3_raw);
    f(s.chan4_raw);
    f(s.chan5_raw);
    f(s.chan6_raw);
    f(s.chan7_raw);
    f(s.chan8_raw);
    f(s.target_system);
    f(s.target_component);
    f(s.chan9_raw);
    f(s.chan10_raw);
    f(s.chan11_raw);
    f(s.chan12_raw);
    f(s.chan13_raw);
    f(s.chan14_raw);
    f(s.chan15_raw);
    f(s.chan16_raw);
    f(s.chan17_raw);
    f(s.chan18_raw);
  }
  bool operator==(const RcChannelsOverride&) const = default;
};

// One item of a plan with the position in integers.
struct MissionItemInt {
  static constexpr std::uint32_t kId = 73;
  static constexpr std::uint8_t kCrcExtra = 38;
  static constexpr std::size_t kBaseLength = 37, kFullLength = 38;
  static constexpr const char* kName = "MISSION_ITEM_INT";

  float param1 = 0;  // meaning set by the command
  float param2 = 0;  // meaning set by the command
  float param3 = 0;  // meaning set by the command
  float param4 = 0;  // meaning set by the command
  std::int32_t x = 0;  // latitude in 1e-7 deg, or local x in 1e-4 m
  std::int32_t y = 0;  // longitude in 1e-7 deg, or local y in 1e-4 m
  float z = 0;  // altitude in m, or local z in m
  std::uint16_t seq = 0;  // index of the item
  std::uint16_t command = 0;  // MAV_CMD
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t frame = 0;  // MAV_FRAME
  std::uint8_t current = 0;  // 1: the vehicle goes there first
  std::uint8_t autocontinue = 0;  // 1: go on to the next item
  std::uint8_t mission_type = 0;  // extension; MAV_MISSION_TYPE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param1);
    f(s.param2);
    f(s.param3);
    f(s.param4);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.seq);
    f(s.command);
    f(s.target_system);
    f(s.target_component);
    f(s.frame);
    f(s.current);
    f(s.autocontinue);
    f(s.mission_type);
  }
  bool operator==(const MissionItemInt&) const = default;
};

// Figures of a pilot's head-up display.
struct VfrHud {
  static constexpr std::uint32_t kId = 74;
  static constexpr std::uint8_t kCrcExtra = 20;
  static constexpr std::size_t kBaseLength = 20, kFullLength = 20;
  static constexpr const char* kName = "VFR_HUD";

  float airspeed = 0;  // m/s: calibrated or indicated
  float groundspeed = 0;  // m/s
  float alt = 0;  // m: altitude above mean sea level
  float climb = 0;  // m/s: climb rate, positive upwards
  std::int16_t heading = 0;  // deg: 0..360, 0: north
  std::uint16_t throttle = 0;  // %: 0..100

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.airspeed);
    f(s.groundspeed);
    f(s.alt);
    f(s.climb);
    f(s.heading);
    f(s.throttle);
  }
  bool operator==(const VfrHud&) const = default;
};

// Command whose position is in integers of a stated frame.
struct CommandInt {
  static constexpr std::uint32_t kId = 75;
  static constexpr std::uint8_t kCrcExtra = 158;
  static constexpr std::size_t kBaseLength = 35, kFullLength = 35;
  static constexpr const char* kName = "COMMAND_INT";

  float param1 = 0;  // meaning set by the command
  float param2 = 0;  // meaning set by the command
  float param3 = 0;  // meaning set by the command
  float param4 = 0;  // meaning set by the command
  std::int32_t x = 0;  // param5: latitude in 1e-7 deg, or local x in 1e-4 m
  std::int32_t y = 0;  // param6: longitude in 1e-7 deg, or local y in 1e-4 m
  float z = 0;  // param7: altitude in m, or local z in m
  std::uint16_t command = 0;  // MAV_CMD
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t frame = 0;  // MAV_FRAME
  std::uint8_t current = 0;  // not used
  std::uint8_t autocontinue = 0;  // not used

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param1);
    f(s.param2);
    f(s.param3);
    f(s.param4);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.command);
    f(s.target_system);
    f(s.target_component);
    f(s.frame);
    f(s.current);
    f(s.autocontinue);
  }
  bool operator==(const CommandInt&) const = default;
};

// Command with seven floats.
struct CommandLong {
  static constexpr std::uint32_t kId = 76;
  static constexpr std::uint8_t kCrcExtra = 152;
  static constexpr std::size_t kBaseLength = 33, kFullLength = 33;
  static constexpr const char* kName = "COMMAND_LONG";

  float param1 = 0;  // meaning set by the command
  float param2 = 0;  // meaning set by the command
  float param3 = 0;  // meaning set by the command
  float param4 = 0;  // meaning set by the command
  float param5 = 0;  // meaning set by the command
  float param6 = 0;  // meaning set by the command
  float param7 = 0;  // meaning set by the command
  std::uint16_t command = 0;  // MAV_CMD
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t confirmation = 0;  // 0: first transmission, then counted up

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.param1);
    f(s.param2);
    f(s.param3);
    f(s.param4);
    f(s.param5);
    f(s.param6);
    f(s.param7);
    f(s.command);
    f(s.target_system);
    f(s.target_component);
    f(s.confirmation);
  }
  bool operator==(const CommandLong&) const = default;
};

// Outcome of a command.
struct CommandAck {
  static constexpr std::uint32_t kId = 77;
  static constexpr std::uint8_t kCrcExtra = 143;
  static constexpr std::size_t kBaseLength = 3, kFullLength = 10;
  static constexpr const char* kName = "COMMAND_ACK";

  std::uint16_t command = 0;  // MAV_CMD
  std::uint8_t result = 0;  // MAV_RESULT
  std::uint8_t progress = 0;  // extension; %: percent when in progress, 255: unknown
  std::int32_t result_param2 = 0;  // extension; further outcome, set by the command
  std::uint8_t target_system = 0;  // extension; system that sent the command
  std::uint8_t target_component = 0;  // extension; component that sent the command

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.command);
    f(s.result);
    f(s.progress);
    f(s.result_param2);
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const CommandAck&) const = default;
};

// Setpoint for attitude or body rates, and thrust.
struct SetAttitudeTarget {
  static constexpr std::uint32_t kId = 82;
  static constexpr std::uint8_t kCrcExtra = 49;
  static constexpr std::size_t kBaseLength = 39, kFullLength = 51;
  static constexpr const char* kName = "SET_ATTITUDE_TARGET";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::array<float, 4> q{};  // w x y z, body FRD to NED
  float body_roll_rate = 0;  // rad/s: body x
  float body_pitch_rate = 0;  // rad/s: body y
  float body_yaw_rate = 0;  // rad/s: body z
  float thrust = 0;  // 0..1, or -1..1 where reverse is possible
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t type_mask = 0;  // ATTITUDE_TARGET_TYPEMASK
  std::array<float, 3> thrust_body{};  // extension; -1..1 along body x y z

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.q);
    f(s.body_roll_rate);
    f(s.body_pitch_rate);
    f(s.body_yaw_rate);
    f(s.thrust);
    f(s.target_system);
    f(s.target_component);
    f(s.type_mask);
    f(s.thrust_body);
  }
  bool operator==(const SetAttitudeTarget&) const = default;
};

// Attitude setpoint that the vehicle follows.
struct AttitudeTarget {
  static constexpr std::uint32_t kId = 83;
  static constexpr std::uint8_t kCrcExtra = 22;
  static constexpr std::size_t kBaseLength = 37, kFullLength = 37;
  static constexpr const char* kName = "ATTITUDE_TARGET";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::array<float, 4> q{};  // w x y z, body FRD to NED
  float body_roll_rate = 0;  // rad/s: body x
  float body_pitch_rate = 0;  // rad/s: body y
  float body_yaw_rate = 0;  // rad/s: body z
  float thrust = 0;  // 0..1, or -1..1 where reverse is possible
  std::uint8_t type_mask = 0;  // ATTITUDE_TARGET_TYPEMASK

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.q);
    f(s.body_roll_rate);
    f(s.body_pitch_rate);
    f(s.body_yaw_rate);
    f(s.thrust);
    f(s.type_mask);
  }
  bool operator==(const AttitudeTarget&) const = default;
};

// Setpoint for position, velocity or acceleration in a local frame.
struct SetPositionTargetLocalNed {
  static constexpr std::uint32_t kId = 84;
  static constexpr std::uint8_t kCrcExtra = 143;
  static constexpr std::size_t kBaseLength = 53, kFullLength = 53;
  static constexpr const char* kName = "SET_POSITION_TARGET_LOCAL_NED";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float x = 0;  // m: north
  float y = 0;  // m: east
  float z = 0;  // m: down
  float vx = 0;  // m/s: north
  float vy = 0;  // m/s: east
  float vz = 0;  // m/s: down
  float afx = 0;  // m/s2: north; a force in N when the mask says so
  float afy = 0;  // m/s2: east; a force in N when the mask says so
  float afz = 0;  // m/s2: down; a force in N when the mask says so
  float yaw = 0;  // rad: clockwise from north
  float yaw_rate = 0;  // rad/s
  std::uint16_t type_mask = 0;  // POSITION_TARGET_TYPEMASK
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t coordinate_frame = 0;  // MAV_FRAME

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.afx);
    f(s.afy);
    f(s.afz);
    f(s.yaw);
    f(s.yaw_rate);
    f(s.type_mask);
    f(s.target_system);
    f(s.target_component);
    f(s.coordinate_frame);
  }
  bool operator==(const SetPositionTargetLocalNed&) const = default;
};

// Position setpoint in a local frame that the vehicle follows.
struct PositionTargetLocalNed {
  static constexpr std::uint32_t kId = 85;
  static constexpr std::uint8_t kCrcExtra = 140;
  static constexpr std::size_t kBaseLength = 51, kFullLength = 51;
  static constexpr const char* kName = "POSITION_TARGET_LOCAL_NED";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float x = 0;  // m: north
  float y = 0;  // m: east
  float z = 0;  // m: down
  float vx = 0;  // m/s: north
  float vy = 0;  // m/s: east
  float vz = 0;  // m/s: down
  float afx = 0;  // m/s2: north; a force in N when the mask says so
  float afy = 0;  // m/s2: east; a force in N when the mask says so
  float afz = 0;  // m/s2: down; a force in N when the mask says so
  float yaw = 0;  // rad: clockwise from north
  float yaw_rate = 0;  // rad/s
  std::uint16_t type_mask = 0;  // POSITION_TARGET_TYPEMASK
  std::uint8_t coordinate_frame = 0;  // MAV_FRAME

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.afx);
    f(s.afy);
    f(s.afz);
    f(s.yaw);
    f(s.yaw_rate);
    f(s.type_mask);
    f(s.coordinate_frame);
  }
  bool operator==(const PositionTargetLocalNed&) const = default;
};

// Setpoint for position, velocity or acceleration on the globe.
struct SetPositionTargetGlobalInt {
  static constexpr std::uint32_t kId = 86;
  static constexpr std::uint8_t kCrcExtra = 5;
  static constexpr std::size_t kBaseLength = 53, kFullLength = 53;
  static constexpr const char* kName = "SET_POSITION_TARGET_GLOBAL_INT";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::int32_t lat_int = 0;  // 1e-7 deg
  std::int32_t lon_int = 0;  // 1e-7 deg
  float alt = 0;  // m: meaning set by the frame
  float vx = 0;  // m/s: north
  float vy = 0;  // m/s: east
  float vz = 0;  // m/s: down
  float afx = 0;  // m/s2: north; a force in N when the mask says so
  float afy = 0;  // m/s2: east; a force in N when the mask says so
  float afz = 0;  // m/s2: down; a force in N when the mask says so
  float yaw = 0;  // rad: clockwise from north
  float yaw_rate = 0;  // rad/s
  std::uint16_t type_mask = 0;  // POSITION_TARGET_TYPEMASK
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t coordinate_frame = 0;  // MAV_FRAME

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.lat_int);
    f(s.lon_int);
    f(s.alt);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.afx);
    f(s.afy);
    f(s.afz);
    f(s.yaw);
    f(s.yaw_rate);
    f(s.type_mask);
    f(s.target_system);
    f(s.target_component);
    f(s.coordinate_frame);
  }
  bool operator==(const SetPositionTargetGlobalInt&) const = default;
};

// Position setpoint on the globe that the vehicle follows.
struct PositionTargetGlobalInt {
  static constexpr std::uint32_t kId = 87;
  static constexpr std::uint8_t kCrcExtra = 150;
  static constexpr std::size_t kBaseLength = 51, kFullLength = 51;
  static constexpr const char* kName = "POSITION_TARGET_GLOBAL_INT";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::int32_t lat_int = 0;  // 1e-7 deg
  std::int32_t lon_int = 0;  // 1e-7 deg
  float alt = 0;  // m: meaning set by the frame
  float vx = 0;  // m/s: north
  float vy = 0;  // m/s: east
  float vz = 0;  // m/s: down
  float afx = 0;  // m/s2: north; a force in N when the mask says so
  float afy = 0;  // m/s2: east; a force in N when the mask says so
  float afz = 0;  // m/s2: down; a force in N when the mask says so
  float yaw = 0;  // rad: clockwise from north
  float yaw_rate = 0;  // rad/s
  std::uint16_t type_mask = 0;  // POSITION_TARGET_TYPEMASK
  std::uint8_t coordinate_frame = 0;  // MAV_FRAME

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.lat_int);
    f(s.lon_int);
    f(s.alt);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.afx);
    f(s.afy);
    f(s.afz);
    f(s.yaw);
    f(s.yaw_rate);
    f(s.type_mask);
    f(s.coordinate_frame);
  }
  bool operator==(const PositionTargetGlobalInt&) const = default;
};

// Controls for a simulator; superseded by HIL_ACTUATOR_CONTROLS.
struct HilControls {
  static constexpr std::uint32_t kId = 91;
  static constexpr std::uint8_t kCrcExtra = 63;
  static constexpr std::size_t kBaseLength = 42, kFullLength = 42;
  static constexpr const char* kName = "HIL_CONTROLS";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float roll_ailerons = 0;  // -1..1
  float pitch_elevator = 0;  // -1..1
  float yaw_rudder = 0;  // -1..1
  float throttle = 0;  // 0..1
  float aux1 = 0;  // -1..1
  float aux2 = 0;  // -1..1
  float aux3 = 0;  // -1..1
  float aux4 = 0;  // -1..1
  std::uint8_t mode = 0;  // MAV_MODE
  std::uint8_t nav_mode = 0;  // mode of the autopilot

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.roll_ailerons);
    f(s.pitch_elevator);
    f(s.yaw_rudder);
    f(s.throttle);
    f(s.aux1);
    f(s.aux2);
    f(s.aux3);
    f(s.aux4);
    f(s.mode);
    f(s.nav_mode);
  }
  bool operator==(const HilControls&) const = default;
};

// Remote control channels from a simulator.
struct HilRcInputsRaw {
  static constexpr std::uint32_t kId = 92;
  static constexpr std::uint8_t kCrcExtra = 54;
  static constexpr std::size_t kBaseLength = 33, kFullLength = 33;
  static constexpr const char* kName = "HIL_RC_INPUTS_RAW";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::uint16_t chan1_raw = 0;  // us
  std::uint16_t chan2_raw = 0;  // us
  std::uint16_t chan3_raw = 0;  // us
  std::uint16_t chan4_raw = 0;  // us
  std::uint16_t chan5_raw = 0;  // us
  std::uint16_t chan6_raw = 0;  // us
  std::uint16_t chan7_raw = 0;  // us
  std::uint16_t chan8_raw = 0;  // us
  std::uint16_t chan9_raw = 0;  // us
  std::uint16_t chan10_raw = 0;  // us
  std::uint16_t chan11_raw = 0;  // us
  std::uint16_t chan12_raw = 0;  // us
  std::uint8_t rssi = 0;  // signal strength 0..254, 255: unknown

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.chan1_raw);
    f(s.chan2_raw);
    f(s.chan3_raw);
    f(s.chan4_raw);
    f(s.chan5_raw);
    f(s.chan6_raw);
    f(s.chan7_raw);
    f(s.chan8_raw);
    f(s.chan9_raw);
    f(s.chan10_raw);
    f(s.chan11_raw);
    f(s.chan12_raw);
    f(s.rssi);
  }
  bool operator==(const HilRcInputsRaw&) const = default;
};

// Actuator commands for a simulator.
struct HilActuatorControls {
  static constexpr std::uint32_t kId = 93;
  static constexpr std::uint8_t kCrcExtra = 47;
  static constexpr std::size_t kBaseLength = 81, kFullLength = 81;
  static constexpr const char* kName = "HIL_ACTUATOR_CONTROLS";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::uint64_t flags = 0;  // bit 0: the autopilot runs in lockstep
  std::array<float, 16> controls{};  // -1..1, or 0..1 for motors that turn one way
  std::uint8_t mode = 0;  // MAV_MODE_FLAG

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.flags);
    f(s.controls);
    f(s.mode);
  }
  bool operator==(const HilActuatorControls&) const = default;
};

// Pose in the local frame from a camera.
struct VisionPositionEstimate {
  static constexpr std::uint32_t kId = 102;
  static constexpr std::uint8_t kCrcExtra = 158;
  static constexpr std::size_t kBaseLength = 32, kFullLength = 117;
  static constexpr const char* kName = "VISION_POSITION_ESTIMATE";

  std::uint64_t usec = 0;  // us: time since start or since 1970 (UTC)
  float x = 0;  // m: north
  float y = 0;  // m: east
  float z = 0;  // m: down
  float roll = 0;  // rad
  float pitch = 0;  // rad
  float yaw = 0;  // rad
  std::array<float, 21> covariance{};  // extension; upper triangle of 6 x 6 (x y z roll pitch yaw), first NaN: unknown
  std::uint8_t reset_counter = 0;  // extension; counts jumps of the estimate

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.usec);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.roll);
    f(s.pitch);
    f(s.yaw);
    f(s.covariance);
    f(s.reset_counter);
  }
  bool operator==(const VisionPositionEstimate&) const = default;
};

// Inertial, magnetic and pressure measurement in SI units.
struct HighresImu {
  static constexpr std::uint32_t kId = 105;
  static constexpr std::uint8_t kCrcExtra = 93;
  static constexpr std::size_t kBaseLength = 62, kFullLength = 63;
  static constexpr const char* kName = "HIGHRES_IMU";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float xacc = 0;  // m/s2: body x
  float yacc = 0;  // m/s2: body y
  float zacc = 0;  // m/s2: body z
  float xgyro = 0;  // rad/s: body x
  float ygyro = 0;  // rad/s: body y
  float zgyro = 0;  // rad/s: body z
  float xmag = 0;  // G: body x
  float ymag = 0;  // G: body y
  float zmag = 0;  // G: body z
  float abs_pressure = 0;  // hPa: static
  float diff_pressure = 0;  // hPa: dynamic
  float pressure_alt = 0;  // altitude computed from the pressure, m
  float temperature = 0;  // degC
  std::uint16_t fields_updated = 0;  // bit per field from xacc on that is new
  std::uint8_t id = 0;  // extension; number of the sensor

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.xacc);
    f(s.yacc);
    f(s.zacc);
    f(s.xgyro);
    f(s.ygyro);
    f(s.zgyro);
    f(s.xmag);
    f(s.ymag);
    f(s.zmag);
    f(s.abs_pressure);
    f(s.diff_pressure);
    f(s.pressure_alt);
    f(s.temperature);
    f(s.fields_updated);
    f(s.id);
  }
  bool operator==(const HighresImu&) const = default;
};

// Integrated flow of an optical sensor.
struct OpticalFlowRad {
  static constexpr std::uint32_t kId = 106;
  static constexpr std::uint8_t kCrcExtra = 138;
  static constexpr std::size_t kBaseLength = 44, kFullLength = 44;
  static constexpr const char* kName = "OPTICAL_FLOW_RAD";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::uint32_t integration_time_us = 0;  // us: time that the integrals cover
  float integrated_x = 0;  // rad: flow about body x
  float integrated_y = 0;  // rad: flow about body y
  float integrated_xgyro = 0;  // rad: turn about body x
  float integrated_ygyro = 0;  // rad: turn about body y
  float integrated_zgyro = 0;  // rad: turn about body z
  std::uint32_t time_delta_distance_us = 0;  // us: age of the distance
  float distance = 0;  // m: distance to the ground; positive: known, 0: unknown, negative: not usable
  std::int16_t temperature = 0;  // 0.01 degC
  std::uint8_t sensor_id = 0;  // number of the sensor
  std::uint8_t quality = 0;  // 0: bad, 255: best

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.integration_time_us);
    f(s.integrated_x);
    f(s.integrated_y);
    f(s.integrated_xgyro);
    f(s.integrated_ygyro);
    f(s.integrated_zgyro);
    f(s.time_delta_distance_us);
    f(s.distance);
    f(s.temperature);
    f(s.sensor_id);
    f(s.quality);
  }
  bool operator==(const OpticalFlowRad&) const = default;
};

// Inertial, magnetic and pressure measurement from a simulator.
struct HilSensor {
  static constexpr std::uint32_t kId = 107;
  static constexpr std::uint8_t kCrcExtra = 108;
  static constexpr std::size_t kBaseLength = 64, kFullLength = 65;
  static constexpr const char* kName = "HIL_SENSOR";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float xacc = 0;  // m/s2: body x
  float yacc = 0;  // m/s2: body y
  float zacc = 0;  // m/s2: body z
  float xgyro = 0;  // rad/s: body x
  float ygyro = 0;  // rad/s: body y
  float zgyro = 0;  // rad/s: body z
  float xmag = 0;  // G: body x
  float ymag = 0;  // G: body y
  float zmag = 0;  // G: body z
  float abs_pressure = 0;  // hPa: static
  float diff_pressure = 0;  // hPa: dynamic
  float pressure_alt = 0;  // altitude computed from the pressure, m
  float temperature = 0;  // degC
  std::uint32_t fields_updated = 0;  // HIL_SENSOR_UPDATED_FLAGS
  std::uint8_t id = 0;  // extension; number of the sensor

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.xacc);
    f(s.yacc);
    f(s.zacc);
    f(s.xgyro);
    f(s.ygyro);
    f(s.zgyro);
    f(s.xmag);
    f(s.ymag);
    f(s.zmag);
    f(s.abs_pressure);
    f(s.diff_pressure);
    f(s.pressure_alt);
    f(s.temperature);
    f(s.fields_updated);
    f(s.id);
  }
  bool operator==(const HilSensor&) const = default;
};

// True state of a simulated vehicle.
struct SimState {
  static constexpr std::uint32_t kId = 108;
  static constexpr std::uint8_t kCrcExtra = 32;
  static constexpr std::size_t kBaseLength = 84, kFullLength = 92;
  static constexpr const char* kName = "SIM_STATE";

  float q1 = 0;  // w
  float q2 = 0;  // x
  float q3 = 0;  // y
  float q4 = 0;  // z
  float roll = 0;  // rad
  float pitch = 0;  // rad
  float yaw = 0;  // rad
  float xacc = 0;  // m/s2: body x
  float yacc = 0;  // m/s2: body y
  float zacc = 0;  // m/s2: body z
  float xgyro = 0;  // rad/s: body x
  float ygyro = 0;  // rad/s: body y
  float zgyro = 0;  // rad/s: body z
  float lat = 0;  // deg: resolution about 1 m
  float lon = 0;  // deg: resolution about 1 m
  float alt = 0;  // m: altitude above mean sea level
  float std_dev_horz = 0;  // horizontal, m
  float std_dev_vert = 0;  // vertical, m
  float vn = 0;  // m/s: north
  float ve = 0;  // m/s: east
  float vd = 0;  // m/s: down
  std::int32_t lat_int = 0;  // extension; 1e-7 deg: 0: not provided
  std::int32_t lon_int = 0;  // extension; 1e-7 deg: 0: not provided

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.q1);
    f(s.q2);
    f(s.q3);
    f(s.q4);
    f(s.roll);
    f(s.pitch);
    f(s.yaw);
    f(s.xacc);
    f(s.yacc);
    f(s.zacc);
    f(s.xgyro);
    f(s.ygyro);
    f(s.zgyro);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.std_dev_horz);
    f(s.std_dev_vert);
    f(s.vn);
    f(s.ve);
    f(s.vd);
    f(s.lat_int);
    f(s.lon_int);
  }
  bool operator==(const SimState&) const = default;
};

// One packet of the file transfer protocol.
struct FileTransferProtocol {
  static constexpr std::uint32_t kId = 110;
  static constexpr std::uint8_t kCrcExtra = 84;
  static constexpr std::size_t kBaseLength = 254, kFullLength = 254;
  static constexpr const char* kName = "FILE_TRANSFER_PROTOCOL";

  std::uint8_t target_network = 0;  // 0: all
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::array<std::uint8_t, 251> payload{};  // packet of the file transfer protocol, variable length

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.target_network);
    f(s.target_system);
    f(s.target_component);
    f(s.payload);
  }
  bool operator==(const FileTransferProtocol&) const = default;
};

// Two-way measurement of a clock offset.
struct Timesync {
  static constexpr std::uint32_t kId = 111;
  static constexpr std::uint8_t kCrcExtra = 34;
  static constexpr std::size_t kBaseLength = 16, kFullLength = 18;
  static constexpr const char* kName = "TIMESYNC";

  std::int64_t tc1 = 0;  // ns: 0: request; in an answer, clock of the answering side
  std::int64_t ts1 = 0;  // ns: clock of the asking side, sent back unchanged
  std::uint8_t target_system = 0;  // extension; system that the message is for, 0: all
  std::uint8_t target_component = 0;  // extension; component that the message is for, 0: all

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.tc1);
    f(s.ts1);
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const Timesync&) const = default;
};

// Satellite position from a simulator.
struct HilGps {
  static constexpr std::uint32_t kId = 113;
  static constexpr std::uint8_t kCrcExtra = 124;
  static constexpr std::size_t kBaseLength = 36, kFullLength = 39;
  static constexpr const char* kName = "HIL_GPS";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm: altitude above mean sea level
  std::uint16_t eph = 0;  // HDOP times 100, 65535: unknown
  std::uint16_t epv = 0;  // VDOP times 100, 65535: unknown
  std::uint16_t vel = 0;  // cm/s: speed over ground, 65535: unknown
  std::int16_t vn = 0;  // cm/s: north
  std::int16_t ve = 0;  // cm/s: east
  std::int16_t vd = 0;  // cm/s: down
  std::uint16_t cog = 0;  // 0.01 deg: course over ground 0..35999, 65535: unknown
  std::uint8_t fix_type = 0;  // GPS_FIX_TYPE
  std::uint8_t satellites_visible = 0;  // 255: unknown
  std::uint8_t id = 0;  // extension; number of the receiver
  std::uint16_t yaw = 0;  // extension; 0.01 deg: 0: not provided, 36000: north

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.eph);
    f(s.epv);
    f(s.vel);
    f(s.vn);
    f(s.ve);
    f(s.vd);
    f(s.cog);
    f(s.fix_type);
    f(s.satellites_visible);
    f(s.id);
    f(s.yaw);
  }
  bool operator==(const HilGps&) const = default;
};

// Integrated flow from a simulator.
struct HilOpticalFlow {
  static constexpr std::uint32_t kId = 114;
  static constexpr std::uint8_t kCrcExtra = 237;
  static constexpr std::size_t kBaseLength = 44, kFullLength = 44;
  static constexpr const char* kName = "HIL_OPTICAL_FLOW";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::uint32_t integration_time_us = 0;  // us: time that the integrals cover
  float integrated_x = 0;  // rad: flow about body x
  float integrated_y = 0;  // rad: flow about body y
  float integrated_xgyro = 0;  // rad: turn about body x
  float integrated_ygyro = 0;  // rad: turn about body y
  float integrated_zgyro = 0;  // rad: turn about body z
  std::uint32_t time_delta_distance_us = 0;  // us: age of the distance
  float distance = 0;  // m: distance to the ground; positive: known, 0: unknown, negative: not usable
  std::int16_t temperature = 0;  // 0.01 degC
  std::uint8_t sensor_id = 0;  // number of the sensor
  std::uint8_t quality = 0;  // 0: bad, 255: best

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.integration_time_us);
    f(s.integrated_x);
    f(s.integrated_y);
    f(s.integrated_xgyro);
    f(s.integrated_ygyro);
    f(s.integrated_zgyro);
    f(s.time_delta_distance_us);
    f(s.distance);
    f(s.temperature);
    f(s.sensor_id);
    f(s.quality);
  }
  bool operator==(const HilOpticalFlow&) const = default;
};

// True state for hardware in the loop.
struct HilStateQuaternion {
  static constexpr std::uint32_t kId = 115;
  static constexpr std::uint8_t kCrcExtra = 4;
  static constexpr std::size_t kBaseLength = 64, kFullLength = 64;
  static constexpr const char* kName = "HIL_STATE_QUATERNION";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<float, 4> attitude_quaternion{};  // w x y z, body FRD to NED
  float rollspeed = 0;  // rad/s: body x
  float pitchspeed = 0;  // rad/s: body y
  float yawspeed = 0;  // rad/s: body z
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm: altitude above mean sea level
  std::int16_t vx = 0;  // cm/s: north
  std::int16_t vy = 0;  // cm/s: east
  std::int16_t vz = 0;  // cm/s: down
  std::uint16_t ind_airspeed = 0;  // cm/s: indicated
  std::uint16_t true_airspeed = 0;  // cm/s: true
  std::int16_t xacc = 0;  // 0.001 g: body x
  std::int16_t yacc = 0;  // 0.001 g: body y
  std::int16_t zacc = 0;  // 0.001 g: body z

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.attitude_quaternion);
    f(s.rollspeed);
    f(s.pitchspeed);
    f(s.yawspeed);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.ind_airspeed);
    f(s.true_airspeed);
    f(s.xacc);
    f(s.yacc);
    f(s.zacc);
  }
  bool operator==(const HilStateQuaternion&) const = default;
};

// Position as the second satellite receiver measured it.
struct Gps2Raw {
  static constexpr std::uint32_t kId = 124;
  static constexpr std::uint8_t kCrcExtra = 87;
  static constexpr std::size_t kBaseLength = 35, kFullLength = 57;
  static constexpr const char* kName = "GPS2_RAW";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm: altitude above mean sea level
  std::uint32_t dgps_age = 0;  // ms: age of the corrections
  std::uint16_t eph = 0;  // HDOP times 100, 65535: unknown
  std::uint16_t epv = 0;  // VDOP times 100, 65535: unknown
  std::uint16_t vel = 0;  // cm/s: speed over ground, 65535: unknown
  std::uint16_t cog = 0;  // 0.01 deg: course over ground 0..35999, 65535: unknown
  std::uint8_t fix_type = 0;  // GPS_FIX_TYPE
  std::uint8_t satellites_visible = 0;  // 255: unknown
  std::uint8_t dgps_numch = 0;  // differential corrections in use
  std::uint16_t yaw = 0;  // extension; 0.01 deg: 0: not provided, 36000: north
  std::int32_t alt_ellipsoid = 0;  // extension; mm: altitude above the WGS 84 ellipsoid
  std::uint32_t h_acc = 0;  // extension; mm: standard deviation
  std::uint32_t v_acc = 0;  // extension; mm: standard deviation
  std::uint32_t vel_acc = 0;  // extension; mm/s: standard deviation
  std::uint32_t hdg_acc = 0;  // extension; 1e-5 deg: standard deviation

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.dgps_age);
    f(s.eph);
    f(s.epv);
    f(s.vel);
    f(s.cog);
    f(s.fix_type);
    f(s.satellites_visible);
    f(s.dgps_numch);
    f(s.yaw);
    f(s.alt_ellipsoid);
    f(s.h_acc);
    f(s.v_acc);
    f(s.vel_acc);
    f(s.hdg_acc);
  }
  bool operator==(const Gps2Raw&) const = default;
};

// Distance from one range finder.
struct DistanceSensor {
  static constexpr std::uint32_t kId = 132;
  static constexpr std::uint8_t kCrcExtra = 85;
  static constexpr std::size_t kBaseLength = 14, kFullLength = 39;
  static constexpr const char* kName = "DISTANCE_SENSOR";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::uint16_t min_distance = 0;  // cm
  std::uint16_t max_distance = 0;  // cm
  std::uint16_t current_distance = 0;  // cm
  std::uint8_t type = 0;  // 0 laser, 1 ultrasound, 2 infrared, 3 radar, 4 unknown
  std::uint8_t id = 0;  // number of the sensor
  std::uint8_t orientation = 0;  // MAV_SENSOR_ORIENTATION: 0 forward, 25 down, 100 by the quaternion
  std::uint8_t covariance = 0;  // cm2: 255: unknown
  float horizontal_fov = 0;  // extension; rad: 0: unknown
  float vertical_fov = 0;  // extension; rad: 0: unknown
  std::array<float, 4> quaternion{};  // extension; w x y z of the sensor in the body frame
  std::uint8_t signal_quality = 0;  // extension; %: 0: unknown, 1: invalid

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.min_distance);
    f(s.max_distance);
    f(s.current_distance);
    f(s.type);
    f(s.id);
    f(s.orientation);
    f(s.covariance);
    f(s.horizontal_fov);
    f(s.vertical_fov);
    f(s.quaternion);
    f(s.signal_quality);
  }
  bool operator==(const DistanceSensor&) const = default;
};

// Pose from a motion capture system.
struct AttPosMocap {
  static constexpr std::uint32_t kId = 138;
  static constexpr std::uint8_t kCrcExtra = 109;
  static constexpr std::size_t kBaseLength = 36, kFullLength = 120;
  static constexpr const char* kName = "ATT_POS_MOCAP";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<float, 4> q{};  // w x y z
  float x = 0;  // m: north
  float y = 0;  // m: east
  float z = 0;  // m: down
  std::array<float, 21> covariance{};  // extension; upper triangle of 6 x 6 (x y z roll pitch yaw), first NaN: unknown

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.q);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.covariance);
  }
  bool operator==(const AttPosMocap&) const = default;
};

// Sets the controls of the mixer directly.
struct SetActuatorControlTarget {
  static constexpr std::uint32_t kId = 139;
  static constexpr std::uint8_t kCrcExtra = 168;
  static constexpr std::size_t kBaseLength = 43, kFullLength = 43;
  static constexpr const char* kName = "SET_ACTUATOR_CONTROL_TARGET";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<float, 8> controls{};  // -1..1
  std::uint8_t group_mlx = 0;  // group of the mixer
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.controls);
    f(s.group_mlx);
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const SetActuatorControlTarget&) const = default;
};

// Controls that the mixer uses.
struct ActuatorControlTarget {
  static constexpr std::uint32_t kId = 140;
  static constexpr std::uint8_t kCrcExtra = 181;
  static constexpr std::size_t kBaseLength = 41, kFullLength = 41;
  static constexpr const char* kName = "ACTUATOR_CONTROL_TARGET";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<float, 8> controls{};  // -1..1
  std::uint8_t group_mlx = 0;  // group of the mixer

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.controls);
    f(s.group_mlx);
  }
  bool operator==(const ActuatorControlTarget&) const = default;
};

// Altitude in several references at once.
struct Altitude {
  static constexpr std::uint32_t kId = 141;
  static constexpr std::uint8_t kCrcExtra = 47;
  static constexpr std::size_t kBaseLength = 32, kFullLength = 32;
  static constexpr const char* kName = "ALTITUDE";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float altitude_monotonic = 0;  // m: altitude that never jumps
  float altitude_amsl = 0;  // m: altitude above mean sea level
  float altitude_local = 0;  // m: altitude above the origin of the local frame
  float altitude_relative = 0;  // m: altitude above home
  float altitude_terrain = 0;  // m: terrain height above mean sea level
  float bottom_clearance = 0;  // m: height above ground or water, -1: unknown

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.altitude_monotonic);
    f(s.altitude_amsl);
    f(s.altitude_local);
    f(s.altitude_relative);
    f(s.altitude_terrain);
    f(s.bottom_clearance);
  }
  bool operator==(const Altitude&) const = default;
};

// State of a target that vehicles follow.
struct FollowTarget {
  static constexpr std::uint32_t kId = 144;
  static constexpr std::uint8_t kCrcExtra = 127;
  static constexpr std::size_t kBaseLength = 93, kFullLength = 93;
  static constexpr const char* kName = "FOLLOW_TARGET";

  std::uint64_t timestamp = 0;  // ms: time since start
  std::uint64_t custom_state = 0;  // free
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  float alt = 0;  // m: altitude above mean sea level
  std::array<float, 3> vel{};  // m/s: north east down
  std::array<float, 3> acc{};  // m/s2: north east down
  std::array<float, 4> attitude_q{};  // w x y z, all 0: unknown
  std::array<float, 3> rates{};  // rad/s, all 0: unknown
  std::array<float, 3> position_cov{};  // m2: standard errors of north east, and down
  std::uint8_t est_capabilities = 0;  // bit 0 position, 1 velocity, 2 acceleration, 3 attitude and rates

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.timestamp);
    f(s.custom_state);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.vel);
    f(s.acc);
    f(s.attitude_q);
    f(s.rates);
    f(s.position_cov);
    f(s.est_capabilities);
  }
  bool operator==(const FollowTarget&) const = default;
};

// State of one battery.
struct BatteryStatus {
  static constexpr std::uint32_t kId = 147;
  static constexpr std::uint8_t kCrcExtra = 154;
  static constexpr std::size_t kBaseLength = 36, kFullLength = 54;
  static constexpr const char* kName = "BATTERY_STATUS";

  std::int32_t current_consumed = 0;  // mAh: -1: unknown
  std::int32_t energy_consumed = 0;  // 100 J: -1: unknown
  std::int16_t temperature = 0;  // 0.01 degC: 32767: unknown
  std::array<std::uint16_t, 10> voltages{};  // mV: cells 1..10, 65535: not there
  std::int16_t current_battery = 0;  // 10 mA: -1: unknown
  std::uint8_t id = 0;  // number of the battery
  std::uint8_t battery_function = 0;  // MAV_BATTERY_FUNCTION
  std::uint8_t type = 0;  // MAV_BATTERY_TYPE
  std::int8_t battery_remaining = 0;  // %: -1: unknown
  std::int32_t time_remaining = 0;  // extension; s: 0: unknown
  std::uint8_t charge_state = 0;  // extension; MAV_BATTERY_CHARGE_STATE
  std::array<std::uint16_t, 4> voltages_ext{};  // extension; mV: cells 11..14, 0: not there
  std::uint8_t mode = 0;  // extension; MAV_BATTERY_MODE
  std::uint32_t fault_bitmask = 0;  // extension; MAV_BATTERY_FAULT bits

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.current_consumed);
    f(s.energy_consumed);
    f(s.temperature);
    f(s.voltages);
    f(s.current_battery);
    f(s.id);
    f(s.battery_function);
    f(s.type);
    f(s.battery_remaining);
    f(s.time_remaining);
    f(s.charge_state);
    f(s.voltages_ext);
    f(s.mode);
    f(s.fault_bitmask);
  }
  bool operator==(const BatteryStatus&) const = default;
};

// Versions and capabilities of the autopilot.
struct AutopilotVersion {
  static constexpr std::uint32_t kId = 148;
  static constexpr std::uint8_t kCrcExtra = 178;
  static constexpr std::size_t kBaseLength = 60, kFullLength = 78;
  static constexpr const char* kName = "AUTOPILOT_VERSION";

  std::uint64_t capabilities = 0;  // MAV_PROTOCOL_CAPABILITY
  std::uint64_t uid = 0;  // number of the hardware
  std::uint32_t flight_sw_version = 0;  // major, minor, patch, type: one byte each from the top
  std::uint32_t middleware_sw_version = 0;  // same layout as flight_sw_version
  std::uint32_t os_sw_version = 0;  // same layout as flight_sw_version
  std::uint32_t board_version = 0;  // hardware
  std::uint16_t vendor_id = 0;  // vendor of the board
  std::uint16_t product_id = 0;  // kind of the board
  std::array<std::uint8_t, 8> flight_custom_version{};  // start of a revision hash
  std::array<std::uint8_t, 8> middleware_custom_version{};  // start of a revision hash
  std::array<std::uint8_t, 8> os_custom_version{};  // start of a revision hash
  std::array<std::uint8_t, 18> uid2{};  // extension; number of the hardware, instead of uid when not all 0

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.capabilities);
    f(s.uid);
    f(s.flight_sw_version);
    f(s.middleware_sw_version);
    f(s.os_sw_version);
    f(s.board_version);
    f(s.vendor_id);
    f(s.product_id);
    f(s.flight_custom_version);
    f(s.middleware_custom_version);
    f(s.os_custom_version);
    f(s.uid2);
  }
  bool operator==(const AutopilotVersion&) const = default;
};

// Where a landing site is, seen from the vehicle.
struct LandingTarget {
  static constexpr std::uint32_t kId = 149;
  static constexpr std::uint8_t kCrcExtra = 200;
  static constexpr std::size_t kBaseLength = 30, kFullLength = 60;
  static constexpr const char* kName = "LANDING_TARGET";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float angle_x = 0;  // rad: angle from the centre of the image
  float angle_y = 0;  // rad: angle from the centre of the image
  float distance = 0;  // m: distance to the target
  float size_x = 0;  // rad: angle that the target fills
  float size_y = 0;  // rad: angle that the target fills
  std::uint8_t target_num = 0;  // number of the target
  std::uint8_t frame = 0;  // MAV_FRAME of x y z
  float x = 0;  // extension; m
  float y = 0;  // extension; m
  float z = 0;  // extension; m
  std::array<float, 4> q{};  // extension; w x y z of the target
  std::uint8_t type = 0;  // extension; 0 light beacon, 1 radio beacon, 2 marker in the image, 3 other
  std::uint8_t position_valid = 0;  // extension; 1: x y z and q are valid

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.angle_x);
    f(s.angle_y);
    f(s.distance);
    f(s.size_x);
    f(s.size_y);
    f(s.target_num);
    f(s.frame);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.q);
    f(s.type);
    f(s.position_valid);
  }
  bool operator==(const LandingTarget&) const = default;
};

// State of the geofence.
struct FenceStatus {
  static constexpr std::uint32_t kId = 162;
  static constexpr std::uint8_t kCrcExtra = 189;
  static constexpr std::size_t kBaseLength = 8, kFullLength = 9;
  static constexpr const char* kName = "FENCE_STATUS";

  std::uint32_t breach_time = 0;  // ms: time of the last breach since start
  std::uint16_t breach_count = 0;  // breaches since start
  std::uint8_t breach_status = 0;  // 0: inside, 1: outside
  std::uint8_t breach_type = 0;  // FENCE_BREACH
  std::uint8_t breach_mitigation = 0;  // extension; FENCE_MITIGATE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.breach_time);
    f(s.breach_count);
    f(s.breach_status);
    f(s.breach_type);
    f(s.breach_mitigation);
  }
  bool operator==(const FenceStatus&) const = default;
};

// Quality of the state estimate; a ratio above 1 rejects the measurement.
struct EstimatorStatus {
  static constexpr std::uint32_t kId = 230;
  static constexpr std::uint8_t kCrcExtra = 163;
  static constexpr std::size_t kBaseLength = 42, kFullLength = 42;
  static constexpr const char* kName = "ESTIMATOR_STATUS";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float vel_ratio = 0;  // test ratio of the velocity innovation
  float pos_horiz_ratio = 0;  // test ratio of the horizontal position innovation
  float pos_vert_ratio = 0;  // test ratio of the vertical position innovation
  float mag_ratio = 0;  // test ratio of the magnetic innovation
  float hagl_ratio = 0;  // test ratio of the height above ground innovation
  float tas_ratio = 0;  // test ratio of the true airspeed innovation
  float pos_horiz_accuracy = 0;  // m: standard deviation
  float pos_vert_accuracy = 0;  // m: standard deviation
  std::uint16_t flags = 0;  // ESTIMATOR_STATUS_FLAGS

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.vel_ratio);
    f(s.pos_horiz_ratio);
    f(s.pos_vert_ratio);
    f(s.mag_ratio);
    f(s.hagl_ratio);
    f(s.tas_ratio);
    f(s.pos_horiz_accuracy);
    f(s.pos_vert_accuracy);
    f(s.flags);
  }
  bool operator==(const EstimatorStatus&) const = default;
};

// Estimated wind; NaN: unknown.
struct WindCov {
  static constexpr std::uint32_t kId = 231;
  static constexpr std::uint8_t kCrcExtra = 105;
  static constexpr std::size_t kBaseLength = 40, kFullLength = 40;
  static constexpr const char* kName = "WIND_COV";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float wind_x = 0;  // m/s: towards north
  float wind_y = 0;  // m/s: towards east
  float wind_z = 0;  // m/s: towards down
  float var_horiz = 0;  // m/s: spread over 1 s windows
  float var_vert = 0;  // m/s: spread over 1 s windows
  float wind_alt = 0;  // m: altitude above mean sea level of this estimate
  float horiz_accuracy = 0;  // m/s: standard deviation
  float vert_accuracy = 0;  // m/s: standard deviation

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.wind_x);
    f(s.wind_y);
    f(s.wind_z);
    f(s.var_horiz);
    f(s.var_vert);
    f(s.wind_alt);
    f(s.horiz_accuracy);
    f(s.vert_accuracy);
  }
  bool operator==(const WindCov&) const = default;
};

// Satellite position that is fed into the autopilot.
struct GpsInput {
  static constexpr std::uint32_t kId = 232;
  static constexpr std::uint8_t kCrcExtra = 151;
  static constexpr std::size_t kBaseLength = 63, kFullLength = 65;
  static constexpr const char* kName = "GPS_INPUT";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::uint32_t time_week_ms = 0;  // ms: time since the start of the GPS week
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  float alt = 0;  // m: altitude above mean sea level
  float hdop = 0;  // 65535: unknown
  float vdop = 0;  // 65535: unknown
  float vn = 0;  // m/s: north
  float ve = 0;  // m/s: east
  float vd = 0;  // m/s: down
  float speed_accuracy = 0;  // m/s
  float horiz_accuracy = 0;  // m
  float vert_accuracy = 0;  // m
  std::uint16_t ignore_flags = 0;  // bit 0 altitude, 1 HDOP, 2 VDOP, 3 horizontal and 4 vertical velocity, 5 speed, 6 horizontal, 7 vertical accuracy
  std::uint16_t time_week = 0;  // GPS week
  std::uint8_t gps_id = 0;  // number of the receiver
  std::uint8_t fix_type = 0;  // 0..1 none, 2: 2D, 3: 3D, 4 with differential corrections, 5 RTK
  std::uint8_t satellites_visible = 0;  // 255: unknown
  std::uint16_t yaw = 0;  // extension; 0.01 deg: 0: not provided, 36000: north

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.time_week_ms);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.hdop);
    f(s.vdop);
    f(s.vn);
    f(s.ve);
    f(s.vd);
    f(s.speed_accuracy);
    f(s.horiz_accuracy);
    f(s.vert_accuracy);
    f(s.ignore_flags);
    f(s.time_week);
    f(s.gps_id);
    f(s.fix_type);
    f(s.satellites_visible);
    f(s.yaw);
  }
  bool operator==(const GpsInput&) const = default;
};

// Vibration levels and clipping of the accelerometers.
struct Vibration {
  static constexpr std::uint32_t kId = 241;
  static constexpr std::uint8_t kCrcExtra = 90;
  static constexpr std::size_t kBaseLength = 32, kFullLength = 32;
  static constexpr const char* kName = "VIBRATION";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float vibration_x = 0;  // m/s2
  float vibration_y = 0;  // m/s2
  float vibration_z = 0;  // m/s2
  std::uint32_t clipping_0 = 0;  // clipped samples of sensor 0
  std::uint32_t clipping_1 = 0;  // clipped samples of sensor 1
  std::uint32_t clipping_2 = 0;  // clipped samples of sensor 2

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.vibration_x);
    f(s.vibration_y);
    f(s.vibration_z);
    f(s.clipping_0);
    f(s.clipping_1);
    f(s.clipping_2);
  }
  bool operator==(const Vibration&) const = default;
};

// Where the vehicle returns to and lands.
struct HomePosition {
  static constexpr std::uint32_t kId = 242;
  static constexpr std::uint8_t kCrcExtra = 104;
  static constexpr std::size_t kBaseLength = 52, kFullLength = 60;
  static constexpr const char* kName = "HOME_POSITION";

  std::int32_t latitude = 0;  // 1e-7 deg
  std::int32_t longitude = 0;  // 1e-7 deg
  std::int32_t altitude = 0;  // mm: altitude above mean sea level
  float x = 0;  // m: north
  float y = 0;  // m: east
  float z = 0;  // m: down
  std::array<float, 4> q{};  // w x y z of the ground there, all NaN: unknown
  float approach_x = 0;  // m: last point before landing, north, NaN: unknown
  float approach_y = 0;  // m: east
  float approach_z = 0;  // m: down
  std::uint64_t time_usec = 0;  // extension; us: time since start or since 1970 (UTC)

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.latitude);
    f(s.longitude);
    f(s.altitude);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.q);
    f(s.approach_x);
    f(s.approach_y);
    f(s.approach_z);
    f(s.time_usec);
  }
  bool operator==(const HomePosition&) const = default;
};

// Time between two messages of one id.
struct MessageInterval {
  static constexpr std::uint32_t kId = 244;
  static constexpr std::uint8_t kCrcExtra = 95;
  static constexpr std::size_t kBaseLength = 6, kFullLength = 6;
  static constexpr const char* kName = "MESSAGE_INTERVAL";

  std::int32_t interval_us = 0;  // us: -1: off, 0: not available
  std::uint16_t message_id = 0;  // id of the message

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.interval_us);
    f(s.message_id);
  }
  bool operator==(const MessageInterval&) const = default;
};

// On the ground or in the air, and state of a transition.
struct ExtendedSysState {
  static constexpr std::uint32_t kId = 245;
  static constexpr std::uint8_t kCrcExtra = 130;
  static constexpr std::size_t kBaseLength = 2, kFullLength = 2;
  static constexpr const char* kName = "EXTENDED_SYS_STATE";

  std::uint8_t vtol_state = 0;  // MAV_VTOL_STATE
  std::uint8_t landed_state = 0;  // MAV_LANDED_STATE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.vtol_state);
    f(s.landed_state);
  }
  bool operator==(const ExtendedSysState&) const = default;
};

// Another aircraft, received over ADS-B.
struct AdsbVehicle {
  static constexpr std::uint32_t kId = 246;
  static constexpr std::uint8_t kCrcExtra = 184;
  static constexpr std::size_t kBaseLength = 38, kFullLength = 38;
  static constexpr const char* kName = "ADSB_VEHICLE";

  std::uint32_t ICAO_address = 0;  // 24 bit address
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t altitude = 0;  // mm: altitude in the reference of altitude_type
  std::uint16_t heading = 0;  // 0.01 deg: course over ground
  std::uint16_t hor_velocity = 0;  // cm/s: speed over ground
  std::int16_t ver_velocity = 0;  // cm/s: climb rate, positive upwards
  std::uint16_t flags = 0;  // bit 0 position, 1 altitude, 2 heading, 3 velocity, 4 callsign, 5 squawk valid; 6 simulated
  std::uint16_t squawk = 0;  // code of the transponder
  std::uint8_t altitude_type = 0;  // 0: from pressure, 1: from satellites
  std::array<char, 9> callsign{};  // 8 characters and a zero
  std::uint8_t emitter_type = 0;  // category of the aircraft
  std::uint8_t tslc = 0;  // s: time since the last reception

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.ICAO_address);
    f(s.lat);
    f(s.lon);
    f(s.altitude);
    f(s.heading);
    f(s.hor_velocity);
    f(s.ver_velocity);
    f(s.flags);
    f(s.squawk);
    f(s.altitude_type);
    f(s.callsign);
    f(s.emitter_type);
    f(s.tslc);
  }
  bool operator==(const AdsbVehicle&) const = default;
};

// Named vector for tuning and tests.
struct DebugVect {
  static constexpr std::uint32_t kId = 250;
  static constexpr std::uint8_t kCrcExtra = 49;
  static constexpr std::size_t kBaseLength = 30, kFullLength = 30;
  static constexpr const char* kName = "DEBUG_VECT";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float x = 0;
  float y = 0;
  float z = 0;
  std::array<char, 10> name{};  // name of the vector

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.name);
  }
  bool operator==(const DebugVect&) const = default;
};

// Named number for tuning and tests.
struct NamedValueFloat {
  static constexpr std::uint32_t kId = 251;
  static constexpr std::uint8_t kCrcExtra = 170;
  static constexpr std::size_t kBaseLength = 18, kFullLength = 18;
  static constexpr const char* kName = "NAMED_VALUE_FLOAT";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  float value = 0;
  std::array<char, 10> name{};  // name of the value

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.value);
    f(s.name);
  }
  bool operator==(const NamedValueFloat&) const = default;
};

// Text for the operator.
struct Statustext {
  static constexpr std::uint32_t kId = 253;
  static constexpr std::uint8_t kCrcExtra = 83;
  static constexpr std::size_t kBaseLength = 51, kFullLength = 54;
  static constexpr const char* kName = "STATUSTEXT";

  std::uint8_t severity = 0;  // MAV_SEVERITY
  std::array<char, 50> text{};  // no zero at its end when it has 50 characters
  std::uint16_t id = 0;  // extension; joins the parts of a longer text, 0: whole
  std::uint8_t chunk_seq = 0;  // extension; number of this part

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.severity);
    f(s.text);
    f(s.id);
    f(s.chunk_seq);
  }
  bool operator==(const Statustext&) const = default;
};

// Sets or clears the key for signed frames; never forwarded.
struct SetupSigning {
  static constexpr std::uint32_t kId = 256;
  static constexpr std::uint8_t kCrcExtra = 71;
  static constexpr std::size_t kBaseLength = 42, kFullLength = 42;
  static constexpr const char* kName = "SETUP_SIGNING";

  std::uint64_t initial_timestamp = 0;  // 10 us since 2015-01-01 (UTC)
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::array<std::uint8_t, 32> secret_key{};  // all 0: signing off

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.initial_timestamp);
    f(s.target_system);
    f(s.target_component);
    f(s.secret_key);
  }
  bool operator==(const SetupSigning&) const = default;
};

// Abilities of a gimbal.
struct GimbalManagerInformation {
  static constexpr std::uint32_t kId = 280;
  static constexpr std::uint8_t kCrcExtra = 70;
  static constexpr std::size_t kBaseLength = 33, kFullLength = 33;
  static constexpr const char* kName = "GIMBAL_MANAGER_INFORMATION";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::uint32_t cap_flags = 0;  // capabilities of the gimbal
  float roll_min = 0;  // rad: negative: left
  float roll_max = 0;  // rad: positive: right
  float pitch_min = 0;  // rad: negative: down
  float pitch_max = 0;  // rad: positive: up
  float yaw_min = 0;  // rad: negative: left
  float yaw_max = 0;  // rad: positive: right
  std::uint8_t gimbal_device_id = 0;  // component, or 1..6 for one without its own id

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.cap_flags);
    f(s.roll_min);
    f(s.roll_max);
    f(s.pitch_min);
    f(s.pitch_max);
    f(s.yaw_min);
    f(s.yaw_max);
    f(s.gimbal_device_id);
  }
  bool operator==(const GimbalManagerInformation&) const = default;
};

// Slow facts on up to four motor controllers.
struct EscInfo {
  static constexpr std::uint32_t kId = 290;
  static constexpr std::uint8_t kCrcExtra = 251;
  static constexpr std::size_t kBaseLength = 46, kFullLength = 46;
  static constexpr const char* kName = "ESC_INFO";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<std::uint32_t, 4> error_count{};  // errors since start
  std::uint16_t counter = 0;  // number of this message
  std::array<std::uint16_t, 4> failure_flags{};  // bit per fault
  std::array<std::int16_t, 4> temperature{};  // 0.01 degC: 32767: unknown
  std::uint8_t index = 0;  // index of the first of the four
  std::uint8_t count = 0;  // number of controllers
  std::uint8_t connection_type = 0;  // bus of the controllers
  std::uint8_t info = 0;  // bit per controller that is online

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.error_count);
    f(s.counter);
    f(s.failure_flags);
    f(s.temperature);
    f(s.index);
    f(s.count);
    f(s.connection_type);
    f(s.info);
  }
  bool operator==(const EscInfo&) const = default;
};

// Fast facts on up to four motor controllers.
struct EscStatus {
  static constexpr std::uint32_t kId = 291;
  static constexpr std::uint8_t kCrcExtra = 10;
  static constexpr std::size_t kBaseLength = 57, kFullLength = 57;
  static constexpr const char* kName = "ESC_STATUS";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<std::int32_t, 4> rpm{};  // rpm: speed, negative: reverse
  std::array<float, 4> voltage{};  // V
  std::array<float, 4> current{};  // A
  std::uint8_t index = 0;  // index of the first of the four

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.rpm);
    f(s.voltage);
    f(s.current);
    f(s.index);
  }
  bool operator==(const EscStatus&) const = default;
};

// Versions of MAVLink that a component understands, times 100.
struct ProtocolVersion {
  static constexpr std::uint32_t kId = 300;
  static constexpr std::uint8_t kCrcExtra = 217;
  static constexpr std::size_t kBaseLength = 22, kFullLength = 22;
  static constexpr const char* kName = "PROTOCOL_VERSION";

  std::uint16_t version = 0;  // version in use
  std::uint16_t min_version = 0;  // lowest version
  std::uint16_t max_version = 0;  // highest version
  std::array<std::uint8_t, 8> spec_version_hash{};  // start of a revision hash
  std::array<std::uint8_t, 8> library_version_hash{};  // start of a revision hash

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.version);
    f(s.min_version);
    f(s.max_version);
    f(s.spec_version_hash);
    f(s.library_version_hash);
  }
  bool operator==(const ProtocolVersion&) const = default;
};

// Distances to obstacles around the vehicle.
struct ObstacleDistance {
  static constexpr std::uint32_t kId = 330;
  static constexpr std::uint8_t kCrcExtra = 23;
  static constexpr std::size_t kBaseLength = 158, kFullLength = 167;
  static constexpr const char* kName = "OBSTACLE_DISTANCE";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  std::array<std::uint16_t, 72> distances{};  // cm: clockwise; above max_distance: nothing there, 65535: unknown
  std::uint16_t min_distance = 0;  // cm
  std::uint16_t max_distance = 0;  // cm
  std::uint8_t sensor_type = 0;  // 0 laser, 1 ultrasound, 2 infrared, 3 radar, 4 unknown
  std::uint8_t increment = 0;  // deg: angle between two entries
  float increment_f = 0;  // extension; deg: instead of increment when not 0
  float angle_offset = 0;  // extension; deg: direction of the first entry
  std::uint8_t frame = 0;  // extension; MAV_FRAME: direction 0 is north in GLOBAL, ahead in BODY_FRD

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.distances);
    f(s.min_distance);
    f(s.max_distance);
    f(s.sensor_type);
    f(s.increment);
    f(s.increment_f);
    f(s.angle_offset);
    f(s.frame);
  }
  bool operator==(const ObstacleDistance&) const = default;
};

// Pose and twist with covariance, for external estimators.
struct Odometry {
  static constexpr std::uint32_t kId = 331;
  static constexpr std::uint8_t kCrcExtra = 91;
  static constexpr std::size_t kBaseLength = 230, kFullLength = 233;
  static constexpr const char* kName = "ODOMETRY";

  std::uint64_t time_usec = 0;  // us: time since start or since 1970 (UTC)
  float x = 0;  // m
  float y = 0;  // m
  float z = 0;  // m
  std::array<float, 4> q{};  // w x y z
  float vx = 0;  // m/s
  float vy = 0;  // m/s
  float vz = 0;  // m/s
  float rollspeed = 0;  // rad/s: body x
  float pitchspeed = 0;  // rad/s: body y
  float yawspeed = 0;  // rad/s: body z
  std::array<float, 21> pose_covariance{};  // upper triangle of 6 x 6 (x y z roll pitch yaw), first NaN: unknown
  std::array<float, 21> velocity_covariance{};  // upper triangle of 6 x 6 (linear, angular), first NaN: unknown
  std::uint8_t frame_id = 0;  // MAV_FRAME of the pose
  std::uint8_t child_frame_id = 0;  // MAV_FRAME of the twist
  std::uint8_t reset_counter = 0;  // extension; counts jumps of the estimate
  std::uint8_t estimator_type = 0;  // extension; source of the estimate
  std::int8_t quality = 0;  // extension; %: 0: unknown, -1: failed, 1..100

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_usec);
    f(s.x);
    f(s.y);
    f(s.z);
    f(s.q);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.rollspeed);
    f(s.pitchspeed);
    f(s.yawspeed);
    f(s.pose_covariance);
    f(s.velocity_covariance);
    f(s.frame_id);
    f(s.child_frame_id);
    f(s.reset_counter);
    f(s.estimator_type);
    f(s.quality);
  }
  bool operator==(const Odometry&) const = default;
};

// Speed of one rotating shaft.
struct RawRpm {
  static constexpr std::uint32_t kId = 339;
  static constexpr std::uint8_t kCrcExtra = 199;
  static constexpr std::size_t kBaseLength = 5, kFullLength = 5;
  static constexpr const char* kName = "RAW_RPM";

  float frequency = 0;  // rpm
  std::uint8_t index = 0;  // number of the sensor

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.frequency);
    f(s.index);
  }
  bool operator==(const RawRpm&) const = default;
};

// Position report for traffic management.
struct UtmGlobalPosition {
  static constexpr std::uint32_t kId = 340;
  static constexpr std::uint8_t kCrcExtra = 99;
  static constexpr std::size_t kBaseLength = 70, kFullLength = 70;
  static constexpr const char* kName = "UTM_GLOBAL_POSITION";

  std::uint64_t time = 0;  // us: time since 1970 (UTC)
  std::int32_t lat = 0;  // 1e-7 deg
  std::int32_t lon = 0;  // 1e-7 deg
  std::int32_t alt = 0;  // mm: altitude above the WGS 84 ellipsoid
  std::int32_t relative_alt = 0;  // mm: altitude above ground
  std::int32_t next_lat = 0;  // 1e-7 deg: next waypoint
  std::int32_t next_lon = 0;  // 1e-7 deg: next waypoint
  std::int32_t next_alt = 0;  // mm: next waypoint, above the WGS 84 ellipsoid
  std::int16_t vx = 0;  // cm/s: north
  std::int16_t vy = 0;  // cm/s: east
  std::int16_t vz = 0;  // cm/s: down
  std::uint16_t h_acc = 0;  // mm: standard deviation
  std::uint16_t v_acc = 0;  // mm: standard deviation
  std::uint16_t vel_acc = 0;  // cm/s: standard deviation
  std::uint16_t update_rate = 0;  // 0.01 s: time to the next report
  std::array<std::uint8_t, 18> uas_id{};  // number of the aircraft
  std::uint8_t flight_state = 0;  // 1 unknown, 2 ground, 3 airborne, 16 emergency, 32 no control
  std::uint8_t flags = 0;  // bit per group of fields that is valid

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time);
    f(s.lat);
    f(s.lon);
    f(s.alt);
    f(s.relative_alt);
    f(s.next_lat);
    f(s.next_lon);
    f(s.next_alt);
    f(s.vx);
    f(s.vy);
    f(s.vz);
    f(s.h_acc);
    f(s.v_acc);
    f(s.vel_acc);
    f(s.update_rate);
    f(s.uas_id);
    f(s.flight_state);
    f(s.flags);
  }
  bool operator==(const UtmGlobalPosition&) const = default;
};

// Addresses of descriptions of a component; superseded by COMPONENT_METADATA.
struct ComponentInformation {
  static constexpr std::uint32_t kId = 395;
  static constexpr std::uint8_t kCrcExtra = 0;
  static constexpr std::size_t kBaseLength = 212, kFullLength = 212;
  static constexpr const char* kName = "COMPONENT_INFORMATION";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::uint32_t general_metadata_file_crc = 0;  // CRC-32 of the file
  std::uint32_t peripherals_metadata_file_crc = 0;  // CRC-32 of the file
  std::array<char, 100> general_metadata_uri{};  // address of the general description
  std::array<char, 100> peripherals_metadata_uri{};  // address of the description of the peripherals, may be empty

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.general_metadata_file_crc);
    f(s.peripherals_metadata_file_crc);
    f(s.general_metadata_uri);
    f(s.peripherals_metadata_uri);
  }
  bool operator==(const ComponentInformation&) const = default;
};

// Address of the description of a component.
struct ComponentMetadata {
  static constexpr std::uint32_t kId = 397;
  static constexpr std::uint8_t kCrcExtra = 182;
  static constexpr std::size_t kBaseLength = 108, kFullLength = 108;
  static constexpr const char* kName = "COMPONENT_METADATA";

  std::uint32_t time_boot_ms = 0;  // ms: time since start
  std::uint32_t file_crc = 0;  // CRC-32 of the file
  std::array<char, 100> uri{};  // address of the general description

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.time_boot_ms);
    f(s.file_crc);
    f(s.uri);
  }
  bool operator==(const ComponentMetadata&) const = default;
};

// One numbered event; receivers ask again for those they missed.
struct Event {
  static constexpr std::uint32_t kId = 410;
  static constexpr std::uint8_t kCrcExtra = 160;
  static constexpr std::size_t kBaseLength = 53, kFullLength = 53;
  static constexpr const char* kName = "EVENT";

  std::uint32_t id = 0;  // kind of event
  std::uint32_t event_time_boot_ms = 0;  // ms: time since start
  std::uint16_t sequence = 0;  // number of the event, counted up
  std::uint8_t destination_component = 0;  // 0: all
  std::uint8_t destination_system = 0;  // 0: all
  std::uint8_t log_levels = 0;  // external level in bits 0..3, internal in bits 4..7
  std::array<std::uint8_t, 40> arguments{};  // arguments of the event, without gaps

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.id);
    f(s.event_time_boot_ms);
    f(s.sequence);
    f(s.destination_component);
    f(s.destination_system);
    f(s.log_levels);
    f(s.arguments);
  }
  bool operator==(const Event&) const = default;
};

// Number of the last event.
struct CurrentEventSequence {
  static constexpr std::uint32_t kId = 411;
  static constexpr std::uint8_t kCrcExtra = 106;
  static constexpr std::size_t kBaseLength = 3, kFullLength = 3;
  static constexpr const char* kName = "CURRENT_EVENT_SEQUENCE";

  std::uint16_t sequence = 0;  // number of the last event
  std::uint8_t flags = 0;  // bit 0: the numbers started again

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.sequence);
    f(s.flags);
  }
  bool operator==(const CurrentEventSequence&) const = default;
};

// Asks for events that were missed.
struct RequestEvent {
  static constexpr std::uint32_t kId = 412;
  static constexpr std::uint8_t kCrcExtra = 33;
  static constexpr std::size_t kBaseLength = 6, kFullLength = 6;
  static constexpr const char* kName = "REQUEST_EVENT";

  std::uint16_t first_sequence = 0;  // first number that is missing
  std::uint16_t last_sequence = 0;  // last number that is missing
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.first_sequence);
    f(s.last_sequence);
    f(s.target_system);
    f(s.target_component);
  }
  bool operator==(const RequestEvent&) const = default;
};

// Tells that an event cannot be sent again.
struct ResponseEventError {
  static constexpr std::uint32_t kId = 413;
  static constexpr std::uint8_t kCrcExtra = 77;
  static constexpr std::size_t kBaseLength = 7, kFullLength = 7;
  static constexpr const char* kName = "RESPONSE_EVENT_ERROR";

  std::uint16_t sequence = 0;  // number that was asked for
  std::uint16_t sequence_oldest_available = 0;  // oldest number still there
  std::uint8_t target_system = 0;  // system that the message is for, 0: all
  std::uint8_t target_component = 0;  // component that the message is for, 0: all
  std::uint8_t reason = 0;  // 0: no longer there

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.sequence);
    f(s.sequence_oldest_available);
    f(s.target_system);
    f(s.target_component);
    f(s.reason);
  }
  bool operator==(const ResponseEventError&) const = default;
};

// One flight mode that the vehicle offers.
struct AvailableModes {
  static constexpr std::uint32_t kId = 435;
  static constexpr std::uint8_t kCrcExtra = 134;
  static constexpr std::size_t kBaseLength = 46, kFullLength = 46;
  static constexpr const char* kName = "AVAILABLE_MODES";

  std::uint32_t custom_mode = 0;  // mode in the numbering of the autopilot
  std::uint32_t properties = 0;  // MAV_MODE_PROPERTY
  std::uint8_t number_modes = 0;  // number of modes
  std::uint8_t mode_index = 0;  // index of this mode, from 1
  std::uint8_t standard_mode = 0;  // MAV_STANDARD_MODE
  std::array<char, 35> mode_name{};  // name that ends with a zero

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.custom_mode);
    f(s.properties);
    f(s.number_modes);
    f(s.mode_index);
    f(s.standard_mode);
    f(s.mode_name);
  }
  bool operator==(const AvailableModes&) const = default;
};

// Flight mode in use.
struct CurrentMode {
  static constexpr std::uint32_t kId = 436;
  static constexpr std::uint8_t kCrcExtra = 193;
  static constexpr std::size_t kBaseLength = 9, kFullLength = 9;
  static constexpr const char* kName = "CURRENT_MODE";

  std::uint32_t custom_mode = 0;  // mode in the numbering of the autopilot
  std::uint32_t intended_custom_mode = 0;  // mode that was asked for, 0: unknown
  std::uint8_t standard_mode = 0;  // MAV_STANDARD_MODE

  template <class Self, class F> static constexpr void fields(Self& s, F&& f) {
    f(s.custom_mode);
    f(s.intended_custom_mode);
    f(s.standard_mode);
  }
  bool operator==(const CurrentMode&) const = default;
};

// ---------------------------------------------------------------- the table

struct MessageInfo {
  std::uint32_t id;
  const char* name;
  std::uint8_t crc_extra;
  std::uint8_t base_length, full_length;              // bytes, without and with extensions
  std::int16_t target_system_at, target_component_at;  // offset in the payload of the fields of these names, -1: none
};

inline constexpr MessageInfo kMessages[] = {  // by id
    {0, "HEARTBEAT", 50, 9, 9, -1, -1},
    {1, "SYS_STATUS", 124, 31, 43, -1, -1},
    {2, "SYSTEM_TIME", 137, 12, 12, -1, -1},
    {4, "PING", 237, 14, 14, 12, 13},
    {11, "SET_MODE", 89, 6, 6, 4, -1},
    {20, "PARAM_REQUEST_READ", 214, 20, 20, 2, 3},
    {21, "PARAM_REQUEST_LIST", 159, 2, 2, 0, 1},
    {22, "PARAM_VALUE", 220, 25, 25, -1, -1},
    {23, "PARAM_SET", 168, 23, 23, 4, 5},
    {24, "GPS_RAW_INT", 24, 30, 52, -1, -1},
    {26, "SCALED_IMU", 170, 22, 24, -1, -1},
    {27, "RAW_IMU", 144, 26, 29, -1, -1},
    {29, "SCALED_PRESSURE", 115, 14, 16, -1, -1},
    {30, "ATTITUDE", 39, 28, 28, -1, -1},
    {31, "ATTITUDE_QUATERNION", 246, 32, 48, -1, -1},
    {32, "LOCAL_POSITION_NED", 185, 28, 28, -1, -1},
    {33, "GLOBAL_POSITION_INT", 104, 28, 28, -1, -1},
    {35, "RC_CHANNELS_RAW", 244, 22, 22, -1, -1},
    {36, "SERVO_OUTPUT_RAW", 222, 21, 37, -1, -1},
    {38, "MISSION_WRITE_PARTIAL_LIST", 9, 6, 7, 4, 5},
    {39, "MISSION_ITEM", 254, 37, 38, 32, 33},
    {40, "MISSION_REQUEST", 230, 4, 5, 2, 3},
    {41, "MISSION_SET_CURRENT", 28, 4, 4, 2, 3},
    {42, "MISSION_CURRENT", 28, 2, 18, -1, -1},
    {43, "MISSION_REQUEST_LIST", 132, 2, 3, 0, 1},
    {44, "MISSION_COUNT", 221, 4, 9, 2, 3},
    {45, "MISSION_CLEAR_ALL", 232, 2, 3, 0, 1},
    {46, "MISSION_ITEM_REACHED", 11, 2, 2, -1, -1},
    {47, "MISSION_ACK", 153, 3, 8, 0, 1},
    {48, "SET_GPS_GLOBAL_ORIGIN", 41, 13, 21, 12, -1},
    {49, "GPS_GLOBAL_ORIGIN", 39, 12, 20, -1, -1},
    {51, "MISSION_REQUEST_INT", 196, 4, 5, 2, 3},
    {65, "RC_CHANNELS", 118, 42, 42, -1, -1},
    {66, "REQUEST_DATA_STREAM", 148, 6, 6, 2, 3},
    {69, "MANUAL_CONTROL", 243, 11, 30, -1, -1},
    {70, "RC_CHANNELS_OVERRIDE", 124, 18, 38, 16, 17},
    {73, "MISSION_ITEM_INT", 38, 37, 38, 32, 33},
    {74, "VFR_HUD", 20, 20, 20, -1, -1},
    {75, "COMMAND_INT", 158, 35, 35, 30, 31},
    {76, "COMMAND_LONG", 152, 33, 33, 30, 31},
    {77, "COMMAND_ACK", 143, 3, 10, 8, 9},
    {82, "SET_ATTITUDE_TARGET", 49, 39, 51, 36, 37},
    {83, "ATTITUDE_TARGET", 22, 37, 37, -1, -1},
    {84, "SET_POSITION_TARGET_LOCAL_NED", 143, 53, 53, 50, 51},
    {85, "POSITION_TARGET_LOCAL_NED", 140, 51, 51, -1, -1},
    {86, "SET_POSITION_TARGET_GLOBAL_INT", 5, 53, 53, 50, 51},
    {87, "POSITION_TARGET_GLOBAL_INT", 150, 51, 51, -1, -1},
    {91, "HIL_CONTROLS", 63, 42, 42, -1, -1},
    {92, "HIL_RC_INPUTS_RAW", 54, 33, 33, -1, -1},
    {93, "HIL_ACTUATOR_CONTROLS", 47, 81, 81, -1, -1},
    {102, "VISION_POSITION_ESTIMATE", 158, 32, 117, -1, -1},
    {105, "HIGHRES_IMU", 93, 62, 63, -1, -1},
    {106, "OPTICAL_FLOW_RAD", 138, 44, 44, -1, -1},
    {107, "HIL_SENSOR", 108, 64, 65, -1, -1},
    {108, "SIM_STATE", 32, 84, 92, -1, -1},
    {110, "FILE_TRANSFER_PROTOCOL", 84, 254, 254, 1, 2},
    {111, "TIMESYNC", 34, 16, 18, 16, 17},
    {113, "HIL_GPS", 124, 36, 39, -1, -1},
    {114, "HIL_OPTICAL_FLOW", 237, 44, 44, -1, -1},
    {115, "HIL_STATE_QUATERNION", 4, 64, 64, -1, -1},
    {124, "GPS2_RAW", 87, 35, 57, -1, -1},
    {132, "DISTANCE_SENSOR", 85, 14, 39, -1, -1},
    {138, "ATT_POS_MOCAP", 109, 36, 120, -1, -1},
    {139, "SET_ACTUATOR_CONTROL_TARGET", 168, 43, 43, 41, 42},
    {140, "ACTUATOR_CONTROL_TARGET", 181, 41, 41, -1, -1},
    {141, "ALTITUDE", 47, 32, 32, -1, -1},
    {144, "FOLLOW_TARGET", 127, 93, 93, -1, -1},
    {147, "BATTERY_STATUS", 154, 36, 54, -1, -1},
    {148, "AUTOPILOT_VERSION", 178, 60, 78, -1, -1},
    {149, "LANDING_TARGET", 200, 30, 60, -1, -1},
    {162, "FENCE_STATUS", 189, 8, 9, -1, -1},
    {230, "ESTIMATOR_STATUS", 163, 42, 42, -1, -1},
    {231, "WIND_COV", 105, 40, 40, -1, -1},
    {232, "GPS_INPUT", 151, 63, 65, -1, -1},
    {241, "VIBRATION", 90, 32, 32, -1, -1},
    {242, "HOME_POSITION", 104, 52, 60, -1, -1},
    {244, "MESSAGE_INTERVAL", 95, 6, 6, -1, -1},
    {245, "EXTENDED_SYS_STATE", 130, 2, 2, -1, -1},
    {246, "ADSB_VEHICLE", 184, 38, 38, -1, -1},
    {250, "DEBUG_VECT", 49, 30, 30, -1, -1},
    {251, "NAMED_VALUE_FLOAT", 170, 18, 18, -1, -1},
    {253, "STATUSTEXT", 83, 51, 54, -1, -1},
    {256, "SETUP_SIGNING", 71, 42, 42, 8, 9},
    {280, "GIMBAL_MANAGER_INFORMATION", 70, 33, 33, -1, -1},
    {290, "ESC_INFO", 251, 46, 46, -1, -1},
    {291, "ESC_STATUS", 10, 57, 57, -1, -1},
    {300, "PROTOCOL_VERSION", 217, 22, 22, -1, -1},
    {330, "OBSTACLE_DISTANCE", 23, 158, 167, -1, -1},
    {331, "ODOMETRY", 91, 230, 233, -1, -1},
    {339, "RAW_RPM", 199, 5, 5, -1, -1},
    {340, "UTM_GLOBAL_POSITION", 99, 70, 70, -1, -1},
    {395, "COMPONENT_INFORMATION", 0, 212, 212, -1, -1},
    {397, "COMPONENT_METADATA", 182, 108, 108, -1, -1},
    {410, "EVENT", 160, 53, 53, -1, -1},
    {411, "CURRENT_EVENT_SEQUENCE", 106, 3, 3, -1, -1},
    {412, "REQUEST_EVENT", 33, 6, 6, 4, 5},
    {413, "RESPONSE_EVENT_ERROR", 77, 7, 7, 4, 5},
    {435, "AVAILABLE_MODES", 134, 46, 46, -1, -1},
    {436, "CURRENT_MODE", 193, 9, 9, -1, -1},
};

constexpr const MessageInfo* find_message(std::uint32_t id) {
  std::size_t low = 0, high = std::size(kMessages);
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (kMessages[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < std::size(kMessages) && kMessages[low].id == id ? &kMessages[low] : nullptr;
}

// f.template operator()<M>() for every message M
template <class F> constexpr void each_message(F&& f) {
  f.template operator()<Heartbeat>();
  f.template operator()<SysStatus>();
  f.template operator()<SystemTime>();
  f.template operator()<Ping>();
  f.template operator()<SetMode>();
  f.template operator()<ParamRequestRead>();
  f.template operator()<ParamRequestList>();
  f.template operator()<ParamValue>();
  f.template operator()<ParamSet>();
  f.template operator()<GpsRawInt>();
  f.template operator()<ScaledImu>();
  f.template operator()<RawImu>();
  f.template operator()<ScaledPressure>();
  f.template operator()<Attitude>();
  f.template operator()<AttitudeQuaternion>();
  f.template operator()<LocalPositionNed>();
  f.template operator()<GlobalPositionInt>();
  f.template operator()<RcChannelsRaw>();
  f.template operator()<ServoOutputRaw>();
  f.template operator()<MissionWritePartialList>();
  f.template operator()<MissionItem>();
  f.template operator()<MissionRequest>();
  f.template operator()<MissionSetCurrent>();
  f.template operator()<MissionCurrent>();
  f.template operator()<MissionRequestList>();
  f.template operator()<MissionCount>();
  f.template operator()<MissionClearAll>();
  f.template operator()<MissionItemReached>();
  f.template operator()<MissionAck>();
  f.template operator()<SetGpsGlobalOrigin>();
  f.template operator()<GpsGlobalOrigin>();
  f.template operator()<MissionRequestInt>();
  f.template operator()<RcChannels>();
  f.template operator()<RequestDataStream>();
  f.template operator()<ManualControl>();
  f.template operator()<RcChannelsOverride>();
  f.template operator()<MissionItemInt>();
  f.template operator()<VfrHud>();
  f.template operator()<CommandInt>();
  f.template operator()<CommandLong>();
  f.template operator()<CommandAck>();
  f.template operator()<SetAttitudeTarget>();
  f.template operator()<AttitudeTarget>();
  f.template operator()<SetPositionTargetLocalNed>();
  f.template operator()<PositionTargetLocalNed>();
  f.template operator()<SetPositionTargetGlobalInt>();
  f.template operator()<PositionTargetGlobalInt>();
  f.template operator()<HilControls>();
  f.template operator()<HilRcInputsRaw>();
  f.template operator()<HilActuatorControls>();
  f.template operator()<VisionPositionEstimate>();
  f.template operator()<HighresImu>();
  f.template operator()<OpticalFlowRad>();
  f.template operator()<HilSensor>();
  f.template operator()<SimState>();
  f.template operator()<FileTransferProtocol>();
  f.template operator()<Timesync>();
  f.template operator()<HilGps>();
  f.template operator()<HilOpticalFlow>();
  f.template operator()<HilStateQuaternion>();
  f.template operator()<Gps2Raw>();
  f.template operator()<DistanceSensor>();
  f.template operator()<AttPosMocap>();
  f.template operator()<SetActuatorControlTarget>();
  f.template operator()<ActuatorControlTarget>();
  f.template operator()<Altitude>();
  f.template operator()<FollowTarget>();
  f.template operator()<BatteryStatus>();
  f.template operator()<AutopilotVersion>();
  f.template operator()<LandingTarget>();
  f.template operator()<FenceStatus>();
  f.template operator()<EstimatorStatus>();
  f.template operator()<WindCov>();
  f.template operator()<GpsInput>();
  f.template operator()<Vibration>();
  f.template operator()<HomePosition>();
  f.template operator()<MessageInterval>();
  f.template operator()<ExtendedSysState>();
  f.template operator()<AdsbVehicle>();
  f.template operator()<DebugVect>();
  f.template operator()<NamedValueFloat>();
  f.template operator()<Statustext>();
  f.template operator()<SetupSigning>();
  f.template operator()<GimbalManagerInformation>();
  f.template operator()<EscInfo>();
  f.template operator()<EscStatus>();
  f.template operator()<ProtocolVersion>();
  f.template operator()<ObstacleDistance>();
  f.template operator()<Odometry>();
  f.template operator()<RawRpm>();
  f.template operator()<UtmGlobalPosition>();
  f.template operator()<ComponentInformation>();
  f.template operator()<ComponentMetadata>();
  f.template operator()<Event>();
  f.template operator()<CurrentEventSequence>();
  f.template operator()<RequestEvent>();
  f.template operator()<ResponseEventError>();
  f.template operator()<AvailableModes>();
  f.template operator()<CurrentMode>();
}

}  // namespace volary::mavlink
