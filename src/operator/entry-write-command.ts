/** `entry add`, `edit`, `verify` and `unverify`. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { avatarsFolder, removeAvatar } from '../avatars/avatar-store.ts';
import { readLogHead } from '../changes/change-log.ts';
import type { ImportedField } from '../entries/entry-row.ts';
import { ERASED_FIELDS } from '../entries/export-records.ts';
import { findMistakenId } from '../entries/parse-check-input.ts';
import { hasVisibleText, type ImportRecordInput } from '../entries/import-record.ts';
import { addEntry, changeEntry, type EntryChange } from '../entries/write-entry.ts';
import { isPlatformId } from '../platform-id.ts';
import { BadInputError } from '../operator-error.ts';
import { printNotice, type Cli } from './console/cli.ts';
import { withReserve } from './console/full-disk.ts';
import { listOption, ofEntry, STANDARD_INPUT, wholeNumber, type Target } from './console/options.ts';
import { readStandardInput, readText } from './console/read-input.ts';
import { printEntry } from './describe-entry.ts';
import { describeOtherLists, describePairs, findLookAlikePairs } from './look-alike-pairs.ts';
import { openToWrite } from './console/operator-database.ts';

type Field = 'id' | 'name' | 'reason' | 'reportedAt' | 'reportId' | 'views';

interface Facts extends Partial<Pick<ImportRecordInput, Field>> {
  reasonFile?: string;
  verified?: true;
  risk?: true;
  hijacked?: true;
  own?: true;
  since?: string;
}

export function addWritingVerbs(entry: Command, cli: Cli): void {
  const add = entry
    .command('add')
    .description('add an entry with its proofs at once; one that is there is never changed');
  factOptions(add)
    .argument('<id>', 'chat-platform ID')
    .addOption(listOption().makeOptionMandatory())
    .option('--report-id <id>', 'report number; made when it is not given')
    .addOption(
      new Option(
        '--proof <file>',
        `a picture, at most ${PROOFS_MAX} times; - reads standard input`,
      ).argParser(collectProof),
    )
    .addOption(
      new Option('--caption <text>', 'what the --proof before it shows, one line').argParser(
        (text, before: Captions = {}) => {
          const { proof } = add.opts<AddOptions>();
          if (!proof) throw new InvalidArgumentError('It belongs to the --proof before it.');
          return { ...before, [proof.length - 1]: text };
        },
      ),
    )
    .addOption(
      new Option('--proofs <who>', 'whether everybody may see them')
        .choices(['public', 'private'])
        .default('private'),
    )
    .option('--odd-id', 'allow an ID that is not 17 to 20 digits')
    .option('--yes', 'add again what was removed')
    .action(async (id: string, options: AddOptions) => {
      checkId(id, options.oddId ?? false);
      const { list, proof = [], caption = {}, reasonFile } = options;
      if ([...proof, reasonFile].filter((file) => file === STANDARD_INPUT).length > 1)
        throw new BadInputError('standard input is one thing: the reason, or one --proof');
      const { name, reason, ...fields } = await toFields(cli, options);
      if (name === undefined) throw new BadInputError('--name is missing');
      if (reason === undefined)
        throw new BadInputError(`--reason or --reason-file is missing: ${NO_DESCRIPTION}`);
      const items = proof.map((file, at) => ({ file, caption: caption[at] }));
      const proofs = items.length > 0 ? { private: options.proofs === 'private', items } : undefined;
      const bytesByFileName = await readStandardInput(cli, proof);
      const db = await openToWrite(cli, { whenMissing: 'create' });
      const { seq } = readLogHead(db);
      const record = { verified: list === 'legit', name, reason, ...fields, id, proofs };
      await addEntry(db, list, record, {
        by: cli.by,
        refusedHosts: cli.config.refusedProofHosts,
        bytesByFileName,
        bringsBack: cli.saysYes,
        onNotice: ({ problem }) => printNotice(cli, problem),
      });
      printEntry(cli, db, list, id);
      const alike = describePairs([...findLookAlikePairs(db, seq)]);
      for (const text of [...alike, ...describeOtherLists(db, seq)]) printNotice(cli, text);
    });

  ofEntry(factOptions(entry.command('edit')))
    .description('change what is given of an entry, keep the rest')
    .option('--id <id>', 'correct the chat-platform ID; report number, proofs and views stay')
    .option('--odd-id', 'allow an ID that is not 17 to 20 digits')
    .option(
      '--redact',
      'erase for good what --name and --reason replace, former names and all proofs: no backup brings them back',
    )
    .option('--keep-proofs', 'with --redact: erase no proofs')
    .option('--yes', 'with --id: list an ID again that was removed')
    .option('--forget-names', 'erase for good the names that the entry had before')
    .option('--hijacked', 'a stranger has the account: the warning stays, and no longer blames its owner')
    .addOption(new Option('--since <date>', 'with --hijacked: from when on').conflicts('own'))
    .addOption(new Option('--own', 'its owner has the account again').conflicts('hijacked'))
    .addOption(
      new Option('--append <markdown>', 'add a paragraph to the reason').conflicts([
        'reason',
        'reasonFile',
        'redact',
      ]),
    )
    .action(async (identifier: string, options: EditOptions) => {
      const fields = await toFields(cli, options);
      const { id, redact, keepProofs, forgetNames, append } = options;
      if (id !== undefined) checkId(id, options.oddId ?? false);
      if (redact && fields.name === undefined && fields.reason === undefined)
        throw new BadInputError(
          '--redact needs --name, --reason or --reason-file: what stands there instead ("proofs remove" erases proofs alone, --forget-names former names)',
        );
      if (options.since !== undefined && !options.hijacked)
        throw new BadInputError('--since needs --hijacked');
      if (keepProofs && !redact) throw new BadInputError('--keep-proofs needs --redact');
      if (append !== undefined && !hasVisibleText(append)) throw new BadInputError('--append is empty');
      const replaced = { ...fields, ...(redact && !keepProofs && ERASED_FIELDS) };
      const names = Object.keys(replaced);
      if (names.length === 0 && !forgetNames && append === undefined)
        throw new BadInputError('nothing to change: give at least one of the fields (see --help)');
      const bringsBack = cli.saysYes;
      const what = { fields: replaced, append, redacts: redact, erasesNames: forgetNames, bringsBack };
      const retriesConflicts = !forgetNames && names.every((field) => OF_ACCOUNT.has(field));
      await change(cli, identifier, options, what, retriesConflicts);
    });

  for (const verified of [true, false]) {
    ofEntry(entry.command(verified ? 'verify' : 'unverify'))
      .description(verified ? 'mark an entry as verified' : 'move an entry to the risk list')
      .action((identifier: string, options: Target) => {
        const verifiedAt = verified ? new Date().toISOString() : null;
        return change(cli, identifier, options, { fields: { verified, verifiedAt } }, true);
      });
  }
}

/** Changes that another's change does not alter. */
const OF_ACCOUNT: ReadonlySet<string> = new Set<ImportedField>(['account', 'accountSince']);

