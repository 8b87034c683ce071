/** English texts for the tables of /docs/en, which come from the same document as those of /docs. */
import type { DocsWords } from './_endpoint-docs.ts';
import { DOCS_PATH, ENGLISH_DOCS_PATH } from '#src/paths.ts';

/** The documentation in both languages. */
export const LANGUAGES = [
  { href: DOCS_PATH, hreflang: 'pl' },
  { href: ENGLISH_DOCS_PATH, hreflang: 'en' },
];

/** English summaries; the keys are IDs of operations. */
const SUMMARIES: Readonly<Record<string, string>> = {
  check: 'Searches all lists for an ID or part of a nick.',
  verdict: 'One word for an ID, and listed nicks that look like the one given.',
  verdicts: 'The same for up to 100 IDs, as one request, without nicks.',
  lists: 'Reported people, reported servers or trusted people, page by page.',
  listChanges: 'Changes since a cursor.',
  followChanges: 'The same changes as server-sent events.',
  readManifest: 'The files that make up each list, and the cursor to continue from.',
  readPrefixes: '4-byte hash prefixes of all IDs, for checking without revealing the ID.',
  readChunk: 'One file of a list: an array of entries.',
  readStatus: 'Current state of services and bots.',
  readStatusHistory: 'Their state over time.',
  readBadge: 'A status badge for your page.',
  readIncidents: 'Atom feed of incidents.',
  healthz: 'Whether the process is running.',
  readyz: 'Whether it can serve requests; 503 with reasons if not.',
  readAvatar: 'The picture of an account or a server.',
  readDonation: 'The state of a donation.',
  readFeed: 'Atom feed of the 60 newest confirmed entries.',
  readDescription: 'The whole API as OpenAPI 3.1.',
};

/** Meanings of parameters and values, before whose name that of the operation or type may stand; a dot alone for a value. */
const MEANINGS: Readonly<Record<string, string>> = {
  'verdict.id': 'The ID as text; mentions `<@ID>` and profile links work too.',
  'verdict.name': 'The nick, needed to find look-alikes. Give `id`, `name` or both.',
  'verdicts.ids': '1 to 100 IDs, separated by commas.',
  'check.search': 'A nick or part of one, or an exact ID. Mentions and links do not work.',
  'check.id': 'The exact ID, 17–20 digits; anything else finds nothing. Overrides `search`.',
  'listChanges.since': '`cursor` from the manifest, `next` from the last answer, or an event’s `id`.',
  'listChanges.limit': 'How many changes to read; the answer may hold fewer.',
  'followChanges.since': 'The same; without it, events start now.',
  'listScammers.search': 'Searches nicks, names, IDs and reasons, ignoring case and accents.',
  'listScammers.id': 'The exact ID.',
  'listScammers.sort': '`popular`: most viewed first; `az` and `za`: by name.',
  'listScammers.status': '`risk`: unconfirmed reports. Ignored on the list of trusted people.',
  'listScammers.proofs': '`private`: with non-public proofs.',
  'listScammers.skip': 'How many entries to skip.',
  'listScammers.limit': 'How many entries to return.',
  'readStatusHistory.range': '`24h` in 5-minute steps, `7d` hourly, `90d` daily in UTC.',
  'followChanges.Last-Event-ID': 'The last event’s `id`; overrides `since`.',

  reported: 'A confirmed report of a person or server.',
  risk: 'An unconfirmed report, or a hijacked trusted account.',
  trusted: 'On the list of trusted people.',
  unknown: 'No entry with this ID. That does not mean safe.',
  looks_like_trusted: 'The nick resembles a trusted person with another ID, perhaps to impersonate them.',
  looks_like_reported: 'The nick resembles a present or former name of a reported entry.',
  mixed_scripts: 'The nick mixes alphabets.',
  hidden_characters: 'The nick has invisible characters.',
  id_malformed: 'Not an ID of 17 to 20 digits, so `unknown` means nothing.',
  id_rounded:
    'The ID looks as if it was handled as a number and lost its last digits. Get it again, as text.',
  own: 'the owner',
  hijacked: 'someone else',
  scammers: 'reported people',
  servers: 'reported servers',
  legit: 'trusted people',
  same_name: 'equal except for case, accents and invisible characters',
  same_shape: 'look-alike letters',
  one_edit: 'a longer nick with one letter changed or two neighbours swapped',
  affix: 'a trusted nick with something added, such as `_support` or a number',
  former_name: 'a former name of a reported entry',
  upheld: 'the entry stays',
  '.appeal': 'an appeal was granted',
  mistake: 'a mistake',
  request: 'at the person’s request',
  duplicate: 'a duplicate',
  recovered: 'the owner got the account back: lift the ban',
  other: 'another reason; treat unknown codes like this one',
  added: 'store `entry` under its `_id`',
  updated: 'the same',
  removed: 'delete the entry with the `_id` of `tombstone` everywhere',

  verdict: 'The answer. Only the ID decides.',
  'VerdictResponse.list': 'List of the deciding entry, `null` without one.',
  'VerdictResponse.entries': 'Entries with this ID, the deciding one first.',
  'VerdictResponse.warnings': 'What to be careful about. A warning is not a verdict.',
  lookAlikes: 'Entries with other IDs and similar nicks, trusted ones first.',
  dataAt: 'Time of the newest change included.',
  _id: 'Internal ID of the entry: the key in your copy.',
  name: 'Nick, or the server’s name.',
  id: 'ID on the platform, as text.',
  descHtml: 'The reason as HTML, in Polish. Sanitize it before use.',
  verified: '`true`: confirmed; `false`: an unconfirmed report.',
  proofsId: 'Proofs are at `/proofs/{proofsId}`; `null` without any.',
  reportId: 'Report number, for the link `/wpis/{reportId}` and for appeals.',
  'ShortVerdict.reportId': 'Report number; `null` without an entry.',
  'ShortVerdict.list': 'List of the deciding entry; `null` without one.',
  'ShortVerdict.warnings': '`id_malformed` or `id_rounded`; `unknown` then means nothing.',
  reportedAt: 'When it was reported.',
  verifiedAt: 'When it was confirmed; `null` if unconfirmed or unknown.',
  account: 'Who controls the account. The owner of a hijacked one is not to blame.',
  accountSince: 'When it was hijacked; `null` if it was not, or if unknown.',
  'ShortVerdict.account': 'Who controls the account; `null` without an entry.',
  'VerdictResponse.account':
    'Who controls the account. `hijacked` turns `trusted` into `risk` and changes no other verdict; `null` without an entry.',
  updatedAt: 'When it last changed.',
  appeal: 'The latest appeal against the entry, or `null`. Does not affect `verdict`.',
  openedAt: 'When it was filed.',
  decidedAt: 'When it was decided; `null` until then.',
  outcome: '`null` until then. A granted appeal removes the entry.',
  note: 'Why the entry stays: plain text in Polish.',
  'LookAlike.verdict': 'The verdict for the other entry.',
  'LookAlike.id': 'ID of that entry, not the one you asked about.',
  why: 'How it looks alike.',
  differs: 'Where the nicks differ; empty if only by case.',
  'NameDifference.at': 'Position in the given nick, from 0, in code points.',
  from: 'As it is in the listed nick.',
  to: 'As it is in the given nick.',
  text: 'The same in words, in Polish.',
  verdicts: 'By ID as you sent it, trimmed.',
  results: 'One element per list with a match. Empty means no entry, not “safe”.',
  kind: 'The list.',
  list: 'The list.',
  entries: 'The matching entries, at most 20.',
  changes: 'In order. An entry that changed several times appears once, as it is now.',
  next: 'The next `since`, even if nothing is new.',
  hasMore: '`true`: ask again at once; `false`: in 30 seconds.',
  seq: 'Number of the change; only grows.',
  at: 'When.',
  op: 'What to do.',
  entry: 'The entry as it is now.',
  tombstone: 'What remains of a removed entry. Does not name the person.',
  'Tombstone._id': '`_id` of the entry to delete.',
  removedAt: 'When it was removed.',
  reasonCode: 'Why.',
  formatVersion: 'Stop if it is not 1.',
  generation: 'Number of the last change in the files.',
  generatedAt: 'When it was made.',
  cursor: 'The first `since`, once all files are read.',
  lists: 'The three lists.',
  total: 'How many entries the list has.',
  chunks: 'The files that make up the list.',
  path: 'Path on this service.',
  sha256: 'SHA-256 of the uncompressed bytes, in hex.',
  bytes: 'Size before compression.',
  'Chunk.entries': 'How many entries the file has.',
};

