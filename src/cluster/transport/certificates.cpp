// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/certificates.hpp"

#include <arpa/inet.h>

#include <memory>

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace volary::cluster {

namespace {

template <auto Free> struct Freed {
  template <class T> void operator()(T* x) const { Free(x); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Paper = std::unique_ptr<X509, Freed<X509_free>>;
using Text = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;

constexpr long kDay = 24 * 3600;

bool is_number(const std::string& host) {
  unsigned char bytes[16];
  return ::inet_pton(AF_INET, host.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

bool add_extension(X509* paper, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, paper, paper, nullptr, nullptr, 0);
  const std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  return extension != nullptr && X509_add_ext(paper, extension.get(), -1) == 1;
}

bool set_serial(X509* paper) {
  const Number serial(BN_new());
  return serial != nullptr && BN_rand(serial.get(), 127, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(paper)) != nullptr;
}

bool set_name(X509* paper) {
  X509_NAME* name = X509_get_subject_name(paper);
  const auto* text = reinterpret_cast<const unsigned char*>("Volary federation");
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) == 1 && X509_set_issuer_name(paper, name) == 1;
}

template <class Write> std::string text_of(Write&& write) {
  const Text bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || write(bio.get()) != 1) return {};
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

}  // namespace

core::Result<Certificate> make_certificate(const std::string& host, int days) {
  const auto failed = [&] { return core::Error{.message = fmt::format("libcrypto made no certificate for \"{}\"", host), .field = "certificate"}; };
  // a comma would begin another name
  if (host.empty() || host.find_first_of(",\n\r ") != std::string::npos) return failed();
  const Key key(EVP_EC_gen("P-256"));
  const Paper paper(X509_new());
  if (key == nullptr || paper == nullptr) return failed();
  const bool is_made = X509_set_version(paper.get(), X509_VERSION_3) == 1 && set_serial(paper.get()) && set_name(paper.get()) &&
                       X509_gmtime_adj(X509_getm_notBefore(paper.get()), -kDay) != nullptr &&
                       X509_gmtime_adj(X509_getm_notAfter(paper.get()), days * kDay) != nullptr && X509_set_pubkey(paper.get(), key.get()) == 1 &&
                       add_extension(paper.get(), NID_basic_constraints, "critical,CA:TRUE") &&
                       add_extension(paper.get(), NID_ext_key_usage, "serverAuth") &&
                       add_extension(paper.get(), NID_subject_alt_name, (is_number(host) ? "IP:" : "DNS:") + host) &&
                       X509_sign(paper.get(), key.get(), EVP_sha256()) > 0;
  if (!is_made) return failed();
  Certificate made;
  made.key = text_of([&](BIO* out) { return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
  made.certificate = text_of([&](BIO* out) { return PEM_write_bio_X509(out, paper.get()); });
  if (made.key.empty() || made.certificate.empty()) return failed();
  return made;
}

}  // namespace volary::cluster
