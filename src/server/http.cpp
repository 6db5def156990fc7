// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/http.hpp"

#include <arpa/inet.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volary::server {

namespace fs = std::filesystem;

namespace {

core::Error bad(std::string message) { return core::Error{.message = std::move(message)}; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool only(std::string_view text, auto&& good) { return std::all_of(text.begin(), text.end(), good); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

std::string_view Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return {};
}

Response json_response(std::string body, int status) {
  Response r;
  r.status = status;
  r.body = std::move(body);
  r.headers.push_back({"Cache-Control", "no-store"});
  return r;
}

Response error_response(int status, std::string_view text) {
  const auto replace = nlohmann::json::error_handler_t::replace;
  return json_response(nlohmann::json({{"error", text}}).dump(-1, ' ', false, replace), status);
}

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 416: return "Range Not Satisfiable";
    case 421: return "Misdirected Request";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    default: return "Status";
  }
}

// ---------------------------------------------------------------- targets

namespace {

// decoded once: a percent sign that is left afterwards is a letter like any other
core::Result<std::string> percent_decode(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      out += text[k];
      continue;
    }
    const int high = k + 2 < text.size() ? hex_digit(text[k + 1]) : -1, low = k + 2 < text.size() ? hex_digit(text[k + 2]) : -1;
    if (high < 0 || low < 0) return bad("a percent sign without two hexadecimal digits");
    out += static_cast<char>(high * 16 + low);
    k += 2;
  }
  return out;
}

core::Status check_segment(const std::string& segment) {
  if (segment == "." || segment == "..") return bad("'.' and '..' are not allowed in a path");
  for (const char c : segment)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\') return bad("a character that is not allowed in a path");
  return core::ok();
}

core::Status split_path(std::string_view path, Target& out) {
  if (path.empty() || path[0] != '/') return bad("a path begins with a slash");
  constexpr std::size_t kMostSegments = 32;
  std::size_t begin = 1;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view raw = path.substr(begin, end - begin);
    begin = end + 1;
    if (raw.empty()) {
      if (end == path.size()) return out.is_folder = true, core::ok();
      return bad("an empty part in a path");
    }
    core::Result<std::string> segment = percent_decode(raw);
    if (!segment) return segment.error();
    if (const core::Status good = check_segment(segment.value()); !good) return good;
    if (segment.value().empty()) return bad("an empty part in a path");
    if (out.segments.size() >= kMostSegments) return bad("the path has too many parts");
    out.segments.push_back(std::move(segment).value());
  }
  return core::ok();
}

core::Status split_query(std::string_view query, Target& out) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    std::string pair(query.substr(0, end));
    query.remove_prefix(std::min(end + 1, query.size()));
    std::replace(pair.begin(), pair.end(), '+', ' ');
    const std::size_t equal = std::min(pair.find('='), pair.size());
    const core::Result<std::string> key = percent_decode(std::string_view(pair).substr(0, equal));
    const core::Result<std::string> value = percent_decode(equal < pair.size() ? std::string_view(pair).substr(equal + 1) : std::string_view());
    if (!key) return key.error();
    if (!value) return value.error();
    if (out.query.size() >= 32) return bad("the query has more than 32 parameters");
    out.query.push_back({key.value(), value.value()});
  }
  return core::ok();
}

}  // namespace

std::string Target::path() const {
  std::string text;
  for (const std::string& s : segments) text += "/" + s;
  return text.empty() ? "/" : text;
}

std::string_view Target::value(std::string_view key) const {
  for (const auto& [k, v] : query)
    if (k == key) return v;
  return {};
}

core::Result<Target> parse_target(std::string_view target) {
  constexpr std::size_t kMostBytes = 4096;
  if (target.size() > kMostBytes) return bad("a target of more than 4096 bytes");
  Target out;
  const std::size_t question = std::min(target.find('?'), target.size());
  if (const core::Status path = split_path(target.substr(0, question), out); !path) return path.error();
  if (question < target.size())
    if (const core::Status query = split_query(target.substr(question + 1), out); !query) return query.error();
  return out;
}

core::Result<std::string> resolve_inside(const std::string& folder, const Target& target) {
  std::error_code code;
  const fs::path root = fs::canonical(folder, code);
  if (code) return bad("the folder does not exist");
  fs::path path = root;
  for (const std::string& s : target.segments) path /= s;
  const fs::path real = fs::canonical(path, code);
  if (code) return bad("no such file");
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (end != root.end()) return bad("no such file");  // a link that leads outside
  if (!fs::is_regular_file(real, code)) return bad("no such file");
  return real.string();
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && only(name, [](char c) { return is_lower(c) || is_digit(c) || c == '_' || c == '-'; });
}

