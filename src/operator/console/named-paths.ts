/** Paths of files and folders among the arguments of a verb. */
import { parseArgs } from 'node:util';
import type { Command } from 'commander';
import { STANDARD_INPUT } from './options.ts';

/** Placeholders of paths in the definitions of all verbs. */
export const PATHS = ['file', 'folder', 'backup'];

/** @param verb a verb whose arguments were parsed, before it runs @param pathOf the path that it gets for a given one */
export function replaceNamedPaths(verb: Command, pathOf: (given: string) => string): void {
  const replace = <T>(value: T): T | string =>
    typeof value === 'string' && value !== STANDARD_INPUT ? pathOf(value) : value;
  for (const option of verb.options.filter(({ flags }) =>
    PATHS.some((name) => flags.endsWith(` <${name}>`)),
  )) {
    const key = option.attributeName();
    const value: unknown = verb.getOptionValue(key);
    if (value !== undefined)
      verb.setOptionValue(key, Array.isArray(value) ? value.map(replace) : replace(value));
  }
  const given: unknown[] = verb.processedArgs;
  for (const [at, argument] of verb.registeredArguments.entries())
    if (PATHS.includes(argument.name())) given[at] = replace(given[at]);
}

/** Options of moderators' verbs that name a file. */
export const PATH_OPTIONS = ['file', 'out', 'proof', 'reason-file', 'text-file'];
/** Other options of `import` that take a value. */
export const IMPORT_OPTIONS = ['by', 'format', 'list', 'undo'];

/**
 * Finds the files of a moderator's verb without its definition, which would load the database's modules. The receiver knows
 * the definition, and refuses a path that did not come with the command.
 */
export function findPaths(args: readonly string[]): { readonly inputs: string[]; readonly out?: string } {
  const type = { type: 'string', multiple: true } as const;
  const options = Object.fromEntries([...PATH_OPTIONS, ...IMPORT_OPTIONS].map((name) => [name, type]));
  const { values, positionals } = parseArgs({ args: [...args], strict: false, options });
  const isPath = (value: unknown): value is string => typeof value === 'string' && value !== STANDARD_INPUT;
  const pathsOf = (name: string): string[] => [values[name]].flat().filter(isPath);
  const [verb, file] = positionals;
  const inputs = PATH_OPTIONS.filter((name) => name !== 'out').flatMap(pathsOf);
  if (verb === 'import' && isPath(file)) inputs.push(file);
  const out = pathsOf('out').at(-1);
  return { inputs: [...new Set(inputs)], ...(out !== undefined && { out }) };
}
