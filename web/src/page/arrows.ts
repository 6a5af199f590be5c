/** The arrow keys go from the question to its results, through them, and back. */

/** @param root of the component that holds the box and the list */
export function arrows(event: KeyboardEvent, root: ShadowRoot | null): void {
  const { key } = event;
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  const leaves = key === "Escape";
  if ((step === 0 && !leaves) || event.isComposing || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
    return;
  const box = root?.querySelector<HTMLElement>("ob-ask-box");
  const links = linksIn(root);
  const target = event.composedPath()[0];
  const at = links.indexOf(target as HTMLElement);
  if (at >= 0) {
    const next = leaves || at + step < 0 ? box : links[at + step];
    next?.focus();
    event.preventDefault();
  } else if (step === 1 && target instanceof HTMLTextAreaElement && links[0]) {
    // Within the text the key is the text's own.
    const { selectionStart, selectionEnd, value } = target;
    if (selectionStart !== selectionEnd || selectionEnd !== value.length) return;
    links[0].focus();
    event.preventDefault();
  }
}

/** The titles of the passages, in order. */
function linksIn(root: ShadowRoot | null): HTMLElement[] {
  const items = root?.querySelector("ob-passages")?.shadowRoot?.querySelectorAll("ob-passage") ?? [];
  return [...items].flatMap((item) => item.shadowRoot?.querySelector<HTMLElement>("h3 a") ?? []);
}
