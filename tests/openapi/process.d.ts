/** All that the client needs of Node's types. */
declare const process: { readonly argv: string[] };
