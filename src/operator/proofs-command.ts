/** The verb `proofs`: the proofs of an entry and their visibility. It writes like an import. */
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { findImageFormat, IMAGE_TYPES } from '../avatars/image-type.ts';
import { listProofItems } from '../entries/contents.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { toImportRecord } from '../entries/export-records.ts';
import type { ImportRecordInput } from '../entries/import-record.ts';
import type { ImportOptions } from '../entries/import-session.ts';
import { createProofFileKeeper } from '../proofs/keep-proof-files.ts';
import { originalPath } from '../proofs/proof-files.ts';
import { readProofFile } from '../proofs/read-proof-file.ts';
import { print, type Cli } from './console/cli.ts';
import { ANY_NAME, findByAnyName, getRow, writeRecord, type Target } from './entry-record.ts';
import { withReserve } from './console/full-disk.ts';
import { jsonOption, listOption, STANDARD_INPUT, wholeNumber } from './console/options.ts';
import { BadInputError, withNamed } from './console/outcome.ts';
import { PICTURE, readInput, readText } from './console/read-input.ts';
import { readDatabase, withdraw, withPresentDatabase } from './with-database.ts';

type Proofs = NonNullable<ImportRecordInput['proofs']>;

interface AddOptions extends Target {
  text?: string;
  textFile?: string;
  url?: string;
  file?: string;
  caption?: string;
  public?: true;
  private?: true;
}

export function addProofsCommand(program: Command, cli: Cli): void {
  const proofs = program.command('proofs').description('work on the proofs of an entry');

  proofs
    .command('add')
    .description('add one proof behind the others: a text, a link, an image, or several of them together')
    .argument('<id>', ANY_NAME)
    .addOption(listOption().makeOptionMandatory())
    .addOption(new Option('--text <markdown>', 'a text').conflicts('textFile'))
    .option('--text-file <file>', 'read the text from a file; - reads standard input')
    .option('--url <address>', 'an http or https address; it is shown, never fetched')
    .option(
      '--file <file>',
      'a png, jpeg, webp or gif, at most 20 MiB and 50 million pixels; - reads standard input',
    )
    .option('--caption <text>', 'what it shows, one line')
    .addOption(new Option('--public', 'everybody may see the proofs of this entry').conflicts('private'))
    .option('--private', 'nobody but you may see them')
    .addOption(jsonOption())
    .action(async (id: string, options: AddOptions) => {
      const { textFile, url, file, caption } = options;
      if (textFile === STANDARD_INPUT && file === STANDARD_INPUT)
        throw new BadInputError(
          'standard input is one thing: the text (--text-file -) or the picture (--file -)',
        );
      const text = textFile === undefined ? options.text : await readText(cli, textFile);
      const item = { text, url, file, caption };
      if ((text ?? url ?? file) === undefined)
        throw new BadInputError('give at least one of --text, --text-file, --url and --file');
      await change(
        cli,
        id,
        options,
        (before) => {
          if (!before && !options.public && !options.private) {
            throw new BadInputError('the entry has no proofs yet: say --public or --private');
          }
          const isPrivate = options.private ?? (options.public ? false : (before?.private ?? true));
          return { private: isPrivate, items: [...(before?.items ?? []), item] };
        },
        false,
      );
    });

  proofs
    .command('remove')
    .description('remove one proof, or all')
    .argument('<id>', ANY_NAME)
    .addOption(listOption().makeOptionMandatory())
    .addOption(new Option('--item <number>', 'which one, from 1').argParser(wholeNumber(1)).conflicts('all'))
    .option('--all', 'all of them')
    .addOption(jsonOption())
    .action(async (id: string, options: Target & { item?: number; all?: true }) => {
      const { item, all } = options;
      if (item === undefined && !all) throw new BadInputError('say --item NUMBER or --all');
      await change(
        cli,
        id,
        options,
        (before) => {
          if (!before) throw new BadInputError('the entry has no proofs');
          if (item !== undefined && item > before.items.length) {
            throw new BadInputError(`there is no proof ${item}; the entry has ${before.items.length}`);
          }
          const items = all ? [] : before.items.toSpliced((item ?? 0) - 1, 1);
          return { private: items.length > 0 && before.private, items };
        },
        true,
      );
    });

  for (const isPrivate of [true, false]) {
    proofs
      .command(isPrivate ? 'private' : 'public')
      .description(
        isPrivate
          ? 'let nobody see the proofs; their pictures are removed at once'
          : 'let everybody see the proofs',
      )
      .argument('<id>', ANY_NAME)
      .addOption(listOption().makeOptionMandatory())
      .addOption(jsonOption())
      .action(async (id: string, options: Target) => {
        await change(
          cli,
          id,
          options,
          (before) => {
            if (!before || (before.items.length === 0 && !isPrivate)) {
              throw new BadInputError('the entry has no proofs; add one with "proofs add"');
            }
            return { ...before, private: isPrivate };
          },
          isPrivate,
        );
      });
  }

  proofs
    .command('show')
    .description('show the proofs of an entry, private ones too, in every list that has it')
    .argument('<id>', ANY_NAME)
    .addOption(listOption())
    .option('--item <number>', 'with --out: which one, from 1', wholeNumber(1))
    .option('--out <file>', 'write the file of one proof into a new file; - writes standard output')
    .addOption(jsonOption())
    .action(async (id: string, options: Partial<Target> & { item?: number; out?: string }) => {
      await readDatabase(cli, async (db) => {
        const found = findByAnyName(db, id).filter(({ list }) => (options.list ?? list) === list);
        if (found.length === 0) throw new BadInputError(`no entry has the ID ${id}`);
        const { item, out } = options;
        if (out !== undefined) return writeProof(cli, db, found, item, out);
        const shown = await Promise.all(found.map((row) => describe(db, cli.config, row)));
        print(cli, options.json, shown, shown.map(format).join('\n\n'));
      });
    });
}

