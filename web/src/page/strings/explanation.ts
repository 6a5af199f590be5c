/** What the page says of an error. */

export interface Explanation {
  readonly title: string;
  /** What to do about it. */
  readonly next: string;
}
