/**
 * `openbook.js`, the file that other pages name: defines `<open-book src="…">`, and loads what is in it when it comes
 * into sight. What the page's author put between its tags (a link to the site) is shown until then, where scripts do
 * not run, and where loading fails.
 */

import type { EmbeddedBox } from "./page/embed/box";

/** How far below the fold it begins to load. */
const AHEAD = "400px";

class OpenBook extends HTMLElement {
  static readonly observedAttributes = ["src", "question", "lecture", "compact", "working"];
  #box: EmbeddedBox | null = null;
  #seen: IntersectionObserver | null = null;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const shadow = this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    // What has no height at all is never in sight for a browser, in a frame at least.
    style.replaceSync(":host { display: block; min-block-size: 1px } :host([hidden]) { display: none }");
    shadow.adoptedStyleSheets = [style];
    shadow.append(document.createElement("slot"));
    this.#seen = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.#seen?.disconnect();
        void this.#load(shadow);
      },
      { rootMargin: AHEAD },
    );
    this.#seen.observe(this);
  }

  attributeChangedCallback(): void {
    this.#set();
  }

  async #load(shadow: ShadowRoot): Promise<void> {
    const { make } = await import("./page/embed/box");
    const root = this.#root();
    if (!root) return;
    this.#box = await make(root, shadow);
    this.#set();
    shadow.replaceChildren(this.#box);
  }

  #set(): void {
    const box = this.#box;
    const root = this.#root();
    if (!box || !root) return;
    box.root = root;
    box.question = this.getAttribute("question")?.trim() ?? "";
    box.lecture = this.getAttribute("lecture")?.trim() ?? "";
    box.compact = this.hasAttribute("compact");
    box.working = this.hasAttribute("working");
  }

  /** The folder of the site that is asked: of `src`, else the one that this script stands in. Null when it is none. */
  #root(): URL | null {
    const src = this.getAttribute("src")?.trim();
    let url: URL;
    try {
      url = src ? new URL(src, document.baseURI) : new URL("./", import.meta.url);
    } catch {
      return null;
    }
    if (!/^https?:$/.test(url.protocol)) return null;
    url.search = url.hash = "";
    const named = /\/[^/]*\.html$/.test(url.pathname);
    if (named) return new URL("./", url);
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url;
  }
}

// A second copy of this script, of another site or version, leaves the first as it is.
if (!customElements.get("open-book")) customElements.define("open-book", OpenBook);
