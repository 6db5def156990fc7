// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Names of scenarios, as the server takes them.
export const isPlainName = (name: string): boolean => /^[a-z0-9_-]{1,64}$/.test(name);
export const plainName = (words: string): string => words.toLowerCase().replace(/[^a-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 64);
