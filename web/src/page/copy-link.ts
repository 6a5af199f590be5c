/** `<ob-copy-link>`: puts the address of what is shown on the clipboard. */

import { css, html, LitElement, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { link } from "./icons";
import { S } from "./strings";
import { base } from "./styles";

@customElement("ob-copy-link")
export class CopyLink extends LitElement {
  static override styles = [
    base,
    css`
      .plain {
        display: inline-flex;
        align-items: center;
        gap: var(--ob-space-1);
        text-decoration: none;
      }
      .plain:hover {
        text-decoration: underline;
      }
    `,
  ];

  /** "" for the page's own. */
  @property() address = "";
  /** How the button looks. */
  @property() look: "button" | "plain" = "button";
  @state() private copied: "" | "yes" | "no" = "";

  override render() {
    const { linked, linkFailed, link: label } = S.working;
    return html`<button class=${this.look} @click=${this.#copy}>
        ${link}<span aria-live="polite">${this.copied === "yes" ? linked : this.copied === "no" ? linkFailed : label}</span>
      </button>`;
  }

  /** Another answer has another address. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("address")) this.copied = "";
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.address || location.href);
      this.copied = "yes";
    } catch {
      this.copied = "no"; // plain http: the address bar holds the same link
    }
  }
}
