/** `<open-book-app manifest="index/manifest.json">`: the page. `main.ts` defines it, when it knows the page's language. */

import { css, html, LitElement, nothing } from "lit";
import { property, state } from "lit/decorators.js";
import type { Answer } from "./answer";
import "./answer";
import { arrows } from "./arrows";
import type { AskBox } from "./ask-box";
import "./ask-box";
import type { Example, Manifest } from "../index/schema";
import type { Filter } from "../retrieval/filter";
import type { RerankMode, Trace } from "../retrieval/trace";
import { expose } from "./automation";
import type { Exchange, Talk, View as TalkView } from "./conversation";
import { hasTalked } from "./conversation/hint";
import { count } from "./format";
import type { Generator, View as ModelsView } from "./generation";
import { guideBanner, guideStyles, opening } from "./guide";
import { listOf } from "./items";
import "./passages";
import type { Offline } from "./offline";
import { type Depth, note, remember, rememberWorking, type Shown, viewIn, wantsWorking } from "./permalink";
import "./problems";
import "./readiness";
import { type Lean, Session } from "./session";
import { ownWorker } from "./start";
import { INITIAL, type OpenIndex, type State, stageIn, verdictOf } from "./state";
import { statusOf } from "./status";
import { LANGUAGE, S } from "./strings";
import { base } from "./styles";
import { FormulasOnDemand } from "./tex";
import { savesData } from "./thrift";
import { updateNotice, updateStyles } from "./update-notice";

/** How long nothing may have been fetched before what was is kept. */
const QUIET_MS = 2500;

export class OpenBookApp extends LitElement {
  static override styles = [
    base,
    css`
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
      .ask {
        display: grid;
        gap: var(--ob-space-2);
        inline-size: 100%;
        max-inline-size: 46rem;
      }
      ob-filters {
        min-block-size: 3rem;
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
        ob-readiness,
        .guide .steps {
          display: none;
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
    `,
    guideStyles,
    updateStyles,
  ];

  /** Address of the manifest, relative to the page. */
  @property() manifest = "index/manifest.json";
  /** Whether this browser may keep the site for use without a network. */
  @property({ type: Boolean }) offline = false;
  @state() private view: State = INITIAL;
  /** What the box holds. */
  @state() private text = "";
  /** The reader asked for the encoder, or may be taken to want it. */
  @state() private consents = !savesData();
  @state() private models: ModelsView | null = null;
  #generator: Generator | null = null;
  @state() private talk: TalkView | null = null;
  #talk: Talk | null = null;
  #talkOpen: Promise<Talk> | undefined;
  #modelsOpen: Promise<void> | undefined;
  /** What of the working is open. */
  @state() private depth: Depth = null;
  /** Which question of the guide was asked last; null when the reader asked one of their own. */
  @state() private step: number | null = null;
  readonly #formulas = new FormulasOnDemand(this);
  /** Whether what is kept here is in sight. */
  @state() private looks = false;
  #sentenceEnds = 0;
  #session: Session | null = null;
  #offline: Offline | null = null;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  /** Of the site, its folder's address. */
  #root = new URL(document.baseURI);
  readonly #title = document.title;