/** @throws {BadInputError} */
function checkId(id: string, allowsOdd: boolean): void {
  const mistake = findMistakenId(id);
  if (mistake !== undefined) throw new BadInputError(`the ID ${JSON.stringify(id)} ${mistake}`);
  if (!allowsOdd && !isPlatformId(id))
    throw new BadInputError(
      `the ID ${JSON.stringify(id)} is not 17 to 20 digits; --odd-id says that this is meant`,
    );
}

interface AddOptions extends Facts, Target {
  oddId?: true;
  proof?: string[];
  caption?: Captions;
  proofs: 'public' | 'private';
}

/** The captions, each under the place of its proof. */
type Captions = Readonly<Record<number, string>>;

const PROOFS_MAX = 20;

/** @throws {InvalidArgumentError} */
function collectProof(file: string, before: string[] = []): string[] {
  if (before.length === PROOFS_MAX) throw new InvalidArgumentError(`At most ${PROOFS_MAX} are taken.`);
  return [...before, file];
}

interface EditOptions extends Facts, Target {
  oddId?: true;
  append?: string;
  redact?: true;
  keepProofs?: true;
  forgetNames?: true;
}

function factOptions(command: Command): Command {
  return command
    .option('--name <name>', 'nickname or server name')
    .option('--reason <markdown>', 'reason, Markdown')
    .option('--reason-file <file>', 'read the reason from a file; - reads standard input')
    .addOption(new Option('--verified', 'verified entry').conflicts('risk'))
    .option('--risk', 'risk list')
    .option('--reported-at <time>', 'ISO 8601 time or epoch milliseconds')
    .option('--views <count>', 'how often it was viewed', wholeNumber(0));
}

/** The import format allows it for lists from elsewhere; pages promise that operators make no such entry. */
const NO_DESCRIPTION = 'no entry is made without a description';

async function toFields(cli: Cli, options: Facts): Promise<Partial<ImportRecordInput>> {
  const { reasonFile } = options;
  if (options.reason !== undefined && reasonFile !== undefined)
    throw new BadInputError('give --reason or --reason-file, not both');
  const reason = reasonFile === undefined ? options.reason : await readText(cli, reasonFile);
  if (reason !== undefined && !hasVisibleText(reason))
    throw new BadInputError(
      `${reasonFile ?? '--reason'} is empty: ${NO_DESCRIPTION}; say in Markdown what happened`,
    );
  const { id, name, verified, risk, reportId, views, reportedAt, hijacked, own, since } = options;
  const fields = {
    id,
    name,
    reason,
    verified: risk ? false : verified,
    verifiedAt: verified ? new Date().toISOString() : risk && null,
    reportId,
    views,
    reportedAt: readTime(reportedAt),
    account: own ? ('own' as const) : hijacked && ('hijacked' as const),
    accountSince: own ? null : readTime(since),
  } satisfies Record<Exclude<ImportedField, 'proofs'>, unknown>;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Import format takes epoch milliseconds as a number. */
function readTime(given: string | number | undefined): string | number | undefined {
  return /^\d+$/.test(String(given)) ? Number(given) : given;
}

async function change(
  cli: Cli,
  identifier: string,
  { list }: Target,
  what: EntryChange,
  retriesConflicts: boolean,
): Promise<void> {
  const usesDiskReserve = what.redacts === true || what.erasesNames === true;
  const db = await openToWrite(cli, { usesDiskReserve });
  const { seq } = readLogHead(db);
  const onNotice = ({ problem }: { readonly problem: string }) => printNotice(cli, problem);
  const write = () => changeEntry(db, list, identifier, what, { by: cli.by, retriesConflicts, onNotice });
  const { previousId, id } = await withReserve(cli, usesDiskReserve, write);
  if (id !== previousId && isPlatformId(previousId))
    removeAvatar(avatarsFolder(cli.config.databasePath), previousId);
  printEntry(cli, db, list, id);
  for (const text of describeOtherLists(db, seq)) printNotice(cli, text);
}
