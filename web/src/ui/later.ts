// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the page whose code comes when they are first shown.
import { useEffect, useState } from "preact/hooks";

/** What a module has; null: it is on its way; missing: it could not be loaded. */
export function useLater<T extends object>(load: () => Promise<T>): T | "missing" | null {
  const [found, setFound] = useState<T | "missing" | null>(null);
  useEffect(() => void load().then(setFound, () => setFound("missing")), []);
  return found;
}
