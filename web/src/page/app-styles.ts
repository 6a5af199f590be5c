/** Styles of the page: how its parts stand to each other at each width. */

import { css } from "lit";

export const appStyles = css`
  :host {
    color: var(--ob-ink);
    font-family: var(--ob-sans);
    line-height: var(--ob-leading);
  }
  .page {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--ob-space-5);
    max-inline-size: var(--ob-wide);
    margin-inline: auto;
    padding: var(--ob-space-6) var(--ob-gutter) var(--ob-space-8);
  }
  /* What is asked, and what is read as a list, in the middle; what stands beside each other, over the whole width. */
  .ask,
  .tour,
  .contents,
  .typing .results,
  .closed:not(.asked) ob-working,
  .closed:not(.asked) .foot {
    justify-self: center;
    inline-size: 100%;
    max-inline-size: 46rem;
  }
  .ask {
    display: grid;
    gap: var(--ob-space-2);
  }
  /* Its room is kept before the index is open, and is the same for each of its sentences. */
  .under {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    align-content: start;
    gap: 0 var(--ob-space-4);
    min-block-size: 3.5rem;
  }
  .under ob-readiness,
  .under .cleared {
    flex: 1 0 100%;
  }
  .under .cleared {
    font-size: var(--ob-text-s);
  }
  .under:has(ob-readiness[gone]) {
    min-block-size: 1.75rem;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    justify-content: space-between;
    gap: var(--ob-space-3) var(--ob-space-5);
  }
  .foot .device {
    flex: 1 1 20rem;
  }
  .idle .ask {
    margin-block-start: clamp(0rem, 6vh, 3rem);
  }
  .welcome {
    margin-block-end: var(--ob-space-4);
  }
  .welcome h2 {
    font-family: var(--ob-serif);
    font-size: var(--ob-text-3xl);
  }
  .welcome p {
    margin-block-start: var(--ob-space-3);
    color: var(--ob-ink-soft);
    font-family: var(--ob-serif);
    font-size: var(--ob-text-read);
    line-height: var(--ob-leading);
    /* The room of what it says once the index is open, as below. */
    min-block-size: 2lh;
  }
  .opening ob-working {
    visibility: hidden;
  }
  .results {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--ob-space-6);
  }
  .answers {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--ob-space-5);
  }
  /* What follows stays below the fold from the first moment on, so that nothing in sight is pushed away. */
  .asked .results {
    min-block-size: 75vh;
    align-content: start;
  }
  @media (max-width: 30rem) {
    .welcome p {
      min-block-size: 3lh;
    }
  }
  @media (max-width: 61.99rem) {
    ob-readiness {
      min-block-size: 3.25rem;
    }
    .under {
      min-block-size: 6rem;
    }
    .asked ob-answer {
      min-block-size: 15rem;
    }
  }
  .results:focus {
    outline: 0;
  }
  .typing ob-passages {
    max-inline-size: 46rem;
  }
  @media (min-width: 62rem) {
    .asked .results {
      grid-template-columns: minmax(0, 5fr) minmax(0, 6fr);
      gap: var(--ob-space-7);
      align-items: start;
    }
    /* The answer stays in sight beside its passages. */
    .asked .answers {
      position: sticky;
      inset-block-start: var(--ob-space-5);
    }
  }
  @media print {
    .page {
      padding-inline: 0;
    }
    .under,
    .foot,
    .guide .steps {
      display: none;
    }
    .asked .results {
      display: block;
      min-block-size: 0;
    }
    .asked .answers {
      position: static;
    }
  }
  .device summary {
    inline-size: fit-content;
    min-block-size: 1.75rem;
    color: var(--ob-ink-soft);
    font-size: var(--ob-text-s);
    cursor: pointer;
  }
  /* Its room is kept before it has loaded. */
  ob-working {
    min-block-size: 4.75rem;
    margin-block-start: var(--ob-space-5);
    padding-block-start: var(--ob-space-4);
    border-block-start: 1px solid var(--ob-rule);
  }
`;
