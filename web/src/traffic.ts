/** What a page or a worker has fetched, as the browser itself counts it. */

export interface Traffic {
  /** Bytes that came over the network, headers included; what the browser had kept counts nothing. */
  readonly bytes: number;
  readonly requests: number;
  /** To other origins. */
  readonly foreign: number;
}

export const NO_TRAFFIC: Traffic = { bytes: 0, requests: 0, foreign: 0 };

export function sum(one: Traffic, other: Traffic): Traffic {
  return {
    bytes: one.bytes + other.bytes,
    requests: one.requests + other.requests,
    foreign: one.foreign + other.foreign,
  };
}

/** What came after `before`. */
export function since(before: Traffic, now: Traffic): Traffic {
  return {
    bytes: now.bytes - before.bytes,
    requests: now.requests - before.requests,
    foreign: now.foreign - before.foreign,
  };
}

interface Entry {
  readonly name: string;
  readonly transferSize?: number;
}

export function count(entries: readonly Entry[], origin: string): Traffic {
  const requested = entries.filter(({ name }) => /^https?:/.test(name));
  return {
    bytes: requested.reduce((total, { transferSize = 0 }) => total + transferSize, 0),
    requests: requested.length,
    foreign: requested.filter(({ name }) => new URL(name).origin !== origin).length,
  };
}

/** Addresses of the files that this thread has fetched. */
export function fetched(): string[] {
  return performance.getEntriesByType("resource").map(({ name }) => name);
}

/** Tell of everything fetched in this thread from its beginning; nothing where the browser does not count. */
export function watch(tell: (traffic: Traffic) => void): void {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("resource")) return;
  let total = NO_TRAFFIC;
  const observer = new PerformanceObserver((list) => {
    total = sum(total, count(list.getEntries() as unknown as Entry[], location.origin));
    tell(total);
  });
  // Documents and what they load are told apart by the browser; a worker has no document.
  for (const type of ["navigation", "resource"]) {
    if (PerformanceObserver.supportedEntryTypes.includes(type)) observer.observe({ type, buffered: true });
  }
}
