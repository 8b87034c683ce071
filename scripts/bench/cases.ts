/** The cases of the benchmark, each with its floor. */
import { byId, byNick, randomLists, searches, type Draw } from './questions.ts';

export interface BenchCase {
  readonly name: string;
  readonly paths: Draw;
  /** The floor's value, in the unit of its column; percentiles are in milliseconds. */
  readonly floor: string;
  /** One client asks 500 questions one after the other. */
  readonly isOneByOne?: true;
  /** An entry changes after this many of them. */
  readonly changeEvery?: number;
  /** These clients use all their limits at once; meanwhile one client asks one question after the other. */
  readonly flood?: { readonly clients: readonly string[]; readonly paths: Draw };
  /** 100,000 where it is missing; a case with more runs only when it is named. */
  readonly entries?: number;
}

const lists = randomLists('/api/scammers');
const pages = randomLists('/scammers');
const checks = byId('/api/check?id=');
const only =
  (path: string): Draw =>
  () => [path];
const both: Draw = (db, random) => {
  const asked = pages(db, random);
  return searches(db, random).flatMap((search, at) => [search, asked[at] ?? search]);
};
const FIVE = Array.from({ length: 5 }, (_, at) => `10.201.${at}.1`);
const NETS = Array.from({ length: 64 }, (_, at) => `2001:db8:1:${at.toString(16)}::1`);

export const CASES: readonly BenchCase[] = [
  { name: 'list', paths: only('/api/scammers'), floor: 'ratio ≥ 0.75' },
  { name: 'page', paths: only('/scammers'), floor: 'ratio ≥ 0.75' },
  { name: 'status', paths: only('/api/status'), floor: 'ratio ≥ 0.75' },
  { name: 'avatar', paths: only('/api/chat/avatar/80351110224678912'), floor: 'ratio ≥ 0.75' },
  { name: 'list-id', paths: byId('/api/scammers?id='), floor: 'ratio ≥ 0.42' },
  { name: 'check-id', paths: checks, floor: 'ratio ≥ 0.42' },
  { name: 'verdict-id', paths: byId('/api/verdict?id='), floor: 'ratio ≥ 0.35' },
  { name: 'check-nick', paths: byNick, floor: 'requests/s ≥ 1500' },
  { name: 'check-nick-million', paths: byNick, floor: 'p99 ≤ 20', isOneByOne: true, entries: 1_000_000 },
  { name: 'list-random', paths: lists, floor: 'ratio ≥ 0.16' },
  { name: 'page-random', paths: pages, floor: 'ratio ≥ 0.02' },
  { name: 'search', paths: searches, floor: 'p99 ≤ 40', isOneByOne: true },
  { name: 'search-changing', paths: searches, floor: 'p99 ≤ 60', isOneByOne: true, changeEvery: 10 },
  ...besideFlood('page-flood', ['10.201.0.1'], pages).slice(0, 1),
  ...besideFlood('search-flood', ['10.201.0.1'], searches).slice(0, 1),
  ...besideFlood('five-addresses', FIVE, both),
  ...besideFlood('sixty-four-nets', NETS, both),
];

function besideFlood(name: string, clients: readonly string[], paths: Draw): BenchCase[] {
  const flood = { clients, paths };
  return [
    { name: `check-id-beside-${name}`, paths: checks, floor: 'p99 ≤ 50', flood },
    { name: `search-beside-${name}`, paths: searches, floor: 'p95 ≤ 1500', flood },
    { name: `page-beside-${name}`, paths: pages, floor: 'p95 ≤ 1500', flood },
  ];
}
