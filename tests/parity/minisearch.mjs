// What the library itself makes of documents, and how it ranks; called by tests/index/test_keyword_index.py from web/.
// Given {documents: [{id, title?, text?}], ours: serialised index or null, questions}, prints
// {serialised, hits: per question [library's own, loaded from ours]}, each hit [id, score, matched terms].
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "package.json"));
const { build } = await import(pathToFileURL(require.resolve("rolldown")).href);
const bundle = await build({ input: join(process.cwd(), "src/retrieval/tokens.ts"), write: false, logLevel: "silent" });
const source = `data:text/javascript;base64,${Buffer.from(bundle.output[0].code).toString("base64")}`;
const { tokenize } = await import(source);
const { default: MiniSearch } = await import(pathToFileURL(require.resolve("minisearch")).href);

const { documents, ours, questions } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const options = { fields: ["title", "text"], tokenize, processTerm: (term) => term };
const library = new MiniSearch(options);
library.addAll(documents);
const engines = [library, ...(ours ? [MiniSearch.loadJSON(JSON.stringify(ours), options)] : [])];
const hits = questions.map((question) =>
  engines.map((engine) => engine.search(question).map(({ id, score, terms }) => [id, score, terms])),
);
process.stdout.write(JSON.stringify({ serialised: JSON.stringify(library), hits }));
