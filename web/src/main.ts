/** The page's entry: defines `<open-book-app>` and what is in it. */

import "./page/app";
