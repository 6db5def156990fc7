// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A checker for the part of JSON Schema that schema/openapi.json uses. A keyword it does not know is an error, so that nothing is
// believed to be checked that is not.
const TYPES = {
  object: (x) => typeof x === "object" && x !== null && !Array.isArray(x),
  array: Array.isArray,
  string: (x) => typeof x === "string",
  number: (x) => typeof x === "number" && Number.isFinite(x),
  integer: Number.isSafeInteger,
  boolean: (x) => typeof x === "boolean",
  null: (x) => x === null,
};
const ANNOTATIONS = new Set(["description", "examples", "default", "title"]);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const RULES = {
  $ref: (x, ref, s, root, at) => check(x, lookUp(ref, root), root, at),
  type: (x, type) => ([type].flat().some((t) => TYPES[t](x)) ? [] : [`is not of type ${type}`]),
  const: (x, value) => (same(x, value) ? [] : [`is not ${JSON.stringify(value)}`]),
  enum: (x, list) => (list.some((v) => same(v, x)) ? [] : [`is none of ${JSON.stringify(list)}`]),
  required: (x, names) => (TYPES.object(x) ? names.filter((n) => !(n in x)).map((n) => `has no ${n}`) : []),
  properties: (x, all, s, root, at) => (TYPES.object(x) ? Object.entries(all).flatMap(([k, v]) => (k in x ? check(x[k], v, root, `${at}.${k}`) : [])) : []),
  additionalProperties: (x, rest, s, root, at) => (TYPES.object(x) ? Object.keys(x).filter((k) => !(k in (s.properties ?? {}))) : []).flatMap((k) => (rest === false ? [`has ${k}, which is not known`] : rest === true ? [] : check(x[k], rest, root, `${at}.${k}`))),
  items: (x, item, s, root, at) => (Array.isArray(x) ? x.flatMap((v, k) => check(v, item, root, `${at}[${k}]`)) : []),
  minItems: (x, n) => (Array.isArray(x) && x.length < n ? [`has fewer than ${n}`] : []),
  maxItems: (x, n) => (Array.isArray(x) && x.length > n ? [`has more than ${n}`] : []),
  pattern: (x, p) => (typeof x === "string" && !new RegExp(p, "u").test(x) ? [`is not like ${p}`] : []),
  maxLength: (x, n) => (typeof x === "string" && [...x].length > n ? [`is longer than ${n}`] : []),
  minimum: (x, n) => (typeof x === "number" && x < n ? [`is below ${n}`] : []),
  maximum: (x, n) => (typeof x === "number" && x > n ? [`is above ${n}`] : []),
};

/** What a reference names: "#/components/..." in the same document. */
export function lookUp(ref, root) {
  const found = ref.slice(2).split("/").reduce((o, key) => o?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], root);
  if (!ref.startsWith("#/") || found === undefined) throw new Error(`${ref} leads nowhere`);
  return found;
}

/** What is wrong with a value: a sentence for each fault, with where it is. */
export function check(value, schema, root, at = "$") {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (ANNOTATIONS.has(keyword)) return [];
    if (!RULES[keyword]) throw new Error(`the checker does not know '${keyword}'`);
    return RULES[keyword](value, rule, schema, root, at).map((fault) => (fault.startsWith("$") ? fault : `${at} ${fault}`));
  });
}
