// Unpacks the terms of a JSON file with the page's own code; called by tests/index/test_keyword_index.py from web/.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "package.json"));
const { build } = await import(pathToFileURL(require.resolve("rolldown")).href);
const bundle = await build({ input: join(process.cwd(), "src/index/postings.ts"), write: false, logLevel: "silent" });
const source = `data:text/javascript;base64,${Buffer.from(bundle.output[0].code).toString("base64")}`;
const { unpackTerms } = await import(source);
process.stdout.write(JSON.stringify(unpackTerms(JSON.parse(readFileSync(process.argv[2], "utf8")))));
