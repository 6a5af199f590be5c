/**
 * The working: the pipeline as connected blocks, each with its state, time and counts; opened, with its numbers.
 *
 * Where there is room it is a diagram from left to right; on a narrow screen the same list of blocks becomes a line
 * with a branch, and a block's numbers open below it.
 */

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { StageName } from "../retrieval/trace";
import { BUILD_BLOCKS, type BuildBlock, buildCount, buildTime } from "./build-blocks";
import { type BuildReport, fetchBuildReport } from "./build-report";
import { cost, costStyles, stageTimes, timeBar } from "./cost";
import { diagramStyles } from "./diagram-styles";
import { exportTrace } from "./export";
import { flowStyles } from "./flow-styles";
import { count, day, duration } from "./format";
import { glyph, glyphStyles } from "./glyphs";
import { chevron, download, shut, stateIcon } from "./icons";
import type { Depth } from "./permalink";
import { type Block, type OpenIndex, STAGES, type State, stageIn } from "./state";
import { S } from "./strings";
import { P } from "./strings/panels";
import { base } from "./styles";

type Panels = typeof import("./panels");
type PanelContext = import("./panels/parts").PanelContext;
type Opened = StageName | `build-${BuildBlock}`;

@customElement("ob-working")
export class Working extends LitElement {
  static override styles = [base, flowStyles, diagramStyles, glyphStyles, costStyles];

  @property({ attribute: false }) state!: State;
  /** Address of the site's root folder. */
  @property({ attribute: false }) root!: URL;
  @state() private report: BuildReport | null = null;
  /** What "Copy a link" copies, where it is not the page's own address. */
  @property() address = "";
  /** Null: closed. "": open, no block. Else the block that is open. */
  @property({ attribute: false }) depth: Depth = null;
  @state() private panels: Panels | null = null;
  @state() private copied: "" | "yes" | "no" = "";
  #pressed = false;

  // Not before: what was set on the element before its class had loaded is there only now.
  override firstUpdated(): void {
    void fetchBuildReport(this.root).then((report) => {
      this.report = report;
    });
  }

