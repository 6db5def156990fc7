// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/type_list.hpp"
#include "scenario/scenario_def.hpp"
#include "scenario/yaml_reader.hpp"
#include "vehicles/all.hpp"

namespace volary::scenario {

namespace {

using Json = nlohmann::ordered_json;  // fields in the order of the describe list
using vehicles::AllVehicles;

template <class T> std::string enum_name(T value) { return names(value)[static_cast<std::size_t>(value)]; }

// ---------------------------------------------------------------- JSON Schema

void add_bounds(Json& json, const core::Info& info, const char* low, const char* high, double scale = 1) {
  if (std::isfinite(info.min)) json[low] = info.min / scale;
  if (std::isfinite(info.max)) json[high] = info.max / scale;
}

// A struct that is a part of itself has a name (kSchemaName): it is described once, under that name, and referred to.
template <class T> constexpr const char* schema_name() {
  if constexpr (requires { T::kSchemaName; })
    return T::kSchemaName;
  else
    return nullptr;
}

template <class T> Json struct_schema(const T& d, Json& named);

Json number_schema(const core::Info& info, double scale = 1) {
  Json json = {{"type", "number"}};
  add_bounds(json, info, "minimum", "maximum", scale);
  return json;
}

template <class T> Json plain_schema(const T& value, const core::Info& info) {
  Json json;
  if constexpr (std::is_same_v<T, bool>)
    json = {{"type", "boolean"}};
  else if constexpr (std::is_same_v<T, std::string>)
    json = {{"type", "string"}, {"minLength", 1}};
  else if constexpr (std::is_same_v<T, double>)
    json = number_schema(info);
  else
    json = {{"type", "integer"}};
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) add_bounds(json, info, "minimum", "maximum");
  if constexpr (std::is_same_v<T, std::uint64_t>) json["minimum"] = 0;
  // an empty text stands for "not given"
  if constexpr (std::is_same_v<T, std::string>) {
    if (info.is_path) json["format"] = "path";
    if (!value.empty() && !info.required) json["default"] = value;
  } else if (!info.required) {
    json["default"] = value;
  }
  return json;
}

Json numbers_schema(std::size_t n, const core::Info& info, double scale = 1) {
  return {{"type", "array"}, {"items", number_schema(info, scale)}, {"minItems", n}, {"maxItems", n}};
}

template <class T> Json value_schema(const T& value, const core::Info& info, Json& named) {
  if constexpr (kIsPlain<T>) {
    return plain_schema(value, info);
  } else if constexpr (std::is_enum_v<T>) {
    Json json = {{"type", "string"}, {"enum", std::vector<std::string>(names(value).begin(), names(value).end())}};
    if (!info.required) json["default"] = enum_name(value);
    return json;
  } else if constexpr (IsArray<T>::value) {
    Json json = numbers_schema(value.size(), info);
    if (!info.required) json["default"] = value;
    return json;
  } else if constexpr (IsOptional<T>::value || IsNested<T>::value) {
    core::Info inner = info;
    inner.required = true;  // absent is not the same as a default
    return value_schema(typename T::value_type{}, inner, named);
  } else if constexpr (std::is_same_v<T, core::Numbers>) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "number"}}}};
  } else if constexpr (IsVector<T>::value) {
    using Item = typename T::value_type;
    constexpr bool kBoundsNumbers = std::is_same_v<Item, double>;
    core::Info item = kBoundsNumbers ? info : core::Info{};
    item.required = true;
    item.is_path = info.is_path;
    Json json = {{"type", "array"}, {"items", value_schema(Item{}, item, named)}};
    if (!kBoundsNumbers) add_bounds(json, info, "minItems", "maxItems");
    return json;
  } else {
    return struct_schema(value, named);
  }
}

std::string doc_with_unit(const core::Info& info, std::string_view unit) {
  const std::string suffix = unit == "-" ? "" : fmt::format(" [{}]", unit);
  return info.doc + suffix;
}

// visitor: one property per field
class SchemaVisitor {
 public:
  explicit SchemaVisitor(Json& named) : named_(named) {}

  template <class T> void field(const char* name, const T& value, const core::Info& info) {
    Json json = value_schema(value, info, named_);
    json["description"] = doc_with_unit(info, info.unit);
    properties_[name] = std::move(json);
    if (takes_degrees<T>(info))
      add_degrees<T>(name, info);
    else if (info.required)
      required_.push_back(name);
  }

  Json finish() const {
    Json json = {{"type", "object"}, {"additionalProperties", false}, {"properties", properties_}};
    if (!required_.empty()) json["required"] = required_;
    return json;
  }
  void add_constant(const char* name, const char* value) {
    properties_[name] = {{"const", value}};
    required_.emplace_back(name);
  }

 private:
  template <class T> void add_degrees(const char* name, const core::Info& info) {
    constexpr double kRadiansPerDegree = 0.017453292519943295;
    std::size_t n = 1;
    if constexpr (IsArray<T>::value) n = T{}.size();
    if constexpr (IsOptional<T>::value)
      if constexpr (IsArray<typename T::value_type>::value) n = typename T::value_type{}.size();
    Json json = n == 1 ? number_schema(info, kRadiansPerDegree) : numbers_schema(n, info, kRadiansPerDegree);
    json["description"] = doc_with_unit(info, "deg");
    properties_[std::string(name) + "_deg"] = std::move(json);
  }

