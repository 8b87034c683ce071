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
  check: 'Searches all lists for an ID or a part of a nick.',
  verdict: 'One word about an ID, and nicks that look like the given one.',
  verdicts: 'The same word for up to 100 IDs; counts as one request. No nicks.',
  lists: 'Reported people, reported servers and trusted people, by page.',
  listChanges: 'What changed since a cursor.',
  followChanges: 'The same as server-sent events.',
  readManifest: 'The files that make up whole lists, and the cursor to go on from.',
  readPrefixes: 'Hash prefixes of all IDs: 4 bytes each, for asking without telling.',
  readChunk: 'One file of a list: an array of entries.',
  readStatus: 'Dependencies and bots, now.',
  readStatusHistory: 'The same over time.',
  readBadge: 'A badge for your page.',
  readIncidents: 'Atom feed of incidents.',
  healthz: 'Whether the process runs.',
  readyz: 'Whether it can answer; 503 with reasons if not.',
  readAvatar: 'The picture of an account or a server.',
  readDonation: 'The state of a donation.',
  readFeed: 'Atom feed of the 60 newest confirmed entries.',
  readDescription: 'The whole interface as OpenAPI 3.1.',
};

/** Meanings of parameters and values, before whose name that of the operation or type may stand; a dot alone for a value. */
const MEANINGS: Readonly<Record<string, string>> = {
  'verdict.id': 'The ID as text; a mention `<@ID>` and a link to a profile are read too.',
  'verdict.name': 'The nick; without it no look-alikes are searched. Give `id`, `name` or both.',
  'verdicts.ids': '1 to 100 IDs, separated by commas.',
  'check.search': 'A nick or a part of it, or an exact ID. Mentions and links are not read.',
  'check.id': 'The exact ID, 17–20 digits; anything else finds nothing. Wins over `search`.',
  'listChanges.since': '`cursor` of the manifest, `next` of the last answer, or the `id` of an event.',
  'listChanges.limit': 'How many changes to look at; the answer may hold fewer.',
  'followChanges.since': 'The same; without it events begin now.',
  'listScammers.search': 'Searches nicks, names, IDs and reasons; case and accents do not matter.',
  'listScammers.id': 'The exact ID.',
  'listScammers.sort': '`popular`: the most viewed first; `az` and `za`: by name.',
  'listScammers.status': '`risk`: unconfirmed reports. The list of trusted people ignores it.',
  'listScammers.proofs': '`private`: with proofs that are not public.',
  'listScammers.skip': 'How many entries to leave out.',
  'listScammers.limit': 'How many entries to give.',
  'readStatusHistory.range': '`24h` by 5 minutes, `7d` by hours, `90d` by days in UTC.',
  'followChanges.Last-Event-ID': '`id` of the last event; wins over `since`.',

  reported: 'A confirmed report of a person or a server.',
  risk: 'An unconfirmed report, or a hijacked trusted account.',
  trusted: 'On the list of trusted people.',
  unknown: 'No entry with this ID, which does not mean safe.',
  looks_like_trusted: 'The nick resembles a trusted person with another ID, perhaps to impersonate them.',
  looks_like_reported: 'The nick resembles a present or former name of a reported entry.',
  mixed_scripts: 'The nick mixes alphabets.',
  hidden_characters: 'The nick has invisible characters.',
  id_malformed: 'This is no ID of 17 to 20 digits: `unknown` means nothing then.',
  id_rounded:
    'The ID looks as if it had been a number on its way and lost its last digits. Read it again, as text.',
  own: 'the owner has it',
  hijacked: 'somebody else has it',
  scammers: 'reported people',
  servers: 'reported servers',
  legit: 'trusted people',
  same_name: 'equal but for case, accents and invisible characters',
  same_shape: 'letters that look alike',
  one_edit: 'one letter differs, or two neighbours are swapped, in a longer nick',
  affix: 'a trusted nick with something added, such as `_support` or a number',
  former_name: 'the reported entry once had this name',
  upheld: 'the entry stays',
  '.appeal': 'an appeal was granted',
  mistake: 'a mistake',
  request: 'the person asked for it',
  duplicate: 'a duplicate',
  recovered: 'the owner has the account back: lift the ban',
  other: 'another reason; treat unknown codes like it',
  added: 'store `entry` under its `_id`',
  updated: 'the same',
  removed: 'delete the entry with the `_id` of `tombstone` wherever you keep it',

  verdict: 'The answer. Only the ID decides.',
  'VerdictResponse.list': 'List of the deciding entry; `null` without one.',
  'VerdictResponse.entries': 'Entries with this ID, the deciding one first.',
  'VerdictResponse.warnings': 'What to be careful about; a warning is not a verdict.',
  lookAlikes: 'Entries with other IDs and similar nicks, trusted ones first.',
  dataAt: 'Time of the newest change that the answer knows.',
  _id: 'Internal ID of the entry: the key for your copy.',
  name: 'Nick, or name of the server.',
  id: 'ID on the platform, as text.',
  descHtml: 'The reason as HTML, in Polish. Sanitize it before you put it into a page.',
  verified: '`true`: confirmed; `false`: an unconfirmed report.',
  proofsId: 'The proofs are at `/proofs/{proofsId}`; `null` without any.',
  reportId: 'Number of the report, for the link `/wpis/{reportId}` and for appeals.',
  'ShortVerdict.reportId': 'Number of the report; `null` without an entry.',
  'ShortVerdict.list': 'List of the deciding entry; `null` without one.',
  'ShortVerdict.warnings': '`id_malformed` or `id_rounded`: then `unknown` means nothing.',
  reportedAt: 'When it was reported.',
  verifiedAt: 'When it was confirmed; `null` if it is not, or if the time is unknown.',
  account: 'Who has the account. The owner of a hijacked one is not guilty.',
  accountSince: 'Since when it is hijacked; `null` if it is not, or if the time is unknown.',
  'ShortVerdict.account': 'Who has the account; `null` without an entry.',
  'VerdictResponse.account':
    'Who has the account: `hijacked` leaves `verdict` as it is, but a trusted account is `risk` then; `null` without an entry.',
  updatedAt: 'When it was last changed.',
  appeal: 'The newest appeal against the entry, or `null`. It does not change `verdict`.',
  openedAt: 'When it came.',
  decidedAt: 'When it was decided; `null` until then.',
  outcome: '`null` until then. After a granted appeal there is no entry.',
  note: 'Why the entry stays: plain text in Polish.',
  'LookAlike.verdict': 'What the other entry would give.',
  'LookAlike.id': 'ID of that entry, not the one you asked about.',
  why: 'Why it looks alike.',
  differs: 'Where the nicks differ; empty if only in case.',
  'NameDifference.at': 'Place in the given nick, from 0, in code points.',
  from: 'As it is in the listed nick.',
  to: 'As it is in the given nick.',
  text: 'The same in words, in Polish.',
  verdicts: 'By ID, as you gave it, without spaces around it.',
  results: 'One element for each list with a match; empty means no entry, not safe.',
  kind: 'The list.',
  list: 'The list.',
  entries: 'The matching entries, at most 20.',
  changes: 'In order. An entry that changed several times is here once, as it is now.',
  next: 'The next `since`, even if nothing is new.',
  hasMore: '`true`: ask again at once; `false`: in half a minute.',
  seq: 'Number of the change; it rises.',
  at: 'When.',
  op: 'What to do.',
  entry: 'The entry as it is now.',
  tombstone: 'What is left of a removed entry. It does not name the person.',
  'Tombstone._id': '`_id` of the entry that you have to delete.',
  removedAt: 'When it was removed.',
  reasonCode: 'Why.',
  formatVersion: 'Stop if it is not 1.',
  generation: 'Number of the last change in the files.',
  generatedAt: 'When it was made.',
  cursor: 'The first `since`, after all files are read.',
  lists: 'The three lists.',
  total: 'How many entries the list has.',
  chunks: 'The files that make up the list.',
  path: 'Path of the file on this service.',
  sha256: 'SHA-256 of the uncompressed bytes, in hex.',
  bytes: 'Size before compression.',
  'Chunk.entries': 'How many entries the file has.',
};

