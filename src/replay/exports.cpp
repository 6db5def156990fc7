// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/exports.hpp"

#include "replay/export_source.hpp"
#include "replay/export_writer.hpp"

namespace volary::replay {

namespace {

std::unique_ptr<ExportWriter> writer_of(ExportKind kind, const std::string& path, const ExportOptions& o) {
  switch (kind) {
    case ExportKind::Csv: return csv_writer(path);
    case ExportKind::Npz: return npz_writer(path);
    case ExportKind::Mcap: return mcap_writer(path);
    case ExportKind::Tum: return tum_writer(path);
    case ExportKind::Kml: return kml_writer(path, o.may_run);
    case ExportKind::Ulog: return ulog_writer(path, o.may_run);
  }
  return nullptr;
}

}  // namespace

core::Result<Exported> export_recording(const Recording& r, ExportKind kind, const std::string& path, const ExportOptions& o) {
  const std::unique_ptr<ExportWriter> writer = writer_of(kind, path, o);
  Exported counted;
  if (const core::Status fed = o.view ? feed_view(r, o, *writer, counted) : feed_flight(r, o, *writer, counted); !fed) return fed.error();
  core::Result<Exported> written = writer->finish();
  if (!written) return written;
  counted.files = written.value().files;
  counted.bytes = written.value().bytes;
  return counted;
}

}  // namespace volary::replay
