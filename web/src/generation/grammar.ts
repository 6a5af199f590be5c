/**
 * Grammars (GBNF, as llama.cpp and XGrammar read it) by which a model keeps to a form: citations of passages that it was
 * given and of no others, and the two replies of "dig deeper".
 *
 * https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */

/** What stands in square brackets is the numbers of given passages. Code between backticks may hold any brackets. */
export function citationGrammar(numbers: readonly number[]): string {
  return ["root ::= piece+", ...pieces(numbers)].join("\n");
}

/** `SEARCH: ` and a query on one line, or `ANSWER: ` and an answer; without `search` only that. */
export function stepGrammar(numbers: readonly number[], search: boolean): string {
  return [
    `root ::= ${search ? "search | answer" : "answer"}`,
    ...(search ? [`search ::= "SEARCH: " [^ \\n] [^\\n]{0,${LONGEST_QUERY - 1}}`] : []),
    'answer ::= "ANSWER: " piece+',
    ...pieces(numbers),
  ].join("\n");
}

/** Characters of a query that a model writes. */
export const LONGEST_QUERY = 120;

function pieces(numbers: readonly number[]): string[] {
  const given = numbers.length > 0 ? numbers.map((number) => `"${number}"`).join(" | ") : '"1"';
  return [
    "piece ::= plain | code | citation",
    "plain ::= [^\\[\\]`]",
    'code ::= "`" [^`]* "`"',
    'citation ::= "[" number (", " number)* "]"',
    `number ::= ${given}`,
  ];
}
