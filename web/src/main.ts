/** The page's entry: defines `<open-book-app>` and what is in it, once it is known which language the page speaks. */

import { OpenBookApp } from "./page/app";
import { speakToReader } from "./page/language";

void speakToReader().then(() => customElements.define("open-book-app", OpenBookApp));
