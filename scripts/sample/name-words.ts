/** Words that nicknames and server names are made of. Nothing here names a real person or shop. */

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Masculine adjectives, so that they agree with every noun of `NOUNS`. */
export const ADJECTIVES = words(`
  szybki cichy mroczny śnieżny złoty srebrny leśny nocny mały wielki dziki wściekły senny głodny żółty
  błękitny zielony krzywy śmieszny ostry łysy mglisty zimny gorący stalowy szklany papierowy kosmiczny
  górski morski polny puszysty ślepy chytry mądry leniwy skoczny czerwony siwy rudy bury wesoły dębowy
  księżycowy słoneczny burzowy piaskowy węglowy miedziany kwaśny słony
`);

/** Masculine nouns. */
export const NOUNS = words(`
  bóbr borsuk żbik żubr łoś lis wilk jeż kruk sęp żuraw bocian dzięcioł rycerz kowal drwal młynarz goniec
  strażnik wędrowiec łowca kupiec rzemieślnik pierożek ogórek kartofel naleśnik precel rogal żurek bigos
  pączek makowiec grzyb kamień piorun wicher mróz śnieg deszcz księżyc świt cień płomień rower tramwaj
  traktor młotek śrubokręt czajnik guzik patyk kapelusz parasol szczupak karp węgorz sum świerszcz trzmiel
  szerszeń chrząszcz ślimak kot pies
`);

/** Short cores of gamer nicks, without Polish letters. */
export const HANDLES = words(`
  kox pro noobek skill headshot rush clutch frag loot raid tank heal boss ghost shadow wolf viper raven
  storm blaze frost venom nova pixel glitch handel skiny sklep okazja tanio wymiana kupie sprzedam gielda
  doladuj konta kuba ola zuza franek antek maja igor nela tymek lena bruno hania leon misiek szefu mlody
  ziomek krecik chomik banan kebab pieczarka frytka kluska zbigor mirkos wladek grzes stasiek jedrek kazik
  bolek felek gucio lolek
`);

export const HANDLE_PREFIXES = words('xX_ its_ the Mr pan_ pani_ x Dr im_ real_ nie_ sir');
export const HANDLE_SUFFIXES = words('_Xx _pl PL _yt ek _off _v2 x _alt ik . _handel _tv');

export const SYLLABLES = words(`
  ka ro mi lu ze no ri to va sze czo dzi ny gra blo sto ki wa fu xe qua zyl mor dan pek lot rza śli żu łka
  ęt ór nić
`);

/** Nicks that many accounts share; the first ones are by far the most common. */
export const POPULAR_NICKS = words(`
  kuba szefu mlody ghost shadow misiek ola zuza kox Wilk maja banan nova kubuś Żubr bóbr Łowca Księżyc
  cień pączek sklep handel wymiana Skiny admin pomoc Moderator bot kebab frytka raven viper frost pixel
  lis kruk borsuk franek antek igor nela tymek lena bruno hania leon gucio lolek bolek
`);

export const CYRILLIC_NAMES = words(`
  Волк тень торговец Медведь снежок Гриб Ночной лиса Борсук кіт їжак Ведмідь сокол Мороз гроза Пирожок
  рыцарь жубр Љиљана ќоше Яблоко щука Вітер зубр
`);

export const JAPANESE_NAMES = words(
  '影 狐 商人 さくら ねこ カラス 夜 月 雪 侍 きつね ラーメン おにぎり 旅人 風 雷 剣士 たぬき スライム 猫屋 空 森 ひまわり コマ',
);

export const RTL_NAMES = [
  ...['ظل', 'تاجر', 'قمر', 'ذئب الليل', 'صقر', 'نجمة', 'ثعلب', 'رمال', 'سوق الليل', 'برق'],
  ...['צל', 'סוחר', 'ירח', 'זאב', 'שועל', 'כוכב', 'חתול לילה', 'רוח', 'שלג', 'דרקון'],
] as const;

export const EMOJI = words('🦊 🐺 🔥 💀 👑 🎁 💎 🚀 🍕 🥔 🐸 👾 ⚡ ❄️ 🌙 🎮 🇵🇱 👨‍💻 🫡 ✅');

/**
 * Names that try the page, the search or a spreadsheet: markup, quotes, wildcards, words that look like
 * values.
 */
export const HOSTILE_NAMES = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '<b>Gruby</b>',
  '</title><h1>x',
  '<!-- kot -->',
  "'; DROP TABLE wpisy; --",
  "o'borsuk",
  '"cudzysłów"',
  '„cytat”',
  '100%_pewne',
  '%',
  '_',
  '%%%',
  '___',
  '%41%42',
  '&amp;',
  '&lt;żubr&gt;',
  '{{7*7}}',
  '${nick}',
  '=SUMA(A1:A9)',
  '../../konto',
  'C:\\skiny',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '*',
  '[nick](https://example.com)',
  '**gruby**',
  '`kod`',
  'a\\b',
  '@everyone',
  '#1',
  '?search=a&id=1',
] as const;

/** What a server offers, in the form that opens its name. */
export const SERVER_THEMES = words(`
  Rozdania Sklep Giełda Wymiany Doładowania Konta Skiny Pomoc Weryfikacja Turnieje Nagrody Kantor Targ
  Okazje Prezenty Losowania Klucze Monety Grafiki Boty Aukcje
`);

export const SERVER_TAILS = [
  ...words('PL Polska 24/7 Hub Centrum Plus Premium Online 2.0 #2 VIP Official Społeczność'),
  ...['u Żbika', 'u Borsuka', 'Pod Dębem', 'za Rogiem', 'bez Kolejki', 'na Luzie', 'od Świtu', 'w Chmurze'],
  'i Przyjaciele',
];