/** @param edit gets the proofs that there are, undefined when there are none */
async function change(
  cli: Cli,
  id: string,
  { list, json }: Target,
  edit: (before: Proofs | undefined) => Proofs,
  withdraws: boolean,
): Promise<void> {
  const step = <T>(work: () => Promise<T>): Promise<T> => (withdraws ? withReserve(cli, work) : work());
  await (withdraws ? withdraw : withPresentDatabase)(cli, async (db) => {
    const row = getRow(db, list, id);
    /** Names of stored files by their placeholders in the record. */
    const kept = new Map(listProofItems(db, row.row).map((item) => [item.fileSha256, item.fileName]));
    const record = toImportRecord(db, row, (item) => item.fileSha256 ?? undefined);
    const files = createProofFileKeeper(db, cli.config.dataFolder);
    let given: string | undefined;
    try {
      const storeFile: ImportOptions['storeFile'] = async (name, isPublic) => {
        const isKept = kept.has(name);
        // Nothing is made of it, so that proofs with a lost file can be hidden and removed.
        if (isKept && (!isPublic || row.proofs === 'public'))
          return { ok: true, sha256: name, name: kept.get(name) ?? null };
        const path = name === STANDARD_INPUT ? (given ??= await storeInput(cli)) : resolve(name);
        const file = await (isKept ? files.keepOriginal(name, isPublic) : files.keep(path, isPublic));
        if (!file.ok) return { ok: false, problem: `${name} ${file.problem}` };
        if (isKept) return { ...file, name: kept.get(name) ?? null };
        return { ...file, name: name === STANDARD_INPUT ? null : basename(name) };
      };
      const proofs = edit(record.proofs);
      const options = { storeFile, withdrawsReplaced: true, by: cli.by };
      await step(() => writeRecord(db, list, { ...record, proofs }, options));
    } finally {
      await step(() => files.finish());
      if (given !== undefined) await rm(dirname(given), { recursive: true });
    }
    const shown = await describe(db, cli.config, getRow(db, list, id));
    print(cli, json, shown, `${list}: ${id} has proofs: ${shown.proofs}, ${shown.items.length}`);
  });
}

/** @returns path of a temporary file with the standard input */
async function storeInput(cli: Cli): Promise<string> {
  const bytes = await readInput(cli, STANDARD_INPUT, PICTURE);
  const path = join(await mkdtemp(join(tmpdir(), 'czujka-proof-')), 'proof');
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
  return path;
}

/** @throws {BadInputError} when it is not clear which proof is meant, it has no file, or the path is taken */
async function writeProof(cli: Cli, db: Database, found: EntryRow[], item: number | undefined, out: string) {
  const [row, other] = found;
  if (!row || other) throw new BadInputError('several lists have the entry: say --list');
  if (item === undefined) throw new BadInputError('--out needs --item NUMBER');
  const sha256 = listProofItems(db, row.row)[item - 1]?.fileSha256;
  if (!sha256) throw new BadInputError(`there is no file at proof ${item}`);
  const bytes = readFileSync(originalPath(cli.config.dataFolder, sha256));
  if (out === STANDARD_INPUT) return void cli.stdout.write(bytes);
  await withNamed(out, () => writeFileSync(out, bytes, { flag: 'wx', mode: 0o600 }));
  print(cli, false, undefined, `wrote ${bytes.length} bytes to ${out}`);
}

async function describe(db: Database, config: Config, row: EntryRow) {
  const items = listProofItems(db, row.row).map(async (item, index) => {
    const path = item.fileSha256 === null ? null : originalPath(config.dataFolder, item.fileSha256);
    const read = path === null ? undefined : await readProofFile(path);
    const kind = read?.ok ? findImageFormat(read.bytes) : undefined;
    return {
      item: index + 1,
      text: item.text,
      url: item.url,
      file: item.fileName,
      /** The path of the original file; size and type are null when it is missing. */
      original: path,
      bytes: read?.ok ? read.bytes.length : null,
      type: kind === undefined ? null : IMAGE_TYPES[kind],
      caption: item.caption,
    };
  });
  const { list, chat_id: id, proofs, proofs_id: proofsId } = row;
  return { list, id, proofs, proofsId, items: await Promise.all(items) };
}

function format({ list, id, proofs, proofsId, items }: Awaited<ReturnType<typeof describe>>): string {
  const lines = items.map(({ item, text, url, file, original, bytes, type, caption }) => {
    const facts =
      original && `${file ?? 'a file'}, ${bytes === null ? 'missing' : `${bytes} bytes, ${type}`}`;
    return [`${item}.`, caption, url, facts, text].filter((line) => line !== null).join('\n   ');
  });
  const page = proofsId === null ? '' : ` (/proofs/${proofsId})`;
  return [`${list}: ${id}, proofs: ${proofs}${page}`, ...lines].join('\n');
}