  override connectedCallback(): void {
    super.connectedCallback();
    this.lang = LANGUAGE;
    // Each language that the page speaks is written so; the course's own text says its direction where it stands.
    this.dir = "ltr";
    if (this.#session) return;
    this.#root = new URL("../", new URL(this.manifest, document.baseURI));
    const session = new Session(this.#root, ownWorker);
    this.#session = session;
    expose(session);
    session.addEventListener("change", () => this.#changed(session));
    addEventListener("popstate", this.#restore);
    this.#restore();
    // A link that another program made may carry the question in its query; from here on it stands behind the #.
    if (location.search !== "") note(this.#shown(this.text));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#restore);
  }

  override render() {
    const { view } = this;
    const list = listOf(view);
    return html`
      <div class="page ${view.mode} ${view.index ? "" : "opening"}" @keydown=${(event: KeyboardEvent) => arrows(event, this.shadowRoot)}>
        <div class="ask">
          ${view.mode === "idle" ? this.#welcome() : nothing}
          <ob-ask-box
            .value=${this.text}
            @ob-use=${this.#use}
            @ob-input=${(event: CustomEvent<string>) => this.#type(event.detail)}
            @ob-ask=${(event: CustomEvent<string>) => this.#ask(event.detail)}
            @ob-clear=${this.#clear}
          ></ob-ask-box>
          <ob-filters
            .index=${view.index}
            .filter=${view.filter}
            @ob-filter=${(event: CustomEvent<Filter | null>) => this.#filter(event.detail)}
          ></ob-filters>
          <ob-readiness .state=${view} .asks=${!this.consents} @ob-load=${this.#load}></ob-readiness>
          ${this.#jump()}
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
            ? html`<div class="results" tabindex="-1" @ob-filter=${() => this.#filter(null)}>
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
                        <ob-answer .state=${view} .formulas=${this.#formulas.value}></ob-answer>
                        ${this.#generation()}
                      </div>`
                    : nothing
                }
                ${list ? html`<ob-passages .list=${list} .formulas=${this.#formulas.value}></ob-passages>` : nothing}
              </div>`
            : nothing
        }
        ${this.talk && view.mode !== "typing" ? this.#earlier() : nothing}
        <ob-working
          .state=${view}
          .root=${this.#root}
          .depth=${this.depth}
          @ob-depth=${(event: CustomEvent<Depth>) => this.#deepen(event.detail)}
          @ob-survey=${() => this.#session?.survey()}
          @ob-gold=${() => this.#session?.gold()}
          @compare=${(event: CustomEvent<number>) => this.#session?.compare(event.detail)}
          @ob-rerank=${(event: CustomEvent<RerankMode>) => this.#rerank(event.detail)}
        ></ob-working>
        ${view.index ? this.#device(view.index) : nothing}
        <ob-language></ob-language>
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
      <summary>${S.storage.summary}</summary>
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

  override focus(): void {
    this.shadowRoot?.querySelector<AskBox>("ob-ask-box")?.focus();
  }

  #welcome() {
    const counts = this.view.index?.manifest.counts;
    return html`<div class="welcome">
      <h2>${S.ask.heading}</h2>
      <p>${counts ? S.ask.lead(counts.lectures, counts.chunks) : nothing}</p>
    </div>`;
  }

  #banner(step: number) {
    const examples = this.view.index?.manifest.examples ?? [];
    return guideBanner(examples, step, {
      next: () => this.#example(step + 1),
      look: () => this.#look(),
    });
  }

  #examples(): readonly Example[] {
    return this.view.index?.manifest.examples ?? [];
  }

  #generation() {
    return this.models
      ? html`<ob-generation
          .state=${this.view}
          .generator=${this.#generator}
          .view=${this.models}
          @ob-write=${this.#write}
          @ob-dig=${this.#dig}
        ></ob-generation>`
      : nothing;
  }

  /** On the way down to what was asked before, which would push the answer away up here. */
  #jump() {
    const { mode, question, queries } = this.view;
    const earlier = this.#talk?.earlier(mode === "asked" ? { question, queries } : null).length ?? 0;
    if (!this.talk || mode === "typing" || earlier === 0) return nothing;
    return html`<p><button class="plain" type="button" @click=${() => this.shadowRoot?.querySelector("ob-earlier")?.scrollIntoView()}>
      ${S.conversation.heading} (${count(earlier)})
    </button></p>`;
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
    const before = this.view;
    this.view = session.state;
    if (!before.index && this.view.index) this.#openedOnce();
    void this.#formulas.follow(session, this.#root);
    if (before.traffic !== this.view.traffic) this.#keepSoon();
    // What is offered below the answer comes with the first answer.
    if (!before.trace && this.view.trace && this.view.index) this.#openModels(this.view.index);
    if (before.turn !== this.view.turn) this.#generator?.leave();
    if (before.queries !== this.view.queries && this.view.queries.length > 0) note(this.#shown(this.view.question));
    if (before.trace !== this.view.trace && this.view.trace) void this.#recorded(this.view.trace);
    const { auto = false, loaded = null } = this.models ?? {};
    if (auto && loaded && !before.trace && verdictOf(this.view) === "answered") void this.#write();
    // Answers that came without the encoder are asked for again now that it is here.
    const arrived = before.encoder.phase !== "ready" && this.view.encoder.phase === "ready";
    if (arrived && this.view.mode === "asked" && verdictOf(this.view) === "unjudged") {
      session.again(true);
    }
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
    this.#keepSoon();
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

  /** What was fetched is kept when nothing more is: it is in nobody's way then. */
  #keepSoon(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => void this.#keep(), QUIET_MS);
  }

  async #keep(): Promise<void> {
    const session = this.#session;
    const manifest = this.view.index?.manifest;
    if (!session || !manifest) return;
    const { Offline, retire } = await import("./offline");
    if (!this.offline) return retire(this.#root);
    this.#offline ??= new Offline(this.#root, manifest, session, () => session.outdated());
    await this.#offline.keep();
  }

  #openModels({ manifest }: OpenIndex): void {
    if (manifest.generation !== null) this.#modelsOpen ??= this.#makeGenerator(manifest);
  }

  async #makeGenerator(manifest: Manifest): Promise<void> {
    const { Generator } = await import("./generation");
    const generator = new Generator(this.#root, manifest, () => performance.now());
    generator.addEventListener("change", () => {
      this.models = generator.view;
      this.#checkSoFar();
    });
    this.#generator = generator;
    this.models = generator.view;
  }

  /** Each sentence of a model is checked when it is there, not at the end. */
  #checkSoFar(): void {
    const written = this.models?.written;
    if (!written || written.stage || written.question !== this.view.question) return;
    const ends = written.text.match(/[.!?\n]/g)?.length ?? 0;
    if (ends > this.#sentenceEnds) this.#session?.check(written.text, false, [], null);
    this.#sentenceEnds = ends;
  }

  /** Let the model answer the question on the page; the block shows it, and the trace holds it. */
  readonly #write = async (): Promise<void> => {
    const session = this.#session;
    const { trace, turn } = this.view;
    if (!session || !trace) return;
    session.generating("running");
    const shown = stageIn(this.view.blocks, "prompt")?.parts.flatMap(({ number }) => number ?? []) ?? [];
    session.check("", false, shown, trace);
    const answered = await this.#generator?.write(trace, () => session.passageTexts(trace));
    if (session.state.turn !== turn) return;
    if (!answered) return session.generating("failed");
    session.record(answered.stage);
    // Of a prompt that was shortened for the model other passages may be left.
    const same = answered.given.length === shown.length;
    session.check(answered.stage.text, true, answered.given, same ? null : trace);
    if (this.#talk) void this.#generator?.summarise(this.#talk);
  };

  /** Let the model search again before it answers. */
  readonly #dig = async (): Promise<void> => {
    const session = this.#session;
    const { trace, turn } = this.view;
    if (!session || !trace) return;
    session.generating("running");
    const onHop = (dug: Trace): void => {
      if (session.state.turn === turn) session.dug(dug);
    };
    const dug = await this.#generator?.dig(trace, (query) => session.search(query), onHop);
    if (session.state.turn !== turn) return;
    if (!dug) return session.generating("failed");
    session.record(dug.stage);
    session.check(dug.stage.text, true, dug.given, dug.trace);
    if (this.#talk) void this.#generator?.summarise(this.#talk);
  };

  #use(): void {
    if (this.consents && this.view.encoder.phase === "idle") this.#session?.loadEncoder();
  }

  #load(): void {
    this.consents = true;
    this.#session?.loadEncoder();
  }

  /** The question is asked again in the way that the reader has chosen. */
  #rerank(mode: RerankMode): void {
    this.#session?.rerankBy(mode);
    if (this.view.mode === "asked") this.#session?.again(this.consents);
  }

  /** What the address is to say. */
  #shown(question: string, queries = this.view.queries): Shown {
    return { question, depth: this.depth, filter: this.view.filter, queries };
  }

  /** Results follow the filter at once. */
  #filter(filter: Filter | null): void {
    this.#session?.filterBy(filter);
    if (this.view.mode === "asked") {
      this.#ask(this.view.question, this.step, this.view.queries);
      return;
    }
    note(this.#shown(""));
    if (this.view.mode === "typing") this.#session?.type(this.text);
  }

  #type(text: string): void {
    this.text = text;
    this.step = null;
    if (text.trim() === "") this.#session?.clear();
    else this.#session?.type(text);
  }

  /** @param queries to search for instead; null for whatever the question before it and this one give */
  #ask(question: string, step: number | null = null, queries: readonly string[] | null = null): void {
    this.text = question;
    this.step = step;
    const lean = this.#leanOf(question, queries);
    remember(this.#shown(question, lean?.queries instanceof Promise ? [] : (lean?.queries ?? [])));
    this.#name(question);
    this.#use();
    void this.#session?.ask(question, this.consents, lean);
  }

  #leanOf(question: string, queries: readonly string[] | null): Lean | undefined {
    const lean = this.#talk?.leanOf(question);
    if (queries) return { queries, before: null, memory: queries.length > 0 ? (lean?.memory ?? null) : null };
    if (!lean?.before || !this.#generator) return lean;
    const exchanges = this.#talk?.view.conversation.exchanges ?? [];
    return { ...lean, queries: this.#generator.rewrite(question, exchanges) };
  }

  /** A question of the guide: asked, with the working open at the stage that it is there for. */
  async #example(step: number): Promise<void> {
    const example = this.#examples()[step];
    if (!example) return;
    this.depth = example.stage;
    // The build has tried it on the whole course.
    this.#session?.filterBy(null);
    void import("./working");
    this.#ask(example.question, step, []);
    await this.updateComplete;
    this.shadowRoot?.querySelector<HTMLElement>(".guide")?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }

  /** A heading that stands for a question where there is no guide. */
  async #suggested(question: string): Promise<void> {
    this.#session?.filterBy(null);
    this.#ask(question);
    await this.updateComplete;
    this.shadowRoot?.querySelector<HTMLElement>(".results")?.focus({ preventScroll: true });
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
    this.#session?.clear();
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
    this.#session?.filterBy(filter);
    this.text = question;
    this.step = null;
    this.#name(question);
    if (question === "") this.#session?.clear();
    else void this.#session?.ask(question, this.consents, { queries, before: null, memory: null });
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "ob-answer": Answer;
    "open-book-app": OpenBookApp;
  }
}