/** Meanings of errors; the keys are statuses. */
const STATUSES: Readonly<Record<string, string>> = {
  400: 'A bad, repeated or missing parameter, or a request that cannot be read.',
  404: 'No such address, or no such thing. Never “no entry”.',
  405: 'Another method than GET, HEAD and OPTIONS.',
  408: 'The request did not arrive in time.',
  410: 'It is gone: start from the manifest.',
  417: 'An `Expect` header other than `100-continue`.',
  429: 'Over the rate limit: ask again after `Retry-After` seconds.',
  431: 'Address and headers are over 16 kB.',
  500: 'A failure of the service. Report it with the number in `X-Request-Id`.',
  503: 'The service cannot answer now: ask again after `Retry-After` seconds.',
};

/** Owners (operations, and these types) whose words mean something else than those of entries. */
const OTHER_WORDS = /^(?:[a-z]|Donation|Status|History|Part)/;

export const ENGLISH: DocsWords = {
  allowed: {
    required: ', required',
    byDefault: '; default',
    upTo: (length) => `up to ${length} characters`,
  },
  limits: { alone: 'alone', shared: 'together', withPages: 'together with the pages' },
  answer: 'Answer',
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
  'Stan usług': 'State of services',
  Pozostałe: 'Others',
};

export function describeStatus(status: string, polish: string): string {
  return STATUSES[status] ?? polish;
}
