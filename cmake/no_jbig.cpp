// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// libtiff wants a library for JBIG, a code for facsimiles. That library is under the GNU General Public License and cannot be part of a wheel under the Apache
// licence. No map of heights is coded so: in the wheel this takes its place and refuses.
extern "C" {

constexpr int kInvalid = 0x80;  // as every code that is no success

__attribute__((visibility("default"))) void jbg_dec_init(void*) {}
__attribute__((visibility("default"))) int jbg_dec_in(void*, unsigned char*, unsigned long, unsigned long* count) {
  if (count != nullptr) *count = 0;
  return kInvalid;
}
__attribute__((visibility("default"))) unsigned char* jbg_dec_getimage(const void*, int) { return nullptr; }
__attribute__((visibility("default"))) unsigned long jbg_dec_getsize(const void*) { return 0; }
__attribute__((visibility("default"))) void jbg_dec_free(void*) {}
__attribute__((visibility("default"))) void jbg_enc_init(void*, unsigned long, unsigned long, int, unsigned char**, void (*)(unsigned char*, unsigned long, void*), void*) {}
__attribute__((visibility("default"))) void jbg_enc_out(void*) {}
__attribute__((visibility("default"))) void jbg_enc_free(void*) {}
__attribute__((visibility("default"))) int jbg_newlen(unsigned char*, unsigned long) { return kInvalid; }
__attribute__((visibility("default"))) const char* jbg_strerror(int) { return "JBIG is not supported by this build"; }

}  // extern "C"
