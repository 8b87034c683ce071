/** `donation import`: a file of donations, all of them or none. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Database } from '#src/db/database.ts';
import { parseDonationRecord } from '#src/donations/donation-record.ts';
import type { Network } from '#src/donations/litecoin-network.ts';
import { importDonations } from '#src/donations/write-donation.ts';
import type { NewDonation } from '#src/donations/write-donation.ts';
import { BadInputError } from '../operator/outcome.ts';
import { checkInput, formatProblem, PROBLEMS_LISTED, STANDARD_INPUT } from './import-file.ts';
import { parseJson } from './parse-json.ts';
import { InputError, splitRecords } from './split-records.ts';

export interface DonationImport {
  readonly imported: number;
  /** Of these, those that the chain still has to tell about; it is read again from the oldest one on. */
  readonly open: number;
}

/** @throws {BadInputError} listing what is wrong, by line */
export async function importDonationFile(
  db: Database,
  file: string,
  network: Network,
  stdin: Readable,
): Promise<DonationImport> {
  checkInput(file);
  const input = (file === STANDARD_INPUT ? stdin : createReadStream(file)) as AsyncIterable<Buffer>;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const donations: NewDonation[] = [];
  const problems: string[] = [];
  const refuse = (line: number, field: string, problem: string): void => {
    problems.push(formatProblem(file, { line, field, problem }));
  };
  try {
    for await (const { line, bytes } of splitRecords(input)) {
      const value = parseJson(decoder, bytes, line);
      if (!value.ok) {
        refuse(line, '', value.problem);
        continue;
      }
      const parsed = parseDonationRecord(value.value, network);
      if (parsed.ok) donations.push(parsed.donation);
      else for (const { field, problem } of parsed.problems) refuse(line, field, problem);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    refuse(error.line, '', error.message);
  }
  if (problems.length > 0) {
    const more = problems.length > PROBLEMS_LISTED ? [`… and ${problems.length - PROBLEMS_LISTED} more`] : [];
    throw new BadInputError(
      [...problems.slice(0, PROBLEMS_LISTED), ...more, 'nothing was imported'].join('\n'),
    );
  }
  importDonations(db, donations);
  const open = donations.filter(({ outcome }) => outcome === undefined).length;
  return { imported: donations.length, open };
}
