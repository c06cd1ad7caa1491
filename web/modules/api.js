// SPDX-License-Identifier: Apache-2.0
// Requests to glimpsed-web.

export class Problem extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }

  /** Whether the same request may succeed a moment later. */
  get isPassing() {
    return this.status === 0 || this.status >= 500;
  }
}

/** The JSON of an address. Throws a Problem with a text for people. */
export async function get(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { ...options, headers: { Accept: "application/json" } });
  } catch {
    throw new Problem(0, "glimpsed-web cannot be reached");
  }
  return read(response);
}

export async function read(response) {
  const text = await response.text();
  let value = null;
  try {
    value = JSON.parse(text);
  } catch {
    if (response.ok) throw new Problem(response.status, "the answer is not JSON");
  }
  if (response.ok) return value;
  if (response.status === 401) {
    throw new Problem(401, "this browser has no session; on the machine of the cameras, run: glimpsed web open");
  }
  throw new Problem(response.status, value?.error ?? `the answer has status ${response.status}`);
}

export function address(path, parameters) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(key, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
