// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/payload_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "engine/payloads.hpp"

namespace volary::server {

using Json = nlohmann::json;

namespace {

template <class T> struct NumbersOf : std::false_type {};
template <std::size_t N> struct NumbersOf<std::array<double, N>> : std::true_type {
  static constexpr std::size_t most = N, least = N > 4 ? 1 : N;  // rotor speeds: as many as there are rotors
};

template <class T> inline constexpr bool kIsIds = std::is_same_v<T, std::vector<VehicleId>>;

template <class T> std::vector<std::string> words_of() {
  const auto words = names(T{});
  return {words.begin(), words.end()};
}

// visitor: takes each field out of a JSON object and remembers the first fault
class FieldReader {
 public:
  FieldReader(const Json& object, std::string before) : object_(object), before_(std::move(before)) {}

  template <class T> void field(const char* name, T& x, const core::Info&) {
    if constexpr (!kIsIds<T>) {
      known_.push_back(name);
      const auto it = object_.find(name);
      if (it == object_.end() || fault) return;
      if constexpr (std::is_enum_v<T>)
        read_word(name, *it, x);
      else if constexpr (requires { describe(x, *this); })
        read_struct(name, *it, x);
      else
        read(name, *it, x);
    }
  }

  // after all fields: names that none of them has
  void refuse_others() {
    for (const auto& [name, value] : object_.items())
      if (!fault && std::find(known_.begin(), known_.end(), name) == known_.end()) fail(name.substr(0, 40).c_str(), "is not a field", core::did_you_mean(name, known_));
  }

  std::optional<core::Error> fault;

 private:
  void fail(const char* name, std::string message, std::string suggestion = "") {
    fault = core::Error{.message = std::move(message), .field = before_ + name, .suggestion = std::move(suggestion)};
  }

  template <class T> void read_word(const char* name, const Json& j, T& x) {
    const std::vector<std::string> words = words_of<T>();
    const std::string word = j.is_string() ? j.get<std::string>() : "";
    const auto it = std::find(words.begin(), words.end(), word);
    if (it == words.end()) return fail(name, "must be one of " + fmt::format("{}", fmt::join(words, ", ")), core::did_you_mean(word, words));
    x = static_cast<T>(it - words.begin());
  }
  template <class T> void read_struct(const char* name, const Json& j, T& x) {
    if (!j.is_object()) return fail(name, "must be an object");
    FieldReader inner(j, before_ + name + ".");
    describe(x, inner);
    inner.refuse_others();
    fault = std::move(inner.fault);
  }

  void read(const char* name, const Json& j, bool& x) {
    if (!j.is_boolean()) return fail(name, "must be true or false");
    x = j.get<bool>();
  }
  void read(const char* name, const Json& j, std::string& x) {
    if (!j.is_string()) return fail(name, "must be a text");
    x = j.get<std::string>();
    if (x.size() > 1024) return fail(name, "is longer than 1024 bytes");
    if (std::any_of(x.begin(), x.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) fail(name, "holds a control character");
  }
  void read(const char* name, const Json& j, double& x) {
    if (!j.is_number()) return fail(name, "must be a number");
    x = j.get<double>();
  }
  template <std::integral T> void read(const char* name, const Json& j, T& x) {
    using Limits = std::numeric_limits<T>;
    const bool is_whole = j.is_number_integer(), is_negative = is_whole && !j.is_number_unsigned() && j.get<std::int64_t>() < 0;
    const bool fits = is_negative ? std::is_signed_v<T> && j.get<std::int64_t>() >= static_cast<std::int64_t>(Limits::min())
                                  : is_whole && j.get<std::uint64_t>() <= static_cast<std::uint64_t>(Limits::max());
    if (!fits) return fail(name, fmt::format("must be a whole number between {} and {}", Limits::min(), Limits::max()));
    x = j.get<T>();
  }
  void read(const char* name, const Json& j, std::vector<double>& x) {
    if (!j.is_array()) return fail(name, "must be a list of numbers");
    x.resize(j.size());
    for (std::size_t k = 0; k < x.size() && !fault; ++k) read(fmt::format("{}[{}]", name, k).c_str(), j[k], x[k]);
  }
  template <std::size_t N> void read(const char* name, const Json& j, std::array<double, N>& x) {
    using Count = NumbersOf<std::array<double, N>>;
    if (!j.is_array() || j.size() < Count::least || j.size() > N)
      return fail(name, Count::least == N ? fmt::format("must be {} numbers", N) : fmt::format("must be {} to {} numbers", Count::least, N));
    x = {};
    for (std::size_t k = 0; k < j.size() && !fault; ++k) read(fmt::format("{}[{}]", name, k).c_str(), j[k], x[k]);
  }

  const Json& object_;
  std::string before_;
  std::vector<std::string> known_;
};

// visitor: the schema of each field
class FieldSchemas {
 public:
  template <class T> void field(const char* name, T& x, const core::Info& info) {
    if constexpr (kIsIds<T>) return;
    Json& s = properties[name];
    if constexpr (std::is_enum_v<T>) {
      s["enum"] = words_of<T>();
    } else if constexpr (requires { describe(x, *this); }) {
      FieldSchemas inner;
      describe(x, inner);
      s = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(inner.properties)}};
    } else if constexpr (NumbersOf<T>::value) {
      s = {{"type", "array"}, {"minItems", NumbersOf<T>::least}, {"maxItems", NumbersOf<T>::most}, {"items", number("number", info)}};
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      s = {{"type", "array"}, {"items", number("number", info)}};
    } else if constexpr (std::is_same_v<T, std::string>) {
      s["type"] = "string";
    } else if constexpr (std::is_same_v<T, bool>) {
      s["type"] = "boolean";
    } else {
      s = number(std::is_same_v<T, double> ? "number" : "integer", info);
    }
    s["description"] = std::string_view(info.unit) == "-" ? std::string(info.doc) : fmt::format("{} ({})", info.doc, info.unit);
  }

  Json properties = Json::object();

 private:
  static Json number(const char* type, const core::Info& info) {
    Json s = {{"type", type}};
    if (std::isfinite(info.min)) s["minimum"] = info.min;
    if (std::isfinite(info.max)) s["maximum"] = info.max;
    return s;
  }
};

}  // namespace

core::Result<Payload> read_payload(std::string_view kind, const Json& fields) {
  const auto words = engine::payload_names();
  const std::vector<std::string> known(words.begin(), words.end());
  const auto it = std::find(known.begin(), known.end(), kind);
  if (it == known.end())
    return core::Error{.message = "unknown kind '" + std::string(kind.substr(0, 40)) + "'", .field = "kind", .suggestion = core::did_you_mean(kind, known)};
  if (!fields.is_object()) return core::Error{.message = "must be an object", .field = "fields"};
  Payload payload;
  engine::make_payload(static_cast<std::size_t>(it - known.begin()), payload);
  FieldReader reader(fields, "fields.");
  std::visit([&](auto& p) { describe(p, reader); }, payload);
  reader.refuse_others();
  if (reader.fault) return *reader.fault;
  if (const core::Status sound = engine::check_fields(payload); !sound) {
    core::Error error = sound.error();
    error.field = "fields." + error.field;
    return error;
  }
  return payload;
}

Json payload_schemas() {
  Json all = Json::object();
  const auto words = engine::payload_names();
  for (std::size_t k = 0; k < words.size(); ++k) {
    Payload payload;
    engine::make_payload(k, payload);
    FieldSchemas schemas;
    std::visit([&](auto& p) { describe(p, schemas); }, payload);
    all[words[k]] = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(schemas.properties)}};
  }
  return all;
}

}  // namespace volary::server