  Json& named_;  // described so far
  Json properties_ = Json::object();
  std::vector<std::string> required_;
};

template <class T> Json struct_schema(const T& d, Json& named) {
  const char* name = schema_name<T>();
  if (name != nullptr && named.contains(name)) return {{"$ref", std::string("#/$defs/") + name}};
  if (name != nullptr) named[name] = Json::object();  // before its own parts refer to it
  SchemaVisitor visitor(named);
  describe(d, visitor);
  Json json = visitor.finish();
  if constexpr (requires { T::kOneOf; })
    for (const char* field : T::kOneOf) json["oneOf"].push_back({{"required", {field}}});
  if (name == nullptr) return json;
  named[name] = std::move(json);
  return {{"$ref", std::string("#/$defs/") + name}};
}

Json document(const char* id, const char* title, Json body, const Json& named) {
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", id}, {"title", title}};
  json.update(body);
  if (!named.empty()) json["$defs"] = named;
  return json;
}

// ---------------------------------------------------------------- Markdown

template <class T> std::string type_name(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return "true or false";
  else if constexpr (std::is_same_v<T, std::string>)
    return "text";
  else if constexpr (std::is_same_v<T, double>)
    return "number";
  else if constexpr (std::is_integral_v<T>)
    return "whole number";
  else if constexpr (IsArray<T>::value)
    return fmt::format("{} numbers", value.size());
  else if constexpr (IsOptional<T>::value || IsNested<T>::value)
    return type_name(typename T::value_type{});
  else if constexpr (std::is_same_v<T, core::Numbers>)
    return "named numbers";
  else if constexpr (IsVector<T>::value)
    return "list of " + type_name(typename T::value_type{});
  else if constexpr (std::is_enum_v<T>)
    return fmt::format("{}", fmt::join(names(value), ", "));
  else
    return schema_name<T>() != nullptr ? schema_name<T>() : "map";
}

template <class T> std::string default_text(const T& value, const core::Info& info) {
  if (info.required) return "required";
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_arithmetic_v<T>)
    return fmt::format("{}", value);
  else if constexpr (std::is_enum_v<T>)
    return enum_name(value);
  else if constexpr (IsArray<T>::value)
    return fmt::format("[{}]", fmt::join(value, ", "));
  else
    return "";
}

// visitor: one row per field, structs below their own row
class TableVisitor {
 public:
  template <class T> void field(const char* name, const T& value, const core::Info& info) {
    const std::string path = prefix_ + name;
    const std::string_view unit = info.unit;
    std::string range = range_text(info, 1, "-");
    if (IsVector<T>::value && !range.empty()) range += " entries";
    rows_ += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", path, type_name(value), unit == "-" ? "" : unit, range, default_text(value, info), info.doc);
    descend(path, value);
  }
  const std::string& rows() const { return rows_; }

 private:
  template <class T> void descend(const std::string& path, const T& value) {
    if constexpr (schema_name<T>() != nullptr) {
      return;  // its name is in the row: it would be a part of itself for ever
    } else if constexpr (IsOptional<T>::value || IsNested<T>::value) {
      descend(path, typename T::value_type{});
    } else if constexpr (IsVector<T>::value) {
      descend(path + "[]", typename T::value_type{});
    } else if constexpr (std::is_class_v<T> && !kIsPlain<T> && !IsArray<T>::value && !std::is_same_v<T, core::Numbers>) {
      const std::string outer = std::exchange(prefix_, path + ".");
      describe(value, *this);
      prefix_ = outer;
    }
  }

  std::string prefix_;
  std::string rows_;
};

template <class T> std::string table(const std::string& title) {
  TableVisitor visitor;
  const T d{};
  describe(d, visitor);
  return "## " + title + "\n\n| field | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n" + visitor.rows() + "\n";
}

}  // namespace

std::string scenario_schema() {
  Json named = Json::object();
  const Json body = struct_schema(ScenarioFile{}, named);
  return document("https://volary.dev/schema/scenario.json", "Volary scenario", body, named).dump(2) + "\n";
}

std::string airframe_schema() {
  Json models = Json::array(), named = Json::object();
  core::for_each_type(AllVehicles{}, [&]<class M>() {
    SchemaVisitor visitor(named);
    visitor.add_constant("model", M::name);
    const typename M::Def def{};
    describe(def, visitor);
    models.push_back(visitor.finish());
  });
  return document("https://volary.dev/schema/airframe.json", "Volary airframe", {{"oneOf", models}}, named).dump(2) + "\n";
}

std::string describe_markdown(std::string_view kind) {
  std::string text = "Angles (unit rad) may also be written in degrees, under their name with `_deg` appended.\n\n";
  if (kind != "airframe") text += table<ScenarioFile>("Scenario files");
  if (kind == "scenario") return text;
  core::for_each_type(AllVehicles{}, [&]<class M>() { text += table<typename M::Def>(fmt::format("Airframe files with `model: {}`", M::name)); });
  return text;
}

}  // namespace volary::scenario
