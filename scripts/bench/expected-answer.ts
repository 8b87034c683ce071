/** What an answer has to be, worked out from the entries themselves: without the read model and without caches. */
import type { Database } from '#src/db/database.ts';
import { toCheckResults } from '#src/entries/check-entries.ts';
import { parseCheckQuery } from '#src/entries/check-query.ts';
import { parseListKind } from '#src/entries/entry.ts';
import { parseListQuery } from '#src/entries/list-query.ts';
import { readFromMain } from '#src/serving/check-names.ts';
import { joinCheck, joinList } from '#src/serving/list-response.ts';
import { checkByPlainSql, listByPlainSql } from '#src/serving/plain-sql.ts';
import { listOf } from '#src/serving/ready-entry.ts';

const goOn = (): void => {};

/** @returns the body; undefined for what is no list and no check */
export function expectedAnswer(db: Database, path: string): string | undefined {
  const url = new URL(path, 'http://bench');
  if (url.pathname === '/api/check') return expectedCheck(db, url.searchParams);
  const list = parseListKind(url.pathname.slice('/api/'.length));
  if (!list) return undefined;
  const { query } = parseListQuery(url.searchParams);
  const { frames, total } = listByPlainSql(db, list, query, 'body', goOn);
  return joinList(frames, total, query.skip + frames.length < total).body.toString();
}

function expectedCheck(db: Database, parameters: URLSearchParams): string {
  const { id, search = '' } = parseCheckQuery(parameters).query;
  const frames =
    id === undefined ? checkByPlainSql(db, search, 'body', goOn).frames : readFromMain(db, id, 'body');
  return joinCheck(toCheckResults(frames, ({ flags }) => listOf(flags))).body.toString();
}
