/** The verb `incident`: outages on the status page. */
import type { Command } from 'commander';
import { paragraphsSchema } from '../entries/import-record.ts';
import { listIncidents, NOTE_MAX, writeIncidentNote, type Incident } from '../status/incidents.ts';
import { BadInputError } from '../operator-error.ts';
import { print, type Cli } from './console/cli.ts';
import { wholeNumber } from './console/options.ts';
import { openMigrated, openToWrite } from './console/operator-database.ts';

const SHOWN_DEFAULT = 20;

export function addVerbs(program: Command, cli: Cli): void {
  const incident = program
    .command('incident')
    .description('work on the incidents that the status page and its feed show');

  incident
    .command('list')
    .description('list incidents, newest first')
    .option('--limit <n>', 'how many', wholeNumber(1), SHOWN_DEFAULT)
    .action(async ({ limit }: { limit: number }) => {
      const db = await openMigrated(cli);
      const incidents = listIncidents(db, limit);
      const text = incidents.map(formatIncident).join('\n') || 'there were no incidents';
      print(cli, incidents.map(toShown), text);
    });

  incident
    .command('note')
    .description('give an incident a public note, in plain text; an empty one removes it')
    .argument('<number>', 'as "incident list" shows it', wholeNumber(1))
    .argument('<text>', `at most ${NOTE_MAX} characters, in the language of the visitors`)
    .action(async (number: number, text: string) => {
      const note = text.trim();
      const [problem] = paragraphsSchema(NOTE_MAX).safeParse(note).error?.issues ?? [];
      if (problem) throw new BadInputError(`the note ${problem.message}`);
      const db = await openToWrite(cli);
      const noted = db.write((tx) => writeIncidentNote(tx, number, note || null, Date.now()));
      if (!noted)
        throw new BadInputError(
          `there is no incident ${number}; "czujka incident list" shows those that are`,
        );
      const said = note ? `noted on incident ${number}` : `removed the note of ${number}`;
      print(cli, toShown(noted), said);
    });
}

function toShown({ openedAt, closedAt, note, updatedAt, ...facts }: Incident): object {
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    ...facts,
    ...(note !== null && { note }),
    openedAt: iso(openedAt),
    closedAt: closedAt === null ? null : iso(closedAt),
    updatedAt: iso(updatedAt),
  };
}

function formatIncident({ incident, part, openedAt, closedAt, note }: Incident): string {
  const until = closedAt === null ? 'still open' : new Date(closedAt).toISOString();
  return `${incident}  ${part}  ${new Date(openedAt).toISOString()} – ${until}${note ? `\n    ${note}` : ''}`;
}
