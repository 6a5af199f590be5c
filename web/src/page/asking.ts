/** What the page and `<open-book>` share: a session, what it says, and what the reader does with the box and the blocks. */

import { html, LitElement, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { RerankMode } from "../retrieval/trace";
import type { Depth } from "./permalink";
import type { Session } from "./session";
import { INITIAL, type State, verdictOf } from "./state";
import { FormulasOnDemand } from "./tex";
import { savesData } from "./thrift";

export abstract class Asking extends LitElement {
  @state() protected view: State = INITIAL;
  /** What the box holds. */
  @state() protected text = "";
  /** The reader asked for the encoder, or may be taken to want it. */
  @state() protected consents = !savesData();
  /** What of the working is open. */
  @state() protected depth: Depth = null;
  protected session: Session | null = null;
  protected formulas = new FormulasOnDemand(this);

  /** The state has changed; `root` is the site's folder. Gives the state before. */
  protected follow(session: Session, root: URL): State {
    const before = this.view;
    this.view = session.state;
    void this.formulas.follow(session, root);
    return before;
  }

  /** Answers that came without the encoder are asked for again now that it is here. */
  protected askAgain(session: Session, before: State): void {
    const arrived = before.encoder.phase !== "ready" && this.view.encoder.phase === "ready";
    if (arrived && this.view.mode === "asked" && verdictOf(this.view) === "unjudged") session.again(true);
  }

  /** The reader has begun to use the box. */
  protected use(): void {
    if (this.consents && this.view.encoder.phase === "idle") this.session?.loadEncoder();
  }

  protected load(): void {
    this.consents = true;
    this.session?.loadEncoder();
  }

  /** The blocks; `deepen` is told which of them the reader opened. */
  protected blocks(root: URL, address: string, deepen: (depth: Depth) => void): TemplateResult {
    return html`<ob-working
      .state=${this.view}
      .root=${root}
      .address=${address}
      .depth=${this.depth}
      @ob-depth=${(event: CustomEvent<Depth>) => deepen(event.detail)}
      @ob-survey=${() => this.session?.survey()}
      @ob-gold=${() => this.session?.gold()}
      @compare=${(event: CustomEvent<number>) => this.session?.compare(event.detail)}
      @ob-rerank=${(event: CustomEvent<RerankMode>) => this.#rerank(event.detail)}
    ></ob-working>`;
  }

  /** The question is asked again in the way that the reader has chosen. */
  #rerank(mode: RerankMode): void {
    this.session?.rerankBy(mode);
    if (this.view.mode === "asked") this.session?.again(this.consents);
  }
}
