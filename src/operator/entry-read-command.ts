/** `entry show` and `entry list`. */
import { Option, type Command } from 'commander';
import { toAppealBody } from '../entries/appeals.ts';
import { readId, readNick } from '../entries/read-subject.ts';
import { findInLists, findByNick, chooseList } from '../entries/find-rows.ts';
import type { EntrySummary } from '../entries/entry.ts';
import { toTimestamp } from '../entries/published.ts';
import { STATUSES } from '../entries/list-query.ts';
import { print, type Cli } from './console/cli.ts';
import { ANY_NAME, listOption, wholeNumber, type Target } from './console/options.ts';
import { describeEntry, formatAppeal } from './describe-entry.ts';
import { findTombstones, formatHistory, type Tombstone } from './entry-history.ts';
import { listEntries, type EntryQuery } from './list-entries.ts';
import { describeNotes, formatNotes } from './note-command.ts';
import { readDatabase } from './with-database.ts';

export function addReadingVerbs(entry: Command, cli: Cli): void {
  entry
    .command('show')
    .description('show an entry with its history, in every list that has it; or what stays of a removed one')
    .argument('<id>', `${ANY_NAME}, mention, link to a profile, or nick; a removed entry has no nick`)
    .addOption(listOption())
    .action((id: string, options: Partial<Target>) =>
      readDatabase(cli, (db) => {
        const { list } = options;
        const given = findInLists(db, id);
        const name = given.length > 0 ? id : readId(id);
        const found = name === id ? given : findInLists(db, name);
        const tombstones = found.length > 0 ? [] : findTombstones(db, name);
        if (tombstones.length > 0)
          return print(cli, tombstones, tombstones.map(formatTombstone).join('\n\n'));
        const ofNick = found.length > 0 ? [] : findByNick(db, readNick(id), list);
        const rows = ofNick.length > 0 ? ofNick : chooseList(found, name, list);
        const shown = rows.map((row) => ({
          ...describeEntry(db, row.list, row.chat_id),
          notes: describeNotes(db, row.row),
        }));
        print(cli, shown, shown.map(formatEntry).join('\n\n'));
      }),
    );

  entry
    .command('list')
    .description('list entries, newest first; with --older-than oldest first')
    .addOption(listOption().makeOptionMandatory())
    .option('--search <text>', 'only those with this text in name, ID or reason')
    .addOption(new Option('--status <status>').choices([...STATUSES]).default('all'))
    .addOption(new Option('--risk', 'only those that wait to be verified').conflicts('status'))
    .option('--hijacked', 'only those of accounts that a stranger has')
    .option('--older-than <days>', 'only those reported more days ago', wholeNumber(0))
    .option('--skip <count>', 'leave out the first', wholeNumber(0), 0)
    .option('--limit <count>', 'show at most this many', wholeNumber(1), 30)
    .action((options: Target & EntryQuery & { risk?: true }) =>
      readDatabase(cli, (db) => {
        const { entries, total } = listEntries(db, options.list, {
          ...options,
          status: options.risk ? 'risk' : options.status,
        });
        const lines = entries.map(
          (found) => `${found.id}\t${describeMark(found)}\t${found.reportId}\t${found.name}`,
        );
        const shown = entries.map((found) => ({
          ...found,
          reportedAt: new Date(found.reportedAt).toISOString(),
          verifiedAt: toTimestamp(found.verifiedAt),
          accountSince: toTimestamp(found.accountSince),
          updatedAt: new Date(found.updatedAt).toISOString(),
          appeal: toAppealBody(found.appeal),
        }));
        print(
          cli,
          { entries: shown, total, hasMore: options.skip + entries.length < total },
          [...lines, `${entries.length} of ${total}`].join('\n'),
        );
      }),
    );
}

function describeMark({ verified, account }: EntrySummary): string {
  return `${verified ? 'verified' : 'risk'}${account === 'hijacked' ? ', hijacked' : ''}`;
}

type ShownEntry = ReturnType<typeof describeEntry> & { notes: ReturnType<typeof describeNotes> };

function formatEntry(entry: ShownEntry): string {
  const { history, proofs, reason, formerNames, notes, appeal, ...facts } = entry;
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${String(value)}`],
  );
  if (appeal) lines.push(formatAppeal(appeal));
  if (formerNames.length > 0) lines.push(`former names: ${formerNames.join(', ')}`);
  lines.push(`proofs: ${proofs ? `${proofs.items.length}${proofs.private ? ', private' : ''}` : 'none'}`);
  lines.push(...formatNotes(notes), ...formatHistory(history), `reason:\n${reason}`);
  return lines.join('\n');
}

function formatTombstone({ list, _id, reportId, history }: Tombstone): string {
  return [`removed from ${list}`, `_id: ${_id}`, `reportId: ${reportId}`, ...formatHistory(history)].join(
    '\n',
  );
}
