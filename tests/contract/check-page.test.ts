/** The field of the check: what it answers to IDs, nicks, links and words. */
import { expect, it } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { CHECK } from '#src/components/check/check-texts.ts';
import { LIKENESS } from '#src/components/check/likeness-texts.ts';
import { LISTS } from '#src/components/list/lists-texts.ts';
import { HOME } from '#src/components/check/home-texts.ts';
import { NICK_ANSWER } from '#src/components/check/nick-answer-texts.ts';
import { EPOCH_MS } from '#src/platform-id.ts';
import { BADGE_WORD, LIST_WORD } from '#src/components/ui/roles-texts.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords, makeRecord, makeLists } from '../support/make-entries.ts';
import { plain, textOf } from '../support/page-text.ts';
import { startTestSite } from '../support/test-site.ts';

const LIS = '280864204968068869';
const COPY = '1228899107513245741';
const BARE = '1228899107513245742';
const PROVEN = '1228899107513245743';
/** Reported and on the trusted list. */
const BOTH = '1228899107513245744';
const SERVER = '1228899107513245745';
const RENAMED = '1228899107513245747';
/** Trusted and hijacked, and a reported account with a nick like its own. */
const TAKEN = '1228899107513245748';
const TAKEN_COPY = '1228899107513245749';
const UNLISTED = '1100000000000000001';
/** Made nine days ago. */
const issueNew = (last: number): string =>
  String((BigInt(Date.now() - 9 * 86_400_000 - EPOCH_MS) << 22n) + BigInt(last));
const [NEW_REPORTED, NEW_RISK, NEW_UNLISTED] = [issueNew(1), issueNew(2), issueNew(3)];
const CAREFUL = ANSWER.age.isNew(false, '9 dni');

const REPORTED = ANSWER.title('stop', 'scammers');
const TRUSTED = ANSWER.title('good', 'legit');
const [, READ_REASON = ''] = ANSWER.steps('stop', { list: 'scammers', proofs: 'none', visibleText: 'x' });
const [, READ_ALL = ''] = ANSWER.steps('stop', { list: 'scammers', proofs: 'public', visibleText: 'x' });
const [COMPARE_ID = ''] = ANSWER.steps('good', { list: 'legit', proofs: 'none', visibleText: '' });
const [NO_LOGIN = ''] = ANSWER.steps('stop', { list: 'servers', proofs: 'none', visibleText: '' });

const read = async (path: string): Promise<string> => {
  const { status, text } = await site.get(path);
  expect(status).toBe(200);
  return textOf(text);
};
const ask = (search: string): Promise<string> => read(`/?${new URLSearchParams({ search })}`);

const db = await makeLists({
  scammers: [
    { id: COPY, name: 'Lis_Posrednlk', reportId: 'R-33ZJFCMAA8' },
    { id: '1572250755006587457', name: 'kupskin_24' },
    { id: '1212562973429321365', name: 'аdmin_pоmoc', verified: false },
    { id: TAKEN_COPY, name: 'sowa.rysuje1' },
    { id: BARE, name: 'bez_niczego', reason: '' },
    { name: 'bez', verified: false },
    {
      id: PROVEN,
      name: 'z_dowodem',
      proofs: { private: false, items: [{ text: 'Rozmowa.' }] },
    },
    { id: BOTH, name: 'Cień', reportId: 'R-33ZJFCMAA9' },
    { id: NEW_REPORTED, name: 'nowe_a' },
    { id: NEW_RISK, name: 'nowe_b', verified: false },
    { name: 'kacperek99' },
    { name: 'mrowka12' },
    { name: 'mr0wka12 sklep' },
    { name: 'pomoc' },
    { name: 'Ireneusz' },
    { name: 'zubr.handel' },
    { name: 'zubr.hande1 sklep' },
    { name: '@lama', reportId: 'ZG-2024-001' },
    { name: 'Handlarz 280864204968068869' },
    ...Array.from({ length: 21 }, (_, at) => ({ name: `wielu ${at}` })),
  ],
  servers: [
    { id: SERVER, name: 'Cień Giełdy' },
    { name: 'Turniejownia', verified: false },
    { name: 'zubr.handel' },
    ...Array.from({ length: 2 }, (_, at) => ({ name: `z wielu ${at}` })),
  ],
  legit: [
    { id: LIS, name: 'Lis_Posrednik' },
    { id: TAKEN, name: 'sowa.rysujei', account: 'hijacked' },
    { id: BOTH, name: 'inny nick', reportId: 'R-33ZJFCMAB0' },
    { id: '1088640054186418264', name: 'cień' },
    { name: 'Kacper' },
    { name: 'Ireneusz#1234' },
  ],
});
for (const name of ['pan dawny nick', 'Stary_Szyld', 'Nowy_Szyld'])
  await importRecords(db, 'scammers', [makeRecord({ id: RENAMED, name })]);
