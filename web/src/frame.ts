/** `embed.html`: `<open-book>` with the address's parameters as its attributes, and its height told to the page round it. */

/** What the page in the frame tells the one round it, each time that it changes. Heights in CSS pixels. */
export interface HeightMessage {
  readonly type: "open-book:height";
  readonly height: number;
}

const given = new URLSearchParams(location.search);

const scheme = given.get("scheme");
if (scheme === "light" || scheme === "dark") document.documentElement.dataset["scheme"] = scheme;

const target = given.get("target");
if (target && /^_(?:self|blank|parent|top)$/.test(target))
  document.querySelector("base")?.setAttribute("target", target);

const book = document.createElement("open-book");
const question = given.get("question") ?? given.get("q");
if (question) book.setAttribute("question", question);
for (const name of ["lecture", "compact", "working"]) {
  const value = given.get(name);
  if (value !== null && value !== "false") book.setAttribute(name, value);
}
const accent = given.get("accent");
if (accent && CSS.supports("color", accent)) book.style.setProperty("--open-book-accent", accent);
document.querySelector("main")?.append(book);

if (parent !== window) {
  let told = -1;
  const tell = (): void => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    // Before the component is there it has no height, and a frame of none would never come into sight, nor load.
    if (height === told || !book.shadowRoot?.querySelector("ob-embedded-box")) return;
    told = height;
    // To whoever it is: a height is no secret.
    parent.postMessage({ type: "open-book:height", height } satisfies HeightMessage, "*");
  };
  new ResizeObserver(tell).observe(document.body);
}
