/** Whether a conversation was kept here, known without opening the database or loading what draws it. */

const key = (root: URL): string => `openbook ${root.pathname} conversation`;

export function hasTalked(root: URL): boolean {
  try {
    return localStorage.getItem(key(root)) !== null;
  } catch {
    return false; // no storage here, so nothing was kept
  }
}

export function noteTalk(root: URL, talked: boolean): void {
  try {
    if (talked) localStorage.setItem(key(root), "kept");
    else localStorage.removeItem(key(root));
  } catch {
    // as above
  }
}
