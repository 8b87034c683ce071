/** The verb `proofs`: the proofs of an entry and their visibility. */
import { writeFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { findImageFormat, IMAGE_TYPES } from '../avatars/image-type.ts';
import { listProofItems } from '../entries/entry-content.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { getEntryRow, getEntryRows } from '../entries/find-entry-rows.ts';
import {
  addProof,
  changeProofs,
  hideProofs,
  removeProofs,
  type ProofsChange,
} from '../entries/change-proofs.ts';
import { originalPath } from '../proofs/proof-files.ts';
import { readProofFile } from '../proofs/read-proof-file.ts';
import { BadInputError } from '../operator-error.ts';
import { print, type Cli } from './console/cli.ts';
import { withReserve } from './console/full-disk.ts';
import {
  IDENTIFIERS,
  listOption,
  ofEntry,
  STANDARD_INPUT,
  wholeNumber,
  type Target,
} from './console/options.ts';
import { explainPathErrors } from './console/outcome.ts';
import { readStandardInput, readText } from './console/read-input.ts';
import { openMigrated, openToWrite } from './console/operator-database.ts';

interface AddOptions extends Target {
  text?: string;
  textFile?: string;
  url?: string;
  file?: string;
  caption?: string;
  public?: true;
  private?: true;
}

export function addVerbs(program: Command, cli: Cli): void {
  const proofs = program.command('proofs').description('work on the proofs of an entry');

  ofEntry(proofs.command('add'))
    .description(
      'add one proof behind the others, public where they are: a text, a link, an image, or several of them',
    )
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
    .action(async (id: string, options: AddOptions) => {
      const { textFile, url, file, caption } = options;
      if (textFile === STANDARD_INPUT && file === STANDARD_INPUT)
        throw new BadInputError(
          'standard input is one thing: the text (--text-file -) or the picture (--file -)',
        );
      const text = textFile === undefined ? options.text : await readText(cli, textFile);
      if ((text ?? url ?? file) === undefined)
        throw new BadInputError('give at least one of --text, --text-file, --url and --file');
      const isPrivate = options.public ? false : options.private;
      const bytesByFileName = await readStandardInput(cli, file === undefined ? [] : [file]);
      await change(cli, id, options, addProof({ text, url, file, caption }, isPrivate), { bytesByFileName });
    });

  ofEntry(proofs.command('remove'))
    .description('remove one proof, or all')
    .addOption(new Option('--item <number>', 'which one, from 1').argParser(wholeNumber(1)).conflicts('all'))
    .option('--all', 'all of them')
    .action(async (id: string, options: Target & { item?: number; all?: true }) => {
      const { item, all } = options;
      if (item === undefined && !all) throw new BadInputError('say --item NUMBER or --all');
      await change(cli, id, options, removeProofs(item), { usesDiskReserve: true });
    });

  for (const isPrivate of [true, false]) {
    ofEntry(proofs.command(isPrivate ? 'private' : 'public'))
      .description(
        isPrivate
          ? 'let nobody see the proofs; their pictures are removed at once'
          : 'let everybody see the proofs',
      )
      .action((id: string, options: Target) =>
        change(cli, id, options, hideProofs(isPrivate), { usesDiskReserve: isPrivate }),
      );
  }

  proofs
    .command('show')
    .description('show the proofs of an entry, private ones too, in every list that has it')
    .argument('<id>', IDENTIFIERS)
    .addOption(listOption())
    .option('--item <number>', 'only this one, from 1; with --json, in base64 too', wholeNumber(1))
    .option('--out <file>', 'write the file of one proof into a new file; - writes standard output')
    .action(async (id: string, options: Partial<Target> & { item?: number; out?: string }) => {
      const db = await openMigrated(cli);
      const found = getEntryRows(db, id, options.list);
      const { item, out } = options;
      if (out !== undefined && item === undefined) throw new BadInputError('--out needs --item NUMBER');
      const all = await Promise.all(found.map((row) => describe(db, cli.config, row, item)));
      const shown = item === undefined ? all : [pickItem(all, item)];
      if (out === undefined) print(cli, shown, shown.map(format).join('\n\n'));
      else await writeProof(cli, shown[0]?.items[0], out);
    });
}

/** @param usesDiskReserve where something is withdrawn, also on a full disk */
async function change(
  cli: Cli,
  identifier: string,
  { list }: Target,
  change: ProofsChange,
  {
    usesDiskReserve = false,
    bytesByFileName,
  }: { usesDiskReserve?: boolean; bytesByFileName?: ReadonlyMap<string, Buffer> },
): Promise<void> {
  const db = await openToWrite(cli, { usesDiskReserve });
  const { refusedProofHosts: refusedHosts } = cli.config;
  const write = () =>
    changeProofs(db, list, identifier, change, { by: cli.by, refusedHosts, bytesByFileName });
  await withReserve(cli, usesDiskReserve, write);
  const shown = await describe(db, cli.config, getEntryRow(db, list, identifier));
  print(cli, shown, `${list}: ${identifier} has proofs: ${shown.proofs}, ${shown.items.length}`);
}

type Described = Awaited<ReturnType<typeof describe>>;

/** @throws {BadInputError} when several lists have the entry, or it has no such proof */
function pickItem([entry, other]: readonly Described[], number: number): Described {
  if (!entry || other) throw new BadInputError('several lists have the entry: say --list');
  const item = entry.items[number - 1];
  if (!item) throw new BadInputError(`there is no proof ${number}; the entry has ${entry.items.length}`);
  return { ...entry, items: [item] };
}

/** @throws {BadInputError} when the proof has no file, or the path is taken */
async function writeProof(
  cli: Cli,
  proof: Described['items'][number] | undefined,
  out: string,
): Promise<void> {
  if (proof?.base64 === undefined) throw new BadInputError(`there is no file at proof ${proof?.item}`);
  const bytes = Buffer.from(proof.base64, 'base64');
  if (out === STANDARD_INPUT) return void cli.stdout.write(bytes);
  await explainPathErrors(out, () => writeFileSync(out, bytes, { flag: 'wx', mode: 0o600 }));
  print(cli, { out, bytes: bytes.length }, `wrote ${bytes.length} bytes to ${out}`);
}

/** @param encoded the number of the proof whose file is encoded, too */
async function describe(db: Database, config: Config, entry: EntryRow, encoded?: number) {
  // One after the other: a file may have 20 MiB.
  const items = await Array.fromAsync(listProofItems(db, entry.row), async (item, index) => {
    const path = item.fileSha256 === null ? null : originalPath(config.databasePath, item.fileSha256);
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
      base64: read?.ok && encoded === index + 1 ? read.bytes.toString('base64') : undefined,
    };
  });
  const { list, chat_id: id, proofs, proofs_id: proofsId } = entry;
  return { list, id, proofs, proofsId, items };
}

function format({ list, id, proofs, proofsId, items }: Described): string {
  const lines = items.map(({ item, text, url, file, original, bytes, type, caption }) => {
    const facts =
      original && `${file ?? 'a file'}, ${bytes === null ? 'missing' : `${bytes} bytes, ${type}`}`;
    return [`${item}.`, caption, url, facts, text].filter((line) => line !== null).join('\n   ');
  });
  const page = proofsId === null ? '' : ` (/proofs/${proofsId})`;
  return [`${list}: ${id}, proofs: ${proofs}${page}`, ...lines].join('\n');
}
