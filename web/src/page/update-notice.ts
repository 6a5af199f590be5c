/** One line that says that the host has a newer version of the notes than the page that is open. */

import { css, html } from "lit";
import { S } from "./strings";

export const updateStyles = css`
  .update {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--ob-space-2) var(--ob-space-4);
    padding: var(--ob-space-3) var(--ob-space-4);
    border-inline-start: 4px solid var(--ob-accent);
    border-radius: var(--ob-radius);
    background: var(--ob-accent-wash);
    font-size: var(--ob-text-s);
  }
`;

export function updateNotice() {
  return html`<div class="update" role="status">
    <span>${S.update.notice}</span>
    <button class="button" @click=${() => location.reload()}>${S.update.reload}</button>
  </div>`;
}
