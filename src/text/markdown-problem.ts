/** Why a Markdown text is refused: the message is a sentence for the operator who imports it. */
export class MarkdownProblem extends Error {}
