/** The conversation on the page; a chunk of its own, loaded with the first answer or where one was kept. */

import { ConversationStore } from "../../conversation/store";
import { Talk } from "../../conversation/talk";
import { noteTalk } from "./hint";

export type { Exchange } from "../../conversation/exchange";
export type { Talk, View } from "../../conversation/talk";

import "./earlier";
import "./searched-for";

export function openTalk(root: URL): Talk {
  const talk = new Talk(new ConversationStore(root), root);
  talk.addEventListener("change", () => noteTalk(root, talk.view.conversation.exchanges.length > 0));
  return talk;
}
