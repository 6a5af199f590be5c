/** `<open-book-app manifest="index/manifest.json">`: the page. `main.ts` defines it, when it knows the page's language. */

import { html, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type { Example } from "../index/schema";
import type { Filter } from "../retrieval/filter";
import type { Trace } from "../retrieval/trace";
import type { Answer } from "./answer";
import "./answer";
import { appStyles } from "./app-styles";
import { arrows } from "./arrows";
import type { AskBox } from "./ask-box";
import "./ask-box";
import { Asking } from "./asking";
import { expose } from "./automation";
import type { Exchange, Talk, View as TalkView } from "./conversation";
import { hasTalked } from "./conversation/hint";
import { count } from "./format";
import { guideBanner, guideStyles, opening } from "./guide";
import { listOf } from "./items";
import { Keeping } from "./keeping";
import "./passages";
import { type Depth, note, remember, rememberWorking, type Shown, viewIn, wantsWorking } from "./permalink";
import "./problems";
import "./readiness";
import { type Lean, Session } from "./session";
import { ownWorker } from "./start";
import { type OpenIndex, verdictOf } from "./state";
import { statusOf } from "./status";
import { LANGUAGE, S } from "./strings";
import { base } from "./styles";
import { updateNotice, updateStyles } from "./update-notice";
import { Writing } from "./writing";

export class OpenBookApp extends Asking {
  static override styles = [base, appStyles, guideStyles, updateStyles];

  /** Address of the manifest, relative to the page. */
  @property() manifest = "index/manifest.json";
  /** Whether this browser may keep the site for use without a network. */
  @property({ type: Boolean }) offline = false;
  @state() private talk: TalkView | null = null;
  #talk: Talk | null = null;
  #talkOpen: Promise<Talk> | undefined;
  /** Which question of the guide was asked last; null when the reader asked one of their own. */
  @state() private step: number | null = null;
  /** Whether what is kept here is in sight. */
  @state() private looks = false;
  #writing: Writing | null = null;
  #keeping: Keeping | null = null;
  /** Of the site, its folder's address. */
  #root = new URL(document.baseURI);
  readonly #title = document.title;

  override connectedCallback(): void {
    super.connectedCallback();
    this.lang = LANGUAGE;
    // Each language that the page speaks is written so; the course's own text says its direction where it stands.
    this.dir = "ltr";
    if (this.session) return;
    this.#root = new URL("../", new URL(this.manifest, document.baseURI));
    const session = new Session(this.#root, ownWorker);
    this.session = session;
    this.#writing = new Writing(this, this.#root, session, () => this.#talk);
    this.#keeping = new Keeping(this.#root, session, () => this.offline);
    expose(session);
    session.addEventListener("change", () => this.#changed(session));
    addEventListener("popstate", this.#restore);
    this.#restore();
    if (location.search !== "") {
      // Who comes from a lecture's page wants to ask about it.
      if (this.view.filter && this.text === "") void this.#begins();
      // A link that another program made may carry the question in its query; from here on it stands behind the #.
      note(this.#shown(this.text));
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#restore);
  }

  override render() {
    const { view } = this;
    const list = listOf(view);
    return html`
      <div class="page ${view.mode} ${view.index ? "" : "opening"} ${this.depth === null ? "closed" : ""}" @keydown=${(event: KeyboardEvent) => arrows(event, this.shadowRoot)}>
        <div class="ask">
          ${view.mode === "idle" ? this.#welcome() : nothing}
          <ob-ask-box
            .value=${this.text}
            @ob-use=${this.use}
            @ob-input=${(event: CustomEvent<string>) => this.#type(event.detail)}
            @ob-ask=${(event: CustomEvent<string>) => this.#ask(event.detail)}
            @ob-clear=${this.#clear}
          ></ob-ask-box>
          <div class="under">
            ${this.#cleared()}
            <ob-readiness .state=${view} .asks=${!this.consents} @ob-load=${this.load}></ob-readiness>
            ${this.#jump()}
            <ob-filters
              .index=${view.index}
              .filter=${view.filter}
              @ob-filter=${(event: CustomEvent<Filter | null>) => this.#filter(event.detail)}
            ></ob-filters>
          </div>
        </div>
        <p class="visually-hidden" role="status">${statusOf(view)}</p>
        ${view.outdated ? updateNotice() : nothing}
        <ob-problems .errors=${view.openError ? [view.openError] : view.problems}></ob-problems>
        ${
          view.mode === "idle" && view.index
            ? opening(
                view.index,
                (step) => this.#example(step),
                (text) => this.#suggested(text),
              )
            : nothing
        }
        ${this.step !== null && view.mode === "asked" ? this.#banner(this.step) : nothing}
        ${
          view.mode === "asked" || list
            ? html`<div class="results" tabindex="-1" @ob-filter=${() => {
                this.#filter(null);
                void this.#refocus(".results");
              }}>
                ${
                  view.mode === "asked"
                    ? html`<div class="answers">
                        ${
                          view.queries.length > 0
                            ? html`<ob-searched-for
                                .queries=${view.queries}
                                @ob-queries=${(event: CustomEvent<readonly string[]>) => this.#ask(view.question, this.step, event.detail)}
                              ></ob-searched-for>`
                            : nothing
                        }
                        <ob-answer
                          .state=${view}
                          .formulas=${this.formulas.value}
                          @ob-ask=${(event: CustomEvent<string>) => {
                            this.#ask(event.detail);
                            void this.#refocus(".results");
                          }}
                        ></ob-answer>
                        ${this.#writing?.render()}
                      </div>`
                    : nothing
                }
                ${list ? html`<ob-passages .list=${list} .formulas=${this.formulas.value}></ob-passages>` : nothing}
              </div>`
            : nothing
        }
        ${this.talk && view.mode !== "typing" ? this.#earlier() : nothing}
        ${this.blocks(this.#root, "", (depth) => this.#deepen(depth))}
        <div class="foot">
          ${view.index ? this.#device(view.index) : nothing}
          <ob-language></ob-language>
        </div>
      </div>
    `;
  }

  /** What is kept here: loaded when the reader looks. */
  #device({ manifest }: OpenIndex) {
    const look = (event: Event): void => {
      const { open } = event.target as HTMLDetailsElement;
      if (open) void import("./storage");
      this.looks = open;
    };
    return html`<details class="device" @toggle=${look}>
      <summary>${S.kept}</summary>
      ${
        this.looks
          ? html`<ob-storage
              .root=${this.#root}
              .manifest=${manifest}
              .offline=${this.offline}
              @ob-forgot=${(event: CustomEvent<readonly string[]>) => this.#forgot(event.detail)}
            ></ob-storage>`
          : nothing
      }
    </details>`;
  }

  /** What was deleted from this device goes from the page too. */
  #forgot(kinds: readonly string[]): void {
    if (kinds.includes("conversation")) this.#talk?.clear();
  }

  async #begins(): Promise<void> {
    await this.updateComplete;
    await this.shadowRoot?.querySelector<AskBox>("ob-ask-box")?.updateComplete;
    this.focus();
  }

  override focus(): void {
    this.shadowRoot?.querySelector<AskBox>("ob-ask-box")?.focus();
  }

  #welcome() {
    const counts = this.view.index?.manifest.counts;
    return html`<div class="welcome">
      <h2>${S.ask.heading}</h2>
      <p>${counts ? S.ask.lead(counts.lectures) : nothing}</p>
    </div>`;
  }

  #banner(step: number) {
    return guideBanner(this.#examples(), step, this.view.question, {
      next: () => this.#example(step + 1),
      look: () => this.#look(),
      followUp: () => this.#followUp(step),
    });
  }

  #examples(): readonly Example[] {
    return this.view.index?.manifest.examples ?? [];
  }

  /** On the way down to what was asked before, which would push the answer away up here. */
  #jump() {
    const { mode, question, queries } = this.view;
    const earlier = this.#talk?.earlier(mode === "asked" ? { question, queries } : null).length ?? 0;
    if (!this.talk || mode === "typing" || earlier === 0) return nothing;
    return html`<button class="plain jump" type="button" @click=${() => this.shadowRoot?.querySelector("ob-earlier")?.scrollIntoView()}>
      ${S.conversation.heading} (${count(earlier)})
    </button>`;
  }

  /** Below the box, where the reader is after a new beginning. */
  #cleared() {
    const { cleared, conversation } = this.talk ?? {};
    if (!cleared || cleared.exchanges.length === 0 || conversation?.exchanges.length) return nothing;
    const bringBack = (): void => {
      this.#talk?.bringBack();
      void this.#refocus(".jump");
    };
    return html`<p class="cleared" role="status">
      ${S.conversation.cleared} <button class="plain" type="button" @click=${bringBack}>${S.conversation.undo}</button>
    </p>`;
  }

  #earlier() {
    const { mode, question, queries } = this.view;
    return html`<ob-earlier
      .talk=${this.#talk}
      .view=${this.talk}
      .exchanges=${this.#talk?.earlier(mode === "asked" ? { question, queries } : null) ?? []}
      @ob-again=${(event: CustomEvent<Exchange>) => this.#ask(event.detail.question, null, event.detail.queries)}
      @ob-new=${this.#begin}
    ></ob-earlier>`;
  }

  /** The question in the tab's title, so that the history can be read. */
  #name(question: string): void {
    document.title = question === "" ? this.#title : `${question} · ${this.#title}`;
  }

  #changed(session: Session): void {
    const before = this.follow(session, this.#root);
    const { view } = this;
    if (!before.index && view.index) this.#openedOnce();
    if (before.traffic !== view.traffic) this.#keeping?.soon();
    // What is offered below the answer comes with the first answer.
    if (!before.trace && view.trace && view.index) this.#writing?.open(view.index.manifest);
    if (before.turn !== view.turn) this.#writing?.leave();
    if (before.queries !== view.queries && view.queries.length > 0) note(this.#shown(view.question));
    if (before.trace !== view.trace && view.trace) void this.#recorded(view.trace);
    const answered = !before.trace && verdictOf(view) === "answered";
    if (answered && this.#writing?.writesAlways) void this.#writing.write();
    this.askAgain(session, before);
  }

  /** The working is no part of the first results: it comes when the page has nothing else to do. */
  #openedOnce(): void {
    void import("./filters");
    const load = (): void => {
      void import("./working");
      void import("./language-menu");
    };
    if (this.depth !== null) load();
    else if ("requestIdleCallback" in globalThis) requestIdleCallback(load, { timeout: 2000 });
    else setTimeout(load, 500);
    if (hasTalked(this.#root)) void this.#openTalk();
    this.#keeping?.soon();
  }

  /** What was asked joins the conversation, which comes with the first answer, or with what was kept of the last visit. */
  async #recorded(trace: Trace): Promise<void> {
    (await this.#openTalk()).record(trace);
  }

  #openTalk(): Promise<Talk> {
    this.#talkOpen ??= import("./conversation").then(async ({ openTalk }) => {
      const talk = openTalk(this.#root);
      talk.addEventListener("change", () => {
        this.talk = talk.view;
      });
      this.#talk = talk;
      await talk.restore();
      return talk;
    });
    return this.#talkOpen;
  }

  /** What the address is to say. */
  #shown(question: string, queries = this.view.queries): Shown {
    return { question, depth: this.depth, filter: this.view.filter, queries };
  }

  /** Results follow the filter at once. */
  #filter(filter: Filter | null): void {
    this.session?.filterBy(filter);
    if (this.view.mode === "asked") {
      this.#ask(this.view.question, this.step, this.view.queries);
      return;
    }
    note(this.#shown(""));
    if (this.view.mode === "typing") this.session?.type(this.text);
  }

  #type(text: string): void {
    this.text = text;
    this.step = null;
    if (text.trim() === "") this.session?.clear();
    else this.session?.type(text);
  }

  /** @param queries to search for instead; null for whatever the question before it and this one give */
  #ask(question: string, step: number | null = null, queries: readonly string[] | null = null): void {
    this.text = question;
    this.step = step;
    const lean = this.#leanOf(question, queries);
    remember(this.#shown(question, lean?.queries instanceof Promise ? [] : (lean?.queries ?? [])));
    this.#name(question);
    this.use();
    void this.session?.ask(question, this.consents, lean);
  }

  #leanOf(question: string, queries: readonly string[] | null): Lean | undefined {
    const lean = this.#talk?.leanOf(question, this.view.index?.manifest.course.language);
    if (queries) return { queries, before: null, memory: queries.length > 0 ? (lean?.memory ?? null) : null };
    if (!lean?.before) return lean;
    const rewritten = this.#writing?.rewrite(question, this.#talk?.view.conversation.exchanges ?? []);
    return rewritten ? { ...lean, queries: rewritten } : lean;
  }

  /** A question of the guide: asked, with the working open at the stage that it is there for. */
  async #example(step: number): Promise<void> {
    const example = this.#examples()[step];
    if (!example) return;
    this.depth = example.stage;
    // The build has tried it on the whole course.
    this.session?.filterBy(null);
    void import("./working");
    this.#ask(example.question, step, []);
    await this.#refocus(".guide");
    scrollTo({ top: 0 });
  }

  /** The second turn of a question of the guide, which leans on the first as a reader's own would. */
  async #followUp(step: number): Promise<void> {
    const { trace } = this.view;
    const question = this.#examples()[step]?.follow_up;
    if (!question || !trace) return;
    await this.#recorded(trace);
    this.#ask(question, step);
    await this.#refocus(".guide");
  }

  /** A heading that stands for a question where there is no guide. */
  async #suggested(question: string): Promise<void> {
    this.session?.filterBy(null);
    this.#ask(question);
    await this.#refocus(".results");
  }

  /** What was pressed goes with what it stood in: what takes its place has the focus then, not the whole document. */
  async #refocus(place: ".results" | ".guide" | ".jump"): Promise<void> {
    await this.updateComplete;
    this.shadowRoot?.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
  }

  #look(): void {
    const working = this.shadowRoot?.querySelector("ob-working");
    (working as { look?: () => void } | null)?.look?.();
  }

  /** The reader opened or closed the working, or a block of it. */
  #deepen(depth: Depth): void {
    this.depth = depth;
    rememberWorking(depth !== null);
    note(this.#shown(this.view.mode === "asked" ? this.view.question : ""));
  }

  #clear(): void {
    this.text = "";
    this.step = null;
    remember(this.#shown(""));
    this.#name("");
    this.session?.clear();
  }

  /** A new conversation: what was said is no longer leant on. */
  async #begin(): Promise<void> {
    this.#talk?.clear();
    this.#clear();
    await this.updateComplete;
    this.focus();
  }

  readonly #restore = (): void => {
    const shown = viewIn(location);
    if (!shown) return;
    const { question, depth, filter, queries } = shown;
    this.depth = depth ?? (wantsWorking() ? "" : null);
    const { view } = this;
    const same = JSON.stringify([filter, queries]) === JSON.stringify([view.filter, view.queries]);
    if (view.mode === "asked" && view.question === question && same) return;
    this.session?.filterBy(filter);
    this.text = question;
    this.step = null;
    this.#name(question);
    if (question === "") this.session?.clear();
    else void this.session?.ask(question, this.consents, { queries, before: null, memory: null });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-answer": Answer;
    "open-book-app": OpenBookApp;
  }
}
