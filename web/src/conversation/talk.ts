/**
 * The conversation on the page: what was asked so far, kept in this browser, and what the next question may lean on. The
 * components draw its `view`; nothing here knows a document.
 */

import { type Before, leans } from "../retrieval/follow_up";
import type { Trace } from "../retrieval/trace";
import {
  beforeOf,
  type Conversation,
  EMPTY,
  type Exchange,
  exchangeOf,
  type Fact,
  sameQuestion,
  withExchange,
  withFact,
} from "./exchange";
import { type Brief, type Memory, memoryOf, unsummarised } from "./memory";
import { record, restore } from "./restore";

/** As `ConversationStore` keeps it. */
export interface Keeper {
  read(): Promise<unknown>;
  write(record: unknown): Promise<void>;
  clear(): Promise<void>;
}

export interface View {
  readonly conversation: Conversation;
  /** The exchange that the page shows at length, or showed last; null after a new beginning. */
  readonly current: Exchange | null;
  /** Records that could not be read when the page opened. */
  readonly dropped: number;
  /** What was cleared last, for as long as it can be brought back. */
  readonly cleared: Conversation | null;
  /** Of the exchanges that are too old to be told word for word. */
  readonly summary: Brief | null;
  /** The browser keeps nothing: the conversation ends with the tab. */
  readonly unkept: boolean;
}

export interface Lean {
  /** To search for; null for those that the question and the exchange before it give. */
  readonly queries: readonly string[] | null;
  readonly before: Before | null;
  /** What the prompt tells of the conversation; null for nothing. */
  readonly memory: Memory | null;
}

export class Talk extends EventTarget {
  view: View = { conversation: EMPTY, current: null, dropped: 0, cleared: null, summary: null, unkept: false };
  readonly #keeper: Keeper;
  readonly #root: URL;

  constructor(keeper: Keeper, root: URL) {
    super();
    this.#keeper = keeper;
    this.#root = root;
  }

  /** Bring back what was kept; before or after the first question, whose exchange then comes last. */
  async restore(): Promise<void> {
    try {
      const { conversation, dropped } = restore(await this.#keeper.read(), this.#root);
      const { current } = this.view;
      const whole = this.view.conversation.exchanges.reduce(withExchange, conversation);
      this.#set({ conversation: whole, current: current ?? whole.exchanges.at(-1) ?? null, dropped });
    } catch {
      this.#set({ unkept: true });
    }
  }

  /**
   * A question has its answer, or more of it. That a part of the course does not answer is not said of the notes, and
   * does not take the place of what the whole of them answered.
   */
  record(trace: Trace): void {
    const current = exchangeOf(trace);
    if (trace.filter && current.verdict === "refused") return;
    this.#change({ conversation: withExchange(this.view.conversation, current), current, cleared: null });
  }

  /**
   * What a question may lean on: the same queries when it is asked again, else the exchange before it.
   *
   * @param language of the course, as a BCP 47 tag
   */
  leanOf(question: string, language = "en"): Lean {
    const { current, conversation, summary } = this.view;
    const leaning = current !== null && leans(question, language) !== null;
    // Asked again, it is not told its own answer.
    const said = conversation.exchanges.filter((one) => one.question !== question);
    const memory = memoryOf({ ...conversation, exchanges: said }, leaning, summary);
    const told = memory.facts.length + memory.turns.length > 0 ? memory : null;
    if (current?.question === question) return { queries: current.queries, before: null, memory: told };
    return { queries: leaning ? null : [], before: leaning ? beforeOf(current) : null, memory: told };
  }

  /** What a summary is to be made of, when the engine has nothing else to do; [] for none. */
  get unsummarised(): readonly Exchange[] {
    return unsummarised(this.view.conversation, this.view.summary);
  }

  summarised(exchanges: readonly Exchange[], text: string): void {
    this.#set({ summary: { questions: exchanges.map(({ question }) => question), text } });
  }

  /** All exchanges but the one that the page shows, the last first. */
  earlier(shown: Pick<Exchange, "question" | "queries"> | null): readonly Exchange[] {
    const { exchanges } = this.view.conversation;
    return exchanges.filter((one) => !shown || !sameQuestion(shown, one)).reverse();
  }

  remember(fact: Fact): void {
    this.#change({ conversation: withFact(this.view.conversation, fact) });
  }

  /** Begin anew: nothing is kept of what was said, but it can be brought back once. */
  clear(): void {
    this.#set({ conversation: EMPTY, current: null, dropped: 0, cleared: this.view.conversation });
    void this.#keep(() => this.#keeper.clear());
  }

  bringBack(): void {
    const { cleared } = this.view;
    if (!cleared) return;
    this.#change({ conversation: cleared, current: cleared.exchanges.at(-1) ?? null, cleared: null });
  }

  #change(change: Partial<View>): void {
    this.#set(change);
    const { conversation } = this.view;
    void this.#keep(() => this.#keeper.write(record(conversation)));
  }

  async #keep(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      this.#set({ unkept: true });
    }
  }

  #set(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.dispatchEvent(new Event("change"));
  }
}
