// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// HTTP as plain data and plain functions, apart from sockets: what a request is, what is allowed in it, what goes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace volary::server {

// names of headers are lower case; the first of a name counts
struct Request {
  std::string method, target, body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view header(std::string_view name) const;
};

// some bytes of a file, sent as they lie on the disk
struct FilePart {
  std::string path;
  std::uint64_t offset = 0, length = 0;
};
struct Response {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  std::optional<FilePart> file = {};  // instead of the body
};

Response json_response(std::string body, int status = 200);
// {"error": "..."}
Response error_response(int status, std::string_view text);
const char* reason_of(int status);

// ---------------------------------------------------------------- targets

struct Target {
  std::vector<std::string> segments;  // decoded once; none is empty, ".", ".." or holds a separator
  std::vector<std::pair<std::string, std::string>> query;
  bool is_folder = false;  // ended in a slash
  std::string path() const;  // "/a/b"
  std::string_view value(std::string_view key) const;
};
// refuses whatever could leave a folder: .. before and after decoding, NUL and control characters, backslashes, encoded slashes
core::Result<Target> parse_target(std::string_view target);

// the file of a checked target inside `folder`; refuses what leaves it by a link
core::Result<std::string> resolve_inside(const std::string& folder, const Target& target);

// a name of a file or a folder without any meaning to a file system: [a-z0-9_-]{1,64}
bool is_plain_name(std::string_view name);
// ids of runs are made by others: [A-Za-z0-9._-]{1,128}, not beginning with a dot
bool is_run_id(std::string_view id);
// a relative path that stays where it is, as files may name in `include` and `airframe`
bool is_safe_relative(std::string_view path);

// ---------------------------------------------------------------- who asks

// against DNS rebinding: the host must be an address of ours, or localhost, with our port
struct Site {
  std::string address = "127.0.0.1";      // that the server listens on
  unsigned short port = 0;
  std::vector<std::string> origins = {};  // further pages that may act, such as a development server's
  bool is_framed = false;                 // notebooks on this machine may show it in a frame
};
bool is_loopback(std::string_view address);
bool host_allowed(std::string_view host, const Site& site);
// no origin is a program, not a page; a page must come from the very host it asks
bool origin_allowed(std::string_view origin, std::string_view host, const Site& site);

// ---------------------------------------------------------------- parts of files

struct ByteRange {
  std::uint64_t first = 0, length = 0;
};
enum class RangeKind { None, Part, Unsatisfiable };
// one range; several ranges and forms that are not understood mean the whole file, as RFC 9110 allows
RangeKind parse_range(std::string_view header, std::uint64_t size, ByteRange& range);

std::string_view media_type(std::string_view path);

// a file of the page: type, ETag, caching, gzip when a .gz lies beside it, ranges
Response serve_file(const Request& request, const std::string& path, bool cache_forever);
// any other file, with ranges, never kept
Response serve_download(const Request& request, const std::string& path, std::string_view type);

// what every answer carries
std::vector<std::pair<std::string, std::string>> security_headers(const Site& site);

}  // namespace volary::server