bool is_run_id(std::string_view id) {
  return !id.empty() && id.size() <= 128 && id[0] != '.' &&
         only(id, [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_' || c == '-' || c == '.'; });
}

bool is_safe_relative(std::string_view path) {
  if (path.empty() || path[0] == '/' || path[0] == '~' || path.size() > 1024) return false;
  if (path.find('\\') != path.npos || path.find('\0') != path.npos) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (path.substr(begin, end - begin) == "..") return false;
    begin = end + 1;
  }
  return true;
}

// ---------------------------------------------------------------- who asks

namespace {

bool is_ipv4(const std::string& text) {
  in_addr a{};
  return inet_pton(AF_INET, text.c_str(), &a) == 1;
}
bool is_ipv6(const std::string& text) {
  in6_addr a{};
  return inet_pton(AF_INET6, text.c_str(), &a) == 1;
}

// "name:port" and "[address]:port"; port 80 may be left out
bool split_host(std::string_view host, std::string& name, unsigned& port) {
  port = 80;
  std::size_t colon = host.rfind(':');
  if (!host.empty() && host[0] == '[') {
    const std::size_t close = host.find(']');
    if (close == host.npos) return false;
    name = lower(host.substr(1, close - 1));
    if (!is_ipv6(name)) return false;
    if (close + 1 == host.size()) return true;
    colon = close + 1;
    if (host[colon] != ':') return false;
  } else {
    name = lower(host.substr(0, colon));
    if (colon == host.npos) return !name.empty();
  }
  const std::string_view digits = host.substr(colon + 1);
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return code == std::errc() && end == digits.data() + digits.size() && !name.empty() && port <= 65535;
}

}  // namespace

bool is_loopback(std::string_view address) {
  const std::string text(address);
  return text == "localhost" || text == "::1" || (text.starts_with("127.") && is_ipv4(text));
}

bool host_allowed(std::string_view host, const Site& site) {
  std::string name;
  unsigned port = 0;
  if (!split_host(host, name, port) || port != site.port) return false;
  if (name == "localhost" || name == lower(site.address)) return true;
  if (is_loopback(site.address)) return name == "127.0.0.1" || name == "::1";
  // listening on every interface: any address, never a name that somebody else's DNS may point here
  const bool everywhere = site.address == "0.0.0.0" || site.address == "::";
  return everywhere && (is_ipv4(name) || is_ipv6(name));
}

bool origin_allowed(std::string_view origin, std::string_view host, const Site& site) {
  if (origin.empty()) return true;
  if (std::find(site.origins.begin(), site.origins.end(), origin) != site.origins.end()) return true;
  return lower(origin) == "http://" + lower(host);
}

// ---------------------------------------------------------------- parts of files

RangeKind parse_range(std::string_view header, std::uint64_t size, ByteRange& range) {
  if (!header.starts_with("bytes=")) return RangeKind::None;
  header.remove_prefix(6);
  const std::size_t dash = header.find('-');
  if (dash == header.npos || header.find(',') != header.npos) return RangeKind::None;
  auto number = [](std::string_view text, std::uint64_t& value) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
  };
  std::uint64_t first = 0, last = 0;
  const std::string_view before = header.substr(0, dash), after = header.substr(dash + 1);
  if (before.empty()) {  // the last bytes
    if (!number(after, last)) return RangeKind::None;
    if (last == 0 || size == 0) return RangeKind::Unsatisfiable;
    range = {size - std::min(last, size), std::min(last, size)};
    return RangeKind::Part;
  }
  if (!number(before, first)) return RangeKind::None;
  if (after.empty())
    last = size == 0 ? 0 : size - 1;
  else if (!number(after, last) || last < first)
    return RangeKind::None;
  if (first >= size) return RangeKind::Unsatisfiable;
  range = {first, std::min(last, size - 1) - first + 1};
  return RangeKind::Part;
}

