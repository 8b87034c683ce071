/** Every page in every state that visitors can meet, over the demo's entries. */
import { proofsIdOf } from '#src/entries/entry-identity.ts';
import { sampleReportId } from '../../scripts/sample/seed-database.ts';
import { appealsPath, donatePath, DETAILS_PATH, ENGLISH_DOCS_PATH } from '#src/paths.ts';
import { DEMO_DONATION_NAMES, demoDonationId } from '../../scripts/sample/demo-donations.ts';
import { DEMO_IDS } from '../../scripts/sample/demo-records.ts';

export interface PageState {
  readonly name: string;
  readonly path: string;
  readonly status?: number;
  /** A hostile text, which the page shows in its field. */
  readonly typed?: string;
}

/** The seed of the entries that startDemoSite makes. */
const SEED = 1;
const LONG_REASON_ID = '867207539610419821';
const UNKNOWN_ID = '1100000000000000000';
/** On the trusted list and reported. */
const REPORTED_TRUSTED_ID = '186641673942725999';
const PRIVATE_PROOFS_ID = '711734143473178729';

function check(name: string, search: string): PageState {
  return { name: `check-${name}`, path: `/?${new URLSearchParams({ search })}` };
}

/** @param id of a reported account of the demo */
function proofs(name: string, id: string, status = 200): PageState {
  const proofsId = proofsIdOf(sampleReportId('scammers', SEED, id));
  return { name: `proofs-${name}`, path: `/proofs/${proofsId}`, status };
}

function list(name: string, path: string, parameters: Record<string, string> = {}): PageState {
  const query = new URLSearchParams(parameters);
  return { name: `list-${name}`, path: query.size > 0 ? `${path}?${query}` : path };
}

export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  script: '<script>alert(1)</script>',
  quotes: `"'><img src=x onerror=alert(1)> & 'x' „y”`,
  emoji: '🦊'.repeat(100),
  arabic: 'تاجر الظل '.repeat(10).trim(),
  stacked: 'b̴̨̛̭̈o̶͕̐͜r̷̢̛͇s̸̻̎u̵̞͝k̴̖̃'.slice(0, 90),
  solid: 'Ż'.repeat(100),
  override: '\u202eodwrócony\u202c',
  placeholder: '{{7*7}} ${7*7} %00 %3Cb%3E __SECONDS__',
};

export const PROOFS_WITH_IMAGES = proofs('images', DEMO_IDS.listed);

export const PAGE_STATES: readonly PageState[] = [
  { name: 'check', path: '/' },
  check('error-empty', ''),
  check('error-long', 'x'.repeat(134)),
  { name: 'check-error-repeated', path: '/?search=a&search=b' },
  { name: 'check-words-for-id', path: `/?${new URLSearchParams({ id: 'słowa, nie ID' })}` },
  check('listed', DEMO_IDS.listed),
  check('risk', DEMO_IDS.risk),
  check('trusted', DEMO_IDS.trusted),
  check('server', DEMO_IDS.server),
  check('server-risk', '1422380385857887099'),
  check('none', UNKNOWN_ID),
  check('reported-trusted', REPORTED_TRUSTED_ID),
  check('no-reason', '455897730336213419'),
  check('private-proofs', PRIVATE_PROOFS_ID),
  check('name-solid', '804875527081897433'),
  check('name-stacked', '828068265855696713'),
  check('name-right-to-left', '399716487723200119'),
  check('name-markup', '764281733331578495'),
  check('name-cyrillic', '1212562973429321365'),
  check('nick-same', 'Lis_Posrednlk'),
  check('nick-same-several', 'szybki_handel'),
  check('nick-trusted', 'Lis_Posrednik'),
  check('nick-similar', 'kup'),
  check('nick-many', 'a'),
  check('nick-none', 'nikt_taki_nie_istnieje'),
  check('nick-digits', '157225075500658'),
  check('nick-invite', 'https://zaproszenia.example/invite/abc123'),
  ...Object.entries(HOSTILE_TEXTS).map(([name, typed]) => ({ ...check(`hostile-${name}`, typed), typed })),

  list('scammers', '/scammers'),
  list('scammers-filtered', '/scammers', { status: 'risk', proofs: 'with', search: 'kod', sort: 'az' }),
  list('scammers-page', '/scammers', { skip: '60' }),
  list('scammers-last', '/scammers', { skip: '120' }),
  list('scammers-past-end', '/scammers', { skip: '9000' }),
  list('scammers-empty', '/scammers', { search: 'tego słowa nie ma', status: 'verified' }),
  list('scammers-bad-values', '/scammers', { sort: 'losowo', status: '<b>', limit: '61', proofs: 'x' }),
  list('scammers-too-far', '/scammers', { skip: '20001' }),
  list('scammers-long-search', '/scammers', { search: 'x'.repeat(101) }),
  list('scammers-sixty', '/scammers', { limit: '60', sort: 'za' }),
  list('servers', '/servers'),
  list('legit', '/legit', { sort: 'oldest' }),
  list('legit-bad-status', '/legit', { status: 'risk' }),
  list('entry', '/scammers', { id: DEMO_IDS.listed }),
  list('entry-long', '/scammers', { id: LONG_REASON_ID }),
  list('entry-of-server', '/servers', { id: DEMO_IDS.server }),
  list('entry-trusted', '/legit', { id: DEMO_IDS.trusted }),
  list('entry-trusted-reported', '/legit', { id: REPORTED_TRUSTED_ID }),
  list('entry-unknown', '/scammers', { id: UNKNOWN_ID }),
  ...Object.entries(HOSTILE_TEXTS).map(([name, typed]) => ({
    ...list(`hostile-${name}`, '/scammers', { search: typed }),
    typed,
  })),

  PROOFS_WITH_IMAGES,
  proofs('many', LONG_REASON_ID),
  proofs('private', PRIVATE_PROOFS_ID, 403),
  { name: 'proofs-unknown', path: `/proofs/${'0'.repeat(32)}`, status: 404 },
  ...DEMO_DONATION_NAMES.map((name) => ({
    name: `donation-${name}`,
    path: donatePath(demoDonationId(name)),
  })),
  { name: 'donation-invalid', path: '/donate/ltc_', status: 400 },
  { name: 'donation-unknown', path: donatePath(`ltc_${'0'.repeat(32)}`), status: 404 },
  { name: 'donate', path: '/donate' },
  { name: 'status', path: '/status' },

  { name: 'text-odwolania', path: '/odwolania' },
  { name: 'text-odwolania-entry', path: appealsPath(sampleReportId('scammers', SEED, DEMO_IDS.listed)) },
  { name: 'text-jak-powstaja-wpisy', path: '/jak-powstaja-wpisy' },
  { name: 'text-prywatnosc', path: '/prywatnosc' },
  { name: 'text-pomoc', path: '/pomoc' },
  { name: 'text-zglos', path: '/zglos' },
  { name: 'text-docs', path: '/docs' },
  { name: 'text-docs-details', path: DETAILS_PATH },
  { name: 'text-docs-english', path: ENGLISH_DOCS_PATH },
  { name: 'error-404', path: '/nie-ma-takiej', status: 404 },
];