/** Meanings of errors; the keys are statuses. */
const STATUSES: Readonly<Record<string, string>> = {
  400: 'A bad, repeated or missing parameter, or a malformed request.',
  404: 'No such path or resource. Never “no entry”.',
  405: 'A method other than GET, HEAD and OPTIONS.',
  408: 'The request did not arrive in time.',
  410: 'Gone: start over from the manifest.',
  417: 'An `Expect` header other than `100-continue`.',
  429: 'Rate limit exceeded: retry after `Retry-After` seconds.',
  431: 'URL and headers exceed 16 kB.',
  500: 'A failure on our side. Report it with the `X-Request-Id` header.',
  503: 'Temporarily unavailable: retry after `Retry-After` seconds.',
};

/** Owners (operations, and these types) whose words mean something else than those of entries. */
const OTHER_WORDS = /^(?:[a-z]|Donation|Status|History|Part)/;

export const ENGLISH: DocsWords = {
  allowed: {
    required: ', required',
    byDefault: '; default',
    upTo: (length) => `up to ${length} characters`,
  },
  limits: { alone: 'own limit', shared: 'shared', withPages: 'shared with the pages' },
  answer: 'Answer',
  listOf: 'list of',
  listOfWords: 'list of words',
  group: (polish) => GROUPS[polish] ?? polish,
  textOf: ({ operationId, summary }) => SUMMARIES[operationId] ?? summary,
  meaningOf: (name, owner) =>
    MEANINGS[`${owner}.${name}`] ?? (OTHER_WORDS.test(owner) ? undefined : MEANINGS[name]) ?? '',
  valuesOf({ enum: own, items }, owner) {
    const values = OTHER_WORDS.test(owner) ? [] : (own ?? items?.enum ?? []);
    const known = values.filter((value) => value in MEANINGS);
    return known.length === 0 ? '' : ` ${known.map((value) => `\`${value}\`: ${MEANINGS[value]}`).join(' ')}`;
  },
};

const GROUPS: Readonly<Record<string, string>> = {
  Sprawdzanie: 'Checking',
  Listy: 'Lists',
  'Własna kopia': 'Your own copy',
  'Stan usług': 'Service status',
  Pozostałe: 'Other',
};

export function describeStatus(status: string, polish: string): string {
  return STATUSES[status] ?? polish;
}
