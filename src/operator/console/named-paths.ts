/** Paths of files and folders among the arguments of a verb. */
import type { Command } from 'commander';
import { STANDARD_INPUT } from './options.ts';

export interface NamedPath {
  readonly value: string;
  /** Lets the verb use another path. */
  readonly replace: (path: string) => void;
}

/** Placeholders of paths in the definitions of all verbs. */
export const PATHS = ['file', 'folder', 'backup'];

/** @param verb a verb whose arguments were parsed, before it runs */
export function listNamedPaths(verb: Command): NamedPath[] {
  const found: NamedPath[] = [];
  const add = (value: unknown, replace: (path: string) => void): void => {
    if (typeof value === 'string' && value !== STANDARD_INPUT) found.push({ value, replace });
  };
  for (const option of verb.options.filter(({ flags }) =>
    PATHS.some((name) => flags.endsWith(` <${name}>`)),
  )) {
    const key = option.attributeName();
    const values: unknown = verb.getOptionValue(key);
    if (Array.isArray(values))
      for (const [at, value] of values.entries()) add(value, (path) => (values[at] = path));
    else add(values, (path) => verb.setOptionValue(key, path));
  }
  const given: unknown[] = verb.processedArgs;
  for (const [at, argument] of verb.registeredArguments.entries())
    if (PATHS.includes(argument.name())) add(given[at], (path) => (given[at] = path));
  return found;
}
