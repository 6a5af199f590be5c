/** Everything about language models on the page; a chunk of its own, loaded when the page has nothing else to do. */

export { Generator, type View } from "./generator";

import "./hops";
import "./panel";
