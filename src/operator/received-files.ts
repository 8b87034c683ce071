/** Files that came with a command, in a folder of their own until the command has run: no path of the caller is opened. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { BadInputError } from '../operator-error.ts';
import { replaceNamedPaths } from './console/named-paths.ts';
import { explainPathErrors } from './console/outcome.ts';

/** Base64 under the name of each file: as text, or as its bytes where it is long. */
type Contents = Readonly<Record<string, string | Uint8Array>>;

const FILES_MAX = 100_000;
/** A multiple of 4, so that each piece is base64, too. */
const PIECE = 1024 * 1024;

export class ReceivedFiles implements Disposable {
  readonly #names = new Set<string>();
  /** The callers' names, by path. */
  readonly #given = new Map<string, string>();
  readonly #bytesMax: number;
  #folder: string | undefined;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Stores files, or appends to those that are there. @throws {BadInputError} */
  async add(contents: Contents): Promise<void> {
    for (const { length } of Object.values(contents)) this.#bytes += Math.floor((length * 3) / 4);
    if (this.#bytes > this.#bytesMax)
      throw new BadInputError(`the files have more than ${this.#bytesMax} bytes`);
    for (const [name, content] of Object.entries(contents)) {
      const path = join((this.#folder ??= mkdtempSync(join(tmpdir(), 'czujka-received-'))), name);
      await explainPathErrors(name, () => {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        appendFileSync(path, '', { mode: 0o600 });
        for (let from = 0; from < content.length; from += PIECE)
          appendFileSync(path, decode(name, content.slice(from, from + PIECE)));
      });
      if (this.#names.add(name).size > FILES_MAX)
        throw new BadInputError(`more than ${FILES_MAX} files came`);
    }
  }

  /** Lets a verb read these files, and none else. @param names of files by the arguments that name them otherwise */
  giveTo(verb: Command, names: Readonly<Record<string, string>> = {}): void {
    replaceNamedPaths(verb, (value) => {
      const name = Object.hasOwn(names, value) ? String(names[value]) : value;
      if (this.#folder === undefined || !this.#names.has(name))
        throw new BadInputError(`${value} did not come with the command`);
      const path = join(this.#folder, name);
      this.#given.set(path, value);
      return path;
    });
  }

  /** A message with the names that the caller knows. */
  rename(text: string): string {
    if (this.#folder === undefined) return text;
    const named = [...this.#given].reduce((said, [path, name]) => said.replaceAll(path, name), text);
    return named.replaceAll(`${this.#folder}/`, '');
  }

  [Symbol.dispose](): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function decode(name: string, piece: string | Uint8Array): Uint8Array {
  try {
    return Uint8Array.fromBase64(typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1'));
  } catch (error) {
    throw new BadInputError(`${name} is no base64`, { cause: error });
  }
}
