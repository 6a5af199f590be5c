/** The page's language models: they come with the first answer, write when asked to, and are checked as they write. */

import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { Manifest } from "../index/schema";
import type { Trace } from "../retrieval/trace";
import type { Exchange, Talk } from "./conversation";
import type { Generator, View } from "./generation";
import type { Session } from "./session";
import { stageIn } from "./state";
import { S } from "./strings";

export class Writing {
  readonly #host: ReactiveControllerHost;
  readonly #root: URL;
  readonly #session: Session;
  readonly #talk: () => Talk | null;
  #opening: Promise<void> | undefined;
  #generator: Generator | null = null;
  #sentenceEnds = 0;

  /** @param talk the conversation, which is summarised after an answer */
  constructor(host: ReactiveControllerHost, root: URL, session: Session, talk: () => Talk | null) {
    this.#host = host;
    this.#root = root;
    this.#session = session;
    this.#talk = talk;
  }

  get view(): View | null {
    return this.#generator?.view ?? null;
  }

  /** Whether the reader wants each answer written without asking, and a model is there. */
  get writesAlways(): boolean {
    return this.view?.auto === true && this.view.loaded !== null;
  }

  open(manifest: Manifest): void {
    if (manifest.generation !== null) this.#opening ??= this.#make(manifest);
  }

  /** The question that was written about is no longer on the page. */
  leave(): void {
    this.#generator?.leave();
  }

  /** What to search for in place of a follow-up; undefined where no model can say. */
  rewrite(question: string, exchanges: readonly Exchange[]) {
    return this.#generator?.rewrite(question, exchanges);
  }

  render(): TemplateResult | typeof nothing {
    return this.view
      ? html`<ob-generation
          .state=${this.#session.state}
          .generator=${this.#generator}
          .view=${this.view}
          @ob-write=${this.write}
          @ob-dig=${this.#dig}
        ></ob-generation>
        <div class="visually-hidden" role="log" aria-label=${S.generation.heading}>${this.#said()}</div>`
      : nothing;
  }

  /** What a screen reader is told while it is written: each sentence once, when it is whole and has been checked. */
  #said(): TemplateResult[] {
    return this.#session.state.checked.map(({ text, citations, verdict }) => {
      const cites = citations.map((number) => ` [${number}]`).join("");
      return html`<p>${text}${cites}${verdict === "no-claim" ? "" : `: ${S.generation.verdicts[verdict]}`}</p>`;
    });
  }

  /** Let the model answer the question on the page; the block shows it, and the trace holds it. */
  readonly write = async (): Promise<void> => {
    const session = this.#session;
    const { trace, turn, blocks } = session.state;
    if (!trace) return;
    session.generating("running");
    const shown = stageIn(blocks, "prompt")?.parts.flatMap(({ number }) => number ?? []) ?? [];
    session.check("", false, shown, trace);
    const answered = await this.#generator?.write(trace, () => session.passageTexts(trace));
    if (session.state.turn !== turn) return;
    if (!answered) return session.generating("failed");
    session.record(answered.stage);
    // Of a prompt that was shortened for the model other passages may be left.
    const same = answered.given.length === shown.length;
    session.check(answered.stage.text, true, answered.given, same ? null : trace);
    this.#summarise();
  };

  /** Let the model search again before it answers. */
  readonly #dig = async (): Promise<void> => {
    const session = this.#session;
    const { trace, turn } = session.state;
    if (!trace) return;
    session.generating("running");
    const onHop = (dug: Trace): void => {
      if (session.state.turn === turn) session.dug(dug);
    };
    const dug = await this.#generator?.dig(trace, (query) => session.search(query), onHop);
    if (session.state.turn !== turn) return;
    if (!dug) return session.generating("failed");
    session.record(dug.stage);
    session.check(dug.stage.text, true, dug.given, dug.trace);
    this.#summarise();
  };

  #summarise(): void {
    const talk = this.#talk();
    if (talk) void this.#generator?.summarise(talk);
  }

  async #make(manifest: Manifest): Promise<void> {
    const { Generator } = await import("./generation");
    const generator = new Generator(this.#root, manifest, () => performance.now());
    generator.addEventListener("change", () => {
      this.#host.requestUpdate();
      this.#checkSoFar();
    });
    this.#generator = generator;
    this.#host.requestUpdate();
  }

  /** Each sentence of a model is checked when it is there, not at the end. */
  #checkSoFar(): void {
    const written = this.view?.written;
    if (!written || written.stage || written.question !== this.#session.state.question) return;
    const ends = written.text.match(/[.!?\n]/g)?.length ?? 0;
    if (ends > this.#sentenceEnds) this.#session.check(written.text, false, [], null);
    this.#sentenceEnds = ends;
  }
}
