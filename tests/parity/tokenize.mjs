// Tokenizes the texts of a JSON file with the page's own tokenizer; called by tests/index/test_tokens.py from web/.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "package.json"));
const { build } = await import(pathToFileURL(require.resolve("rolldown")).href);
const bundle = await build({ input: join(process.cwd(), "src/retrieval/tokens.ts"), write: false, logLevel: "silent" });
const module = `data:text/javascript;base64,${Buffer.from(bundle.output[0].code).toString("base64")}`;
const { tokenize } = await import(module);
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf8")).map(tokenize)));
