/**
 * A grammar (GBNF, as llama.cpp and XGrammar read it) by which a model can cite only passages that it was given: what
 * stands in square brackets is their numbers. Code between backticks may hold any brackets.
 *
 * https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export function citationGrammar(numbers: readonly number[]): string {
  const given = numbers.length > 0 ? numbers.map((number) => `"${number}"`).join(" | ") : '"1"';
  return [
    "root ::= piece+",
    "piece ::= plain | code | citation",
    "plain ::= [^\\[\\]`]",
    'code ::= "`" [^`]* "`"',
    'citation ::= "[" number (", " number)* "]"',
    `number ::= ${given}`,
  ].join("\n");
}