std::string_view media_type(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kTypes = {{{".html", "text/html; charset=utf-8"},
                                                                                     {".js", "text/javascript; charset=utf-8"},
                                                                                     {".mjs", "text/javascript; charset=utf-8"},
                                                                                     {".css", "text/css; charset=utf-8"},
                                                                                     {".json", "application/json; charset=utf-8"},
                                                                                     {".map", "application/json; charset=utf-8"},
                                                                                     {".webmanifest", "application/manifest+json"},
                                                                                     {".svg", "image/svg+xml"},
                                                                                     {".png", "image/png"},
                                                                                     {".jpg", "image/jpeg"},
                                                                                     {".webp", "image/webp"},
                                                                                     {".ico", "image/x-icon"},
                                                                                     {".woff2", "font/woff2"},
                                                                                     {".wasm", "application/wasm"},
                                                                                     {".txt", "text/plain; charset=utf-8"},
                                                                                     {".md", "text/plain; charset=utf-8"},
                                                                                     {".yaml", "application/yaml; charset=utf-8"},
                                                                                     {".glb", "model/gltf-binary"},
                                                                                     {".webm", "video/webm"},
                                                                                     {".vrec", "application/octet-stream"}}};
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

namespace {

struct FileFacts {
  std::uint64_t size = 0;
  std::string etag;
};

bool look_at(const std::string& path, FileFacts& facts) {
  struct stat s{};
  if (stat(path.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) return false;
  facts.size = static_cast<std::uint64_t>(s.st_size);
  facts.etag = fmt::format("\"{:x}-{:x}{:09x}\"", facts.size, static_cast<std::uint64_t>(s.st_mtim.tv_sec), static_cast<std::uint64_t>(s.st_mtim.tv_nsec));
  return true;
}

// does a list such as If-None-Match or Accept-Encoding hold this word?
bool lists(std::string_view header, std::string_view word) {
  for (std::size_t begin = 0; begin < header.size();) {
    const std::size_t end = std::min(header.find(',', begin), header.size());
    std::string_view item = header.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t semicolon = item.find(';');
    const bool refused = semicolon != item.npos && item.substr(semicolon).find("q=0") != item.npos && item.substr(semicolon).find("q=0.") == item.npos;
    item = item.substr(0, semicolon);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (item.starts_with("W/")) item.remove_prefix(2);
    if (!refused && (item == word || item == "*")) return true;
  }
  return false;
}

Response serve_part(const Request& request, const std::string& path, const FileFacts& facts, Response r) {
  r.headers.push_back({"ETag", facts.etag});
  r.headers.push_back({"Accept-Ranges", "bytes"});
  if (lists(request.header("if-none-match"), facts.etag)) {
    r.status = 304;
    return r;
  }
  ByteRange range{0, facts.size};
  // a part of another version of the file is of no use: If-Range asks for the whole then
  const std::string_view condition = request.header("if-range");
  const bool same = condition.empty() || condition == facts.etag;
  const RangeKind kind = same ? parse_range(request.header("range"), facts.size, range) : RangeKind::None;
  if (kind == RangeKind::Unsatisfiable) {
    Response refused = error_response(416, "the requested range lies outside the file");
    refused.headers.push_back({"Content-Range", fmt::format("bytes */{}", facts.size)});
    return refused;
  }
  if (kind == RangeKind::Part) {
    r.status = 206;
    r.headers.push_back({"Content-Range", fmt::format("bytes {}-{}/{}", range.first, range.first + range.length - 1, facts.size)});
  }
  r.file = FilePart{path, range.first, range.length};
  return r;
}

}  // namespace

Response serve_file(const Request& request, const std::string& path, bool cache_forever) {
  Response r;
  r.type = std::string(media_type(path));
  r.headers = {{"Cache-Control", cache_forever ? "public, max-age=31536000, immutable" : "no-cache"}, {"Vary", "Accept-Encoding"}};
  FileFacts facts;
  const std::string packed = path + ".gz";
  if (lists(request.header("accept-encoding"), "gzip") && look_at(packed, facts)) {
    r.headers.push_back({"Content-Encoding", "gzip"});
    return serve_part(request, packed, facts, std::move(r));
  }
  if (!look_at(path, facts)) return error_response(404, "no such file");
  return serve_part(request, path, facts, std::move(r));
}

Response serve_download(const Request& request, const std::string& path, std::string_view type) {
  FileFacts facts;
  if (!look_at(path, facts)) return error_response(404, "the file does not exist");
  Response r;
  r.type = std::string(type);
  r.headers = {{"Cache-Control", "no-cache"}};
  return serve_part(request, path, facts, std::move(r));
}

std::vector<std::pair<std::string, std::string>> security_headers(const Site& site) {
  // Jupyter and the like on this machine, and the notebooks of VS Code
  const std::string_view ancestors = site.is_framed ? "http://localhost:* http://127.0.0.1:* vscode-webview:" : "'none'";
  std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Security-Policy",
       fmt::format("default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self' blob:; "
                   "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors {}",
                   ancestors)},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"}};
  if (!site.is_framed) headers.push_back({"X-Frame-Options", "DENY"});
  return headers;
}

}  // namespace volary::server