  override render() {
    const { index, mode, trace } = this.state;
    if (!index) return nothing;
    if (this.depth === null) return this.#closed();
    return html`
      <section aria-labelledby="heading">
        <header>
          <h2 id="heading">${S.working.heading}</h2>
          <p class="actions">
            ${
              trace
                ? html`<ob-copy-link .address=${this.address}></ob-copy-link>
                    <button class="button" @click=${() => exportTrace(trace)}>${download}${S.working.export}</button>`
                : nothing
            }
            <button class="button" aria-expanded="true" @click=${() => this.#deepen(null)}>${S.working.hide}</button>
          </p>
        </header>
        <p class="intro">${mode === "asked" ? S.working.lead : S.working.idle}
          ${trace ? html`<span class="total number">${this.#total()}</span>` : nothing}
        </p>
        <h3 class="label">${S.working.flow}</h3>
        <div class="flow">
          <span class="source" aria-hidden="true"><i>?</i></span>
          ${STAGES.map((name) => this.#stage(name, index))}
        </div>
        ${trace ? cost(this.state) : nothing}
        <h3 class="label">${S.working.build(day(index.manifest.as_of), this.#buildTotal())}</h3>
        <div class="flow build">${BUILD_BLOCKS.map((name) => this.#build(name, index))}</div>
      </section>
    `;
  }

  #stage(name: StageName, index: OpenIndex): TemplateResult {
    const block = this.state.blocks[name];
    const time = block.stage && block.stage.state === "done" ? duration(block.stage.ms) : "";
    const closed = name === "gate" && stageIn(this.state.blocks, "gate")?.open === false;
    return html`
      <div class="block ${name} ${block.state} ${closed ? "closed" : ""}">
        <h4>
          <button
            aria-expanded=${this.depth === name}
            aria-controls=${this.depth === name ? "panel" : nothing}
            @click=${() => this.#toggle(name)}
          >
            <span class="sign">${closed ? shut : stateIcon(block.state)}</span>
            <span class="name">${S.stages[name]}</span>
            <span class="counts number">${this.state.mode === "asked" ? counts(name, block) : blurb(name, index)}</span>
            <span class="glyph" aria-hidden="true">${block.stage ? glyph(block.stage) : nothing}</span>
            <span class="time number">
              ${time || (this.state.mode === "asked" ? html`<span class="word">${S.states[block.state]}</span>` : nothing)}
            </span>
            ${time || this.state.mode !== "asked" ? html`<span class="visually-hidden">${S.states[block.state]}</span>` : nothing}
            ${chevron}
          </button>
        </h4>
      </div>
      ${this.depth === name && this.panels ? this.#panel(this.panels.stagePanel(name, block, this.#context(index), this.#copying)) : nothing}
    `;
  }

  #build(name: BuildBlock, index: OpenIndex): TemplateResult {
    const opened: Opened = `build-${name}`;
    return html`
      <div class="block done ${name}">
        <h4>
          <button
            aria-expanded=${this.depth === opened}
            aria-controls=${this.depth === opened ? "panel" : nothing}
            @click=${() => this.#toggle(opened)}
          >
            <span class="sign">${stateIcon("done")}</span>
            <span class="name">${P.build[name]}</span>
            <span class="counts number">${buildCount(name, index, this.report)}</span>
            <span class="time number">${buildTime(name, this.report)}</span>
            ${chevron}
          </button>
        </h4>
      </div>
      ${this.depth === opened && this.panels ? this.#panel(this.panels.buildPanel(name, index, this.report)) : nothing}
    `;
  }

  /** One line, so that the answer stands alone for those who came for it. */
  #closed(): TemplateResult {
    const { trace } = this.state;
    return html`
      <button class="depth" aria-expanded="false" @click=${() => this.#deepen("")}>
        ${chevron}
        <span class="show">${S.working.show}</span>
        <span class="teaser number">${trace ? this.#total() : S.working.teaser}</span>
        ${trace ? timeBar(stageTimes(this.state)) : nothing}
      </button>
    `;
  }

  /** The first thing that a step of the guide points at. */
  look(): void {
    const target = this.renderRoot.querySelector(".panel") ?? this.renderRoot.querySelector("header");
    target?.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
    this.renderRoot.querySelector<HTMLElement>('[aria-controls="panel"]')?.focus({ preventScroll: true });
  }

  #deepen(depth: Depth): void {
    this.#pressed = true;
    this.dispatchEvent(new CustomEvent<Depth>("ob-depth", { detail: depth }));
  }

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("depth");
    if (!changed.has("depth") || before === undefined || (before === null) === (this.depth === null)) return;
    // The button that was pressed has gone; the one that undoes it takes the focus, if it was pressed.
    if (this.#pressed) this.renderRoot.querySelector<HTMLElement>(".depth, .actions [aria-expanded]")?.focus();
    this.#pressed = false;
  }

  #panel(content: TemplateResult): TemplateResult {
    return html`<div class="panel" id="panel">${content}</div>`;
  }

  #toggle(name: Opened): void {
    this.copied = "";
    this.#deepen(this.depth === name ? "" : name);
  }

  async #load(): Promise<void> {
    const panels = await import("./panels");
    if (this.panels) return;
    const root = this.shadowRoot;
    const sheet = panels.panelStyles.styleSheet;
    if (root && sheet) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    this.panels = panels;
  }

  #context(index: OpenIndex): PanelContext {
    const tell = (name: "ob-survey" | "ob-gold"): void => void this.dispatchEvent(new CustomEvent(name));
    return { state: this.state, index, survey: () => tell("ob-survey"), gold: () => tell("ob-gold") };
  }

  readonly #copying = {
    copied: "" as "" | "yes" | "no",
    copy: () => void this.#copyPrompt(),
  };

  async #copyPrompt(): Promise<void> {
    try {
      await navigator.clipboard.writeText(stageIn(this.state.blocks, "prompt")?.text ?? "");
      this.copied = "yes";
    } catch {
      // No clipboard here (plain http): the text is selected, so that the reader's own copy command takes it.
      const pre = this.shadowRoot?.querySelector("pre");
      if (pre) getSelection()?.selectAllChildren(pre);
      this.copied = "no";
    }
  }

  override willUpdate(): void {
    this.#copying.copied = this.copied;
    if (this.depth && !this.panels) void this.#load();
  }

  #buildTotal(): string {
    const seconds = Object.values(this.report?.seconds ?? {});
    return seconds.length === 0 ? "" : duration(1000 * seconds.reduce((sum, one) => sum + one, 0));
  }

  #total(): string {
    const ms = STAGES.reduce((sum, name) => sum + (this.state.blocks[name].stage?.ms ?? 0), 0);
    const waited = stageIn(this.state.blocks, "embed")?.waited_ms ?? 0;
    return S.working.total(duration(ms), waited >= 100 ? duration(waited) : "");
  }
}

/** Whether the reader asked for less movement. */
function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function blurb(name: StageName, index: OpenIndex): string {
  return name === "rerank" && index.manifest.retrieval.rerank.mode === "off" ? S.states.off : P.blurbs[name];
}

function counts(name: StageName, { stage }: Block): string {
  if (!stage || stage.state === "skipped") return "";
  const input = count(stage.input);
  const output = count(stage.output);
  switch (stage.name) {
    case "gate":
      return stage.open === null ? "" : stage.open ? P.counts.gateOpen : P.counts.gateClosed;
    case "prompt":
      return P.counts.prompt(stage.tokens);
    case "answer":
      return P.counts.answer(stage.sentences.length);
    case "generate":
      return P.counts.generate(tokens(stage.prompt_tokens), tokens(stage.answer_tokens));
    case "check":
      return P.counts.check(output, input);
    case "keyword":
      return P.counts.keyword(stage.terms.length, output);
    case "embed":
      return P.counts.embed(stage.tokens, count(stage.dims));
    default:
      return P.counts[name as "dense" | "fuse" | "rerank"](input, output);
  }
}

/** An engine that does not count its tokens leaves a question open, not a zero. */
function tokens(found: number | null): string {
  return found === null ? "?" : count(found);
}