await updateIndexes(db);
const site = await startTestSite(db.path);

it.each<[asked: string, pieces: readonly string[], not?: readonly string[]]>([
  // The verdict first, then what to do, and which account is not to be taken for it.
  [
    LIS,
    [
      TRUSTED,
      LIKENESS.reportedToo.replaceAll('*', ''),
      COMPARE_ID,
      LIKENESS.notThese(1),
      'U góry jest „i”, na dole „l”.',
      LIKENESS.differ(0, 'accounts'),
      LIST_WORD.good,
      LIST_WORD.stop,
    ],
  ],
  [
    'Lis_Posrednik',
    [
      'Taki nick ma ktoś z listy zaufanych',
      'Czy to ta sama osoba, pokaże dopiero ID.',
      LIKENESS.notThese(1),
      'U góry jest „i”, na dole „l”.',
      LIST_WORD.good,
      LIS.slice(0, 4),
      LISTS.seeEntry,
      LIST_WORD.stop,
      COPY.slice(0, 4),
      LISTS.seeEntry,
      'z tym przy znaku „Na liście zaufanych”',
      'ID jest takie samo? To konto z listy zaufanych',
      ANSWER.paid,
    ],
    [LIKENESS.asked],
  ],
  // A trusted ID stands on the page too, so the steps do not warn of every ID there.
  ['Lis_Posrednlk', [LIKENESS.ofTrusted, LIST_WORD.stop, LIST_WORD.good, 'zgłoszonych”? Nie płać.']],
  ['sowa.rysujei', [BADGE_WORD.victim, LIST_WORD.stop, 'z tym przy znaku „Konto przejęte”', 'Wklej']],
  // The box shows the nick of the account, and not what was typed.
  [
    'Lis_Pośrednik',
    ['Na liście zaufanych Lis_Posrednik', 'Lis_Posrednlk', NICK_ANSWER.near('accounts')],
    ['zaufanych Lis_Pośrednik'],
  ],
  // It counts all that stands below it, with the name in it or like it.
  ['mr0wka12', [NICK_ANSWER.similar(new Set(['stop']), 2, 'accounts', false), 'mrowka12', 'mr0wka12 sklep']],
  // What begins with the nick of a trusted person is no other account with it.
  ['Kacper', [NICK_ANSWER.lead('accounts', 0, 1, true), 'Nicki są takie same.'], ['nie ma na listach.']],
  // Trusted under this nick, and reported under another one.
  ['inny nick', [BADGE_WORD.stop, LISTS.trustedToo], [BADGE_WORD.good, LIKENESS.ofReported('accounts', 1)]],
  // The likeness that the heading speaks of comes first.
  [
    'Iis_posrednik',
    [
      LIKENESS.ofReported('accounts', 1),
      LIKENESS.compare('accounts'),
      LIST_WORD.stop,
      LIKENESS.ofTrusted,
      'U góry jest wielkie „I”, na dole „L”.',
      LIKENESS.compare('accounts'),
      'Lis_Posrednik',
    ],
  ],
  [
    'Lis_Posrednik_pomoc',
    // The heading says it, so that the box needs no title.
    [
      LIKENESS.ofTrusted,
      'Ktoś może się podszywać.',
      LIKENESS.affix(['„_pomoc”']),
      LIKENESS.asked,
      LIKENESS.noId,
      ANSWER.looked,
    ],
    [NICK_ANSWER.none, 'na dole nie ma', 'odobny nick ma', 'Znasz tylko nick?'],
  ],
  // So are words that make it a sentence, or the trusted nick with a word beside it.
  ['Lis_Posrednik pomoc', [LIKENESS.ofTrusted, LIKENESS.affix(['„pomoc”'])]],
  ['L i s P o s r e d n i k', [LIKENESS.ofTrusted], [CHECK.sentence]],
  ['czy Lis_Posrednik to kupskin_24', [CHECK.meant('kupskin_24')]],
  ['Lis_Posrednik_pomo', [LIKENESS.ofTrusted, LIKENESS.affix(['„_pomo”'])], [NICK_ANSWER.none]],
  [COPY, [REPORTED, READ_REASON, LIKENESS.warning, LIKENESS.differ(0, 'accounts')], [ANSWER.legitLeftOut]],
  // The mark of a hijacked account, whichever of the two it is.
  [TAKEN, [LIKENESS.notThese(1), LIKENESS.differ(4, 'accounts'), BADGE_WORD.victim, LIST_WORD.stop]],
  [TAKEN_COPY, [REPORTED, LIKENESS.warning, LIST_WORD.stop, BADGE_WORD.victim]],
  [
    'admin_pomoc',
    [
      LIKENESS.ofReported('accounts', 1),
      'U góry jest „a”, na dole cyrylickie „а”; u góry jest „o”, na dole cyrylickie „о”.',
      BADGE_WORD.warn,
    ],
  ],
  // The whole text resembles a nick more than a word of it is one.
  ['Bez niczego', [LIKENESS.ofReported('accounts', 1), 'bez_niczego'], ['Szukasz']],
  // A word of a sentence is a nick: a line above the answer to the nick says so.
  [
    'czy kupskin_24 to oszust?',
    [
      CHECK.meant('kupskin_24'),
      NICK_ANSWER.same('stop', 1, 'accounts', false, false),
      NICK_ANSWER.lead('accounts', 1, 1, true),
      NICK_ANSWER.sameTitle('accounts', 1),
      '1 wpis na listach zgłoszonych. Nick może mieć każdy. Sprawdź ID skopiowane z profilu.',
    ],
  ],
  ['`@kupskin_24#0`', [CHECK.meant('kupskin_24'), NICK_ANSWER.same('stop', 1, 'accounts', false, false)]],
  ['kupskin_24#0', [NICK_ANSWER.same('stop', 1, 'accounts', false, false)], ['Szukasz']],
  // Names that it had before find a reported entry, also when they look like a sentence.
  [RENAMED, [REPORTED, 'Nowy_Szyld', `${ANSWER.formerly} Stary_Szyld ${ANSWER.formerly} pan dawny nick`]],
  ['stary_szyld', [LIKENESS.noneButFormer, 'Obecny nick', 'Nowy_Szyld']],
  // Servers have names, accounts have nicks.
  ['Turniejownia', [NICK_ANSWER.same('warn', 1, 'servers', false, false)]],
  // A listed name may read like something else, and reports from elsewhere have other numbers.
  ['@lama', [NICK_ANSWER.same('stop', 1, 'accounts', false, false)]],
  ['Handlarz 280864204968068869', [NICK_ANSWER.same('stop', 1, 'accounts', false, false)], [TRUSTED]],
  // The stronger of the two decides.
  ['Ireneusz#1234', [NICK_ANSWER.same('stop', 1, 'accounts', false, false)]],
  ['zg-2024-001', ['Wpis ZG-2024-001: potwierdzone zgłoszenie', '@lama']],
  // What a nick hides is said of the asked one, too.
  ['\u202Ekindersop\u202C', [NICK_ANSWER.none, NICK_ANSWER.hidden]],
  ['аukcje', [NICK_ANSWER.none, NICK_ANSWER.mixed], [NICK_ANSWER.hidden]],
  // Several that differ in the same way stand below one sentence, and beside those that contain the nick.
  [
    'zubr.hande1',
    [
      '3 podobne nazwy na listach zgłoszonych',
      'zubr.hande1 sklep',
      LIKENESS.ofReported('mixed', 2),
      LIKENESS.compare('mixed'),
      'zubr.handel',
      'zubr.handel',
    ],
    [LIKENESS.compare('accounts')],
  ],
  // Its heading counts what stands below it.
  [
    'Cień',
    [
      NICK_ANSWER.same('stop', 1, 'accounts', false, false),
      NICK_ANSWER.sameTitle('mixed', 1),
      NICK_ANSWER.similarTitle('mixed', 1),
      BADGE_WORD.stop,
      LISTS.server,
    ],
    [ANSWER.legitLeftOut],
  ],
  [
    'cien gieldy',
    [
      NICK_ANSWER.same('stop', 1, 'servers', true, false),
      NICK_ANSWER.near('servers'),
      'Sprawdź ID serwera, bo sama nazwa nie wystarczy.',
      'To ID jest na tej stronie? Nie płać.',
    ],
  ],
  // There are more than it shows.
  [
    'wielu',
    [
      NICK_ANSWER.similar(new Set(['stop', 'warn']), 22, 'mixed', true),
      NICK_ANSWER.similarTitle('mixed', 22),
      NICK_ANSWER.tooMany('scammers', '/scammers'),
      'Tu 3 z co najmniej 22 wpisów. Wpisz więcej albo naciśnij „Sprawdź”.',
    ],
  ],
  ['nieznany_zupełnie', [NICK_ANSWER.none], ['najmniej']],
  ['R-33ZJFCMAA8', [ANSWER.reportTitle('R-33ZJFCMAA8', 'stop', 'scammers')]],
  // The number of the trusted entry of an account that is reported.
  ['R-33ZJFCMAB0', [ANSWER.ofReport('R-33ZJFCMAB0', REPORTED)]],
  // It says to read what there is to read.
  [PROVEN, [READ_ALL]],
  [BARE, [REPORTED], [READ_REASON, READ_ALL]],
  [BOTH, [REPORTED, ANSWER.legitLeftOut]],
  [SERVER, [ANSWER.title('stop', 'servers'), 'Serwer z', NO_LOGIN], ['osob', 'Twoje konto']],
  // The verdict is stronger than a warning about the age.
  [NEW_REPORTED, ['Konto z', ', ma 9 dni', ANSWER.stepsTitle('stop')], [CAREFUL]],
  [NEW_RISK, ['Konto z', CAREFUL], [', ma 9 dni']],
  // Nothing is known of an ID without an entry.
  [
    UNLISTED,
    [
      ANSWER.title('none', undefined),
      'To ID powstało 24 kwietnia 2023',
      ANSWER.looked,
      'Tego ID nie ma wśród zgłoszonych osób, zgłoszonych serwerów ani zaufanych.',
    ],
    ['Konto z', 'a może dopiero powstało', CHECK.rounded],
  ],
  [NEW_UNLISTED, ['a może dopiero powstało', 'To ID powstało']],
  ['1100000000000000000', [CHECK.rounded, ANSWER.title('none', undefined)]],
  [`https://chat.example/channels/${SERVER}/${LIS}/${LIS}`, [CHECK.server, ANSWER.title('stop', 'servers')]],
])('answers %s', async (asked, pieces, not = []) => {
  const text = await ask(asked);
  let from = 0;
  for (const piece of pieces.map(plain)) {
    const at = text.indexOf(piece, from);
    expect(at, `${piece} after ${from} in ${text}`).toBeGreaterThanOrEqual(0);
    from = at;
  }
  for (const piece of not) expect(text).not.toContain(plain(piece));
});

