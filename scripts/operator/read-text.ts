import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { STANDARD_INPUT } from '../import/import-file.ts';
import type { CliStreams } from './cli.ts';
import { withNamed } from './outcome.ts';

/** @param path of a file, or `-` for standard input. @throws {BadInputError} when it cannot be read */
export function readText({ stdin }: CliStreams, path: string): Promise<string> {
  return path === STANDARD_INPUT ? text(stdin) : withNamed(path, () => readFileSync(path, 'utf8'));
}
