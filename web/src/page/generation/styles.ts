/** What the two components of generation share. */

import { css } from "lit";
import { progressBar } from "../styles";

export const generationStyles = css`
  ${progressBar}
  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--ob-space-4);
    padding: var(--ob-space-4);
    border: 1px solid var(--ob-rule);
    border-radius: var(--ob-radius-l);
    background: var(--ob-raised);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--ob-space-2) var(--ob-space-4);
  }
  .primary {
    border-color: var(--ob-accent);
    background: var(--ob-accent);
    color: var(--ob-on-accent);
    font-weight: 600;
  }
  .primary:hover {
    border-color: var(--ob-accent-strong);
    background: var(--ob-accent-strong);
    color: var(--ob-on-accent);
  }
  .failure {
    padding: var(--ob-space-3) var(--ob-space-4);
    border-inline-start: 3px solid var(--ob-bad);
    border-radius: var(--ob-radius-s);
    background: var(--ob-bad-wash);
    font-size: var(--ob-text-s);
  }
  .failure p + p {
    margin-block-start: var(--ob-space-1);
  }
  progress {
    inline-size: 100%;
    block-size: 0.5rem;
  }
  label.check {
    display: inline-flex;
    align-items: center;
    gap: var(--ob-space-2);
    min-block-size: 1.75rem;
    font-size: var(--ob-text-s);
    cursor: pointer;
  }
  input[type="checkbox"],
  input[type="radio"] {
    inline-size: 1.125rem;
    block-size: 1.125rem;
    margin: 0;
    flex: none;
    accent-color: var(--ob-accent);
  }
`;
