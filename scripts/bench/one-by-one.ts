/** One client that asks one question after another, while somebody edits entries. */
import { performance } from 'node:perf_hooks';
import type { Database } from '#src/db/database.ts';
import { readLastChange } from '#src/changes/append-change.ts';
import { writeEntries } from '#src/entries/write-entries.ts';
import type { EntryRow } from '#src/entries/entry-row.ts';
import type { ProofsState } from '#src/entries/entry.ts';
import { expectedAnswer } from './expected-answer.ts';
import { waitUntilFollowed } from './serving-state.ts';
import type { Measured } from './load.ts';

const CHECKED_EVERY = 25;
/** Some questions after a change: an answer may be as old as the time between two looks at the log. */
const CHECKED_AT = 4;

/**
 * Asks every question once.
 * @param db opened for writing
 * @param changeEvery after so many questions an entry of the scammers list is changed
 */
export async function askOneByOne(
  origin: string,
  paths: readonly string[],
  db: Database,
  changeEvery: number,
): Promise<Measured> {
  const times: number[] = [];
  let failures = 0;
  for (const [index, path] of paths.entries()) {
    const isChecked = index % CHECKED_EVERY === CHECKED_AT;
    if (isChecked) await waitUntilFollowed(db);
    const askedAt = performance.now();
    const answer = await fetch(origin + path, { headers: { 'Accept-Encoding': 'identity' } });
    const body = await answer.text();
    times.push(performance.now() - askedAt);
    if (answer.status !== 200) failures += 1;
    // Looking through all entries takes longer than the answer.
    else if (isChecked && body !== expectedAnswer(db, path)) failures += 1;
    if (index % changeEvery === changeEvery - 1) changeEntry(db, index + 1);
  }
  return summarize(times, failures);
}

/**
 * Another address asks one question after another for as long as something lasts. Its own times count, not those of a
 * load that would have come meanwhile (as wrk counts).
 */
export async function askMeanwhile(
  origin: string,
  paths: readonly string[],
  something: Promise<void>,
): Promise<Measured> {
  let isOver = false;
  const over = something.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  let failures = 0;
  for (let at = 0; !isOver; at += 1) {
    const client = `10.202.${(at >>> 8) & 255}.${at & 255}`;
    const askedAt = performance.now();
    const answer = await fetch(`${origin}${paths[at % paths.length]}`, {
      headers: { 'X-Forwarded-For': client, 'Accept-Encoding': 'identity' },
    });
    await answer.arrayBuffer();
    times.push(performance.now() - askedAt);
    if (answer.status !== 200) failures += 1;
  }
  await over;
  return summarize(times, failures);
}

function summarize(times: number[], failures: number): Measured {
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1_000;
  times.sort((a, b) => a - b);
  const percentile = (share: number): number => times[Math.ceil(times.length * share) - 1] ?? 0;
  return {
    requestsPerSecond: times.length / seconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    failures,
  };
}

/** Marks it as verified, or takes the mark away. */
function changeEntry(db: Database, row: number): void {
  const entry = db
    .statement<EntryRow>("SELECT * FROM entries WHERE row >= ? AND list = 'scammers' LIMIT 1")
    .get(row);
  if (!entry) return;
  const write = {
    chatId: entry.chat_id,
    name: entry.name,
    verified: entry.verified === 0,
    reportedAt: entry.reported_at,
    views: entry.views,
    proofs: entry.proofs as ProofsState,
    reportId: entry.report_id,
    content: entry.content,
  };
  writeEntries(db, 'scammers', [write], readLastChange(db, 'scammers'), Date.now());
}
