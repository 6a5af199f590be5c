/**
 * At most `limit` ids, the last of them the closing special token.
 *
 * Cutting from the end would lose it, and the model then reads an unfinished text (cosine down to 0.987).
 */
export function cut(ids: readonly number[], limit: number): number[] {
  const closing = ids.at(-1);
  if (ids.length <= limit || closing === undefined) return [...ids];
  return [...ids.slice(0, limit - 1), closing];
}
