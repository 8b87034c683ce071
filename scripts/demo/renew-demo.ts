import { sqlBuilder, type Database } from '#src/db/database.ts';
import { storeDemoDonations } from '../sample/demo-donations.ts';
import { fillDemoHistory } from '../sample/demo-status.ts';

/** The demo makes these anew: their chain ended with the last start, or their days count from now. */
const OF_THE_LAST_START = [
  'donation_outputs',
  'donation_payers',
  'donation_transitions',
  'donations',
  'litecoin_blocks',
  'incidents',
  'status_periods',
  'status_snapshot',
  'status_streaks',
] as const;

/** Donations and status as if it had run until now; entries stay as they are. @param now epoch milliseconds */
export function renewDemo(db: Database, now: number): void {
  db.write((tx) => {
    for (const table of OF_THE_LAST_START) tx.run(sqlBuilder.deleteFrom(table));
  });
  storeDemoDonations(db, now);
  fillDemoHistory(db, now);
}
