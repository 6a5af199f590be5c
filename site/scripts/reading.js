// What a page of notes or slides does beyond HTML: marks where one is in the contents, opens the contents on wide
// screens, and turns slides with the arrow keys. Without it everything can still be read and followed.

const contents = document.querySelector(".contents details");
// Not the other way round: what folds after it was drawn pushes the text about.
if (contents && matchMedia("(min-width: 62rem)").matches) contents.open = true;

const links = new Map();
for (const link of document.querySelectorAll(".contents a")) {
  const target = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (target) links.set(target, link);
}

// A citation leads to its sentence (a text fragment behind the anchor). A browser that knows those takes the directive
// out of the address and highlights the sentence; in one that does not it is still there, and the anchor is not found.
const [anchor, directive] = decodeURI(location.hash).split(":~:text=");
if (directive !== undefined) {
  const part = document.getElementById(decodeURIComponent(anchor.slice(1)));
  const range = part && rangeOf(part.closest("section, .slide") ?? part, location.hash.split(":~:text=")[1]);
  (range?.startContainer.parentElement ?? part)?.scrollIntoView({ block: range ? "center" : "start" });
  if (range) {
    if (globalThis.CSS?.highlights) CSS.highlights.set("ob-cited", new Highlight(range));
    else getSelection()?.addRange(range);
  }
  history.replaceState(history.state, "", anchor);
}

/** Where the words of `text=start,end` stand in an element, whatever the tags and spaces between them. */
function rangeOf(element, text) {
  const [start, end] = text.split("&")[0].split(",").map((words) => squeeze(decodeURIComponent(words)));
  const places = [];
  let all = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    for (let offset = 0; offset < node.data.length; offset++) {
      const space = /\s/.test(node.data[offset]);
      if (space && (all === "" || all.endsWith(" "))) continue;
      all += space ? " " : node.data[offset];
      places.push([node, offset]);
    }
  }
  const first = all.toLowerCase().indexOf(start);
  if (first < 0) return null;
  const tail = end ? all.toLowerCase().indexOf(end, first + start.length) : first;
  const last = (tail < 0 ? first + start.length : tail + (end ?? start).length) - 1;
  const range = document.createRange();
  range.setStart(...places[first]);
  range.setEnd(places[last][0], places[last][1] + 1);
  return range;
}

function squeeze(words) {
  return words.replace(/\s+/g, " ").trim().toLowerCase();
}

const slides = [...document.querySelectorAll(".slide")];
let current = null;

function mark() {
  const edge = innerHeight / 3;
  let found = null;
  for (const target of links.keys()) {
    if (target.getBoundingClientRect().top > edge) break;
    found = target;
  }
  if (found === current) return;
  links.get(current)?.removeAttribute("aria-current");
  links.get(found)?.setAttribute("aria-current", "true");
  current = found;
}

let waiting = false;
addEventListener(
  "scroll",
  () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  },
  { passive: true },
);
mark();

function turn(step) {
  const active = slides.findIndex((slide) => slide.contains(document.activeElement));
  const seen = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 3);
  const from = active >= 0 ? active : seen - (step > 0 && slides[seen]?.getBoundingClientRect().top > 8 ? 1 : 0);
  const to = Math.max(0, Math.min(slides.length - 1, from + step));
  if (to === from) return;
  const slide = slides[to];
  slide.focus({ preventScroll: true });
  slide.scrollIntoView({ block: "start" });
  history.replaceState(null, "", `#${encodeURIComponent(slide.id)}`);
}

addEventListener("keydown", (event) => {
  if (!slides.length || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, [contenteditable], pre, .table, .equation")) return;
  const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (event.key === forward) turn(1);
  else if (event.key === back) turn(-1);
  else if (event.key.toLowerCase() === "n") {
    const notes = [...document.querySelectorAll(".speaker-notes")];
    const open = notes.some((note) => !note.open);
    for (const note of notes) note.open = open;
  } else return;
  event.preventDefault();
});

// As on the page that answers; from here they lead to its box, with this lecture to ask about.
addEventListener("keydown", (event) => {
  const slash = event.key === "/" && !event.altKey && !event.ctrlKey && !event.metaKey;
  const search = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const ask = document.querySelector('.actions a[href*="index.html?lecture="]');
  if (!ask || !(slash || search) || event.isComposing) return;
  if (slash && event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  ask.click();
});

// What scrolls in its own box must be a stop of the Tab key to be scrolled without a pointer, and only then.
const boxes = document.querySelectorAll("pre, .table, .equation");
const observer = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const box of boxes) observer.observe(box);

// The page that answers, in a frame: as high as it says that it is.
addEventListener("message", ({ origin, source, data }) => {
  if (origin !== location.origin || data?.type !== "open-book:height" || !Number.isFinite(data.height)) return;
  for (const frame of document.querySelectorAll("iframe.book")) {
    if (frame.contentWindow === source) frame.style.blockSize = `${data.height}px`;
  }
});
