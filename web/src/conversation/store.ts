/**
 * Where a conversation is kept: in this browser's IndexedDB, under the site's path, and nowhere else. Two courses on one
 * origin are kept apart.
 */

const NAME = "openbook conversation";
const STORE = "by site";

export class ConversationStore {
  readonly #key: string;
  #opened: Promise<IDBDatabase> | undefined;

  constructor(root: URL) {
    this.#key = root.pathname;
  }

  /** What is kept; undefined for nothing. @throws where the browser keeps nothing */
  async read(): Promise<unknown> {
    const store = (await this.#open()).transaction(STORE).objectStore(STORE);
    return done(store.get(this.#key));
  }

  /** @throws where the browser keeps nothing, or has no room */
  async write(record: unknown): Promise<void> {
    const store = (await this.#open()).transaction(STORE, "readwrite").objectStore(STORE);
    await done(store.put(record, this.#key));
  }

  async clear(): Promise<void> {
    const store = (await this.#open()).transaction(STORE, "readwrite").objectStore(STORE);
    await done(store.delete(this.#key));
  }

  #open(): Promise<IDBDatabase> {
    this.#opened ??= (() => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      return done(request);
    })();
    return this.#opened;
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