it.each([
  ['https://chat.gg/abcDEF', CHECK.invite],
  [`https://chat.example/channels/@me/${LIS}`, CHECK.direct],
  ['1234 5678 9012 3456', CHECK.idLength(16)],
  ['12345', CHECK.idLength(5)],
  ['https://sklep.example/oferta', CHECK.link],
  [`${COPY} ${LIS}`, CHECK.several],
  ['zapłaciłem i nic nie mam', CHECK.sentence],
  // A field of 100 characters has cut the last digit.
  [`${'czy to oszust? '.repeat(6).slice(0, 82)}${LIS.slice(0, -1)}0`.slice(0, 100), CHECK.cut],
  ['R-0000000000', CHECK.noReport],
  ['', CHECK.empty],
])('says of %j that it is no answer, and offers help', async (asked, notice) => {
  const { text } = await site.get(`/?${new URLSearchParams({ search: asked })}`);
  expect(textOf(text)).toContain(plain(notice));
  expect(text).not.toContain('id="wynik"');
  expect(text).not.toContain('class="rows"');
  expect(text).toContain(HOME.tasks.title);
  expect(text).not.toContain(HOME.answers.title);
});

it.each([`<@${COPY}>`, `ID: ${COPY}`, '@Lis_Posrednlk', 'lis_posrednlk#0', 'r-33zjfcmaa8'])(
  'reads %s as the search of a list does',
  async (search) => {
    const { text } = await site.get(`/scammers?${new URLSearchParams({ search })}`);
    expect(text.match(/href="\/wpis\/[^"]+"/g)).toEqual(['href="/wpis/R-33ZJFCMAA8"']);
  },
);

it('shows nicks like the typed one with it, and counts them', async () => {
  const { text } = await site.get('/?search=Lis_Posrednik');
  const hits = textOf(
    /<template data-hits[^]*?<\/template>/.exec(text)?.[0].replaceAll('template', 'div') ?? '',
  );
  expect(hits).toMatch(
    /Lis_Posrednik .*Lista zaufanych.*Lis_Posrednlk .*Potwierdzone zgłoszenie.*2 wpisy na listach\./,
  );
});

it('frames what differs in two nicks and in two IDs, and reads each nick as one text', async () => {
  const { text } = await site.get(`/?search=${LIS}`);
  for (const [nick, framed] of [
    ['Lis_Posrednik', 'Lis_Posredn<mark>i</mark>k'],
    ['Lis_Posrednlk', 'Lis_Posredn<mark>l</mark>k'],
  ])
    expect(text).toContain(
      `<bdi class="unseen" translate="no">${nick}</bdi><bdi class="nick" translate="no" aria-hidden="true">${framed}</bdi>`,
    );
  const groups = [...text.matchAll(/<span><mark>(\d+)<\/mark><\/span>/g)].map(([, group]) => group);
  expect(groups).toEqual([LIS.slice(0, 4), COPY.slice(0, 4)]);
});

it('shows likenesses and left out entries on the pages of entries too', async () => {
  expect(await read(`/legit?id=${LIS}`)).toContain(plain(LIKENESS.notThese(1)));
  expect(await read(`/scammers?id=${BOTH}`)).toContain(plain(ANSWER.legitLeftOut));
});

it('shows date and picture of an unlisted account only where the platform knows it', async () => {
  const { avatars } = site.services;
  const knows = (id: string) => Promise.resolve(id === UNLISTED || id === NEW_UNLISTED);
  const services = { ...site.services, avatars: { ...avatars, knows } };
  const knowing = await startTestSite(site.services.db.path, {}, services);
  const { text } = await knowing.get(`/?search=${UNLISTED}`);
  expect(textOf(text)).toContain('Konto z');
  expect(textOf((await knowing.get(`/?search=${NEW_UNLISTED}`)).text)).toContain(plain(CAREFUL));
  expect(text).toContain(`src="/api/chat/avatar/${UNLISTED}"`);
  expect((await knowing.get('/?search=1100000000000000003')).text).not.toMatch(/Konto z|<img/);
});

it('takes words for no ID, and repeats them nowhere but in the field', async () => {
  const words = 'Jan oszukuje, nie płać';
  const { text } = await site.get(`/?id=${encodeURIComponent(words)}`);
  expect(textOf(text)).toContain(plain(CHECK.noId));
  expect(textOf(text)).not.toContain(plain(ANSWER.title('none', undefined)));
  expect(text.replace(`value="${words}"`, '')).not.toContain('Jan oszukuje');
});

it('says when the look-alikes cannot be known', async () => {
  const db = await makeLists({ legit: [{ id: LIS, name: 'Lis_Posrednik' }] });
  const { text } = await (await startTestSite(db.path)).get(`/?search=${LIS}`);
  expect(textOf(text)).toContain(plain(LIKENESS.unknown));
});
