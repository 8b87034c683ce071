/** Words that fill the slots of sentence templates, in the grammatical cases the templates ask for. */
export interface Noun {
  nom: string;
  gen: string;
  acc: string;
  ins: string;
}

function noun(nom: string, gen: string, acc: string, ins: string): Noun {
  return { nom, gen, acc, ins };
}

/** Singular throughout, so that a verb after `{item.nom}` agrees. */
export const GOODS: readonly Noun[] = [
  noun('skin noża', 'skina noża', 'skin noża', 'skinem noża'),
  noun('zestaw skinów', 'zestawu skinów', 'zestaw skinów', 'zestawem skinów'),
  noun('rzadka skórka postaci', 'rzadkiej skórki postaci', 'rzadką skórkę postaci', 'rzadką skórką postaci'),
  noun('doładowanie gry', 'doładowania gry', 'doładowanie gry', 'doładowaniem gry'),
  noun('doładowanie telefonu', 'doładowania telefonu', 'doładowanie telefonu', 'doładowaniem telefonu'),
  noun('nitro na rok', 'nitro na rok', 'nitro na rok', 'nitro na rok'),
  noun('nitro na miesiąc', 'nitro na miesiąc', 'nitro na miesiąc', 'nitro na miesiąc'),
  noun('klucz do gry', 'klucza do gry', 'klucz do gry', 'kluczem do gry'),
  noun('pakiet monet', 'pakietu monet', 'pakiet monet', 'pakietem monet'),
  noun('pakiet diamentów', 'pakietu diamentów', 'pakiet diamentów', 'pakietem diamentów'),
  noun('karta graficzna', 'karty graficznej', 'kartę graficzną', 'kartą graficzną'),
  noun('używana konsola', 'używanej konsoli', 'używaną konsolę', 'używaną konsolą'),
  noun(
    'klawiatura mechaniczna',
    'klawiatury mechanicznej',
    'klawiaturę mechaniczną',
    'klawiaturą mechaniczną',
  ),
  noun('bilet na turniej', 'biletu na turniej', 'bilet na turniej', 'biletem na turniej'),
  noun('przepustka sezonowa', 'przepustki sezonowej', 'przepustkę sezonową', 'przepustką sezonową'),
  noun('ranga na serwerze', 'rangi na serwerze', 'rangę na serwerze', 'rangą na serwerze'),
];

export const ACCOUNTS: readonly Noun[] = [
  noun('konto z wysoką rangą', 'konta z wysoką rangą', 'konto z wysoką rangą', 'kontem z wysoką rangą'),
  noun('konto z grami', 'konta z grami', 'konto z grami', 'kontem z grami'),
  noun('stare konto do gry', 'starego konta do gry', 'stare konto do gry', 'starym kontem do gry'),
  noun(
    'konto z rzadkim skinem',
    'konta z rzadkim skinem',
    'konto z rzadkim skinem',
    'kontem z rzadkim skinem',
  ),
  noun(
    'konto z odblokowanym sezonem',
    'konta z odblokowanym sezonem',
    'konto z odblokowanym sezonem',
    'kontem z odblokowanym sezonem',
  ),
  noun('konto bez rankingu', 'konta bez rankingu', 'konto bez rankingu', 'kontem bez rankingu'),
];

/** Work done to order. */
export const COMMISSIONS: readonly Noun[] = [
  noun('projekt logo', 'projektu logo', 'projekt logo', 'projektem logo'),
  noun('grafika na kanał', 'grafiki na kanał', 'grafikę na kanał', 'grafiką na kanał'),
  noun('bot na serwer', 'bota na serwer', 'bota na serwer', 'botem na serwer'),
  noun('serwer gry na miesiąc', 'serwera gry na miesiąc', 'serwer gry na miesiąc', 'serwerem gry na miesiąc'),
  noun('montaż filmu', 'montażu filmu', 'montaż filmu', 'montażem filmu'),
  noun('mapa do gry', 'mapy do gry', 'mapę do gry', 'mapą do gry'),
  noun('awatar na zamówienie', 'awatara na zamówienie', 'awatar na zamówienie', 'awatarem na zamówienie'),
  noun('konfiguracja serwera', 'konfiguracji serwera', 'konfigurację serwera', 'konfiguracją serwera'),
];

const BLIK = noun('kod BLIK', 'kodu BLIK', 'kod BLIK', 'kodem BLIK');
const PSC = noun('kod PSC', 'kodu PSC', 'kod PSC', 'kodem PSC');
const GIFT_CARD = noun('karta podarunkowa', 'karty podarunkowej', 'kartę podarunkową', 'kartą podarunkową');
const TRANSFER = noun('przelew', 'przelewu', 'przelew', 'przelewem');
const PHONE_TRANSFER = noun(
  'przelew na telefon',
  'przelewu na telefon',
  'przelew na telefon',
  'przelewem na telefon',
);
// The amount already says LTC.
const LITECOIN = noun('Litecoin', 'Litecoina', 'Litecoin', 'na adres portfela');

export const PAYMENTS: readonly Noun[] = [BLIK, BLIK, TRANSFER, PHONE_TRANSFER, PSC, GIFT_CARD, LITECOIN];
export const CODE_PAYMENTS: readonly Noun[] = [PSC, GIFT_CARD];
export const QUICK_PAYMENTS: readonly Noun[] = [BLIK, BLIK, BLIK, PHONE_TRANSFER];
export const TRANSFERS: readonly Noun[] = [TRANSFER, PHONE_TRANSFER];

/** Payment methods in złoty amounts, for tables. */
export const ALL_PAYMENTS = ['BLIK', 'przelew', 'przelew na telefon', 'PSC', 'karta podarunkowa'] as const;

export const PRIZES: readonly Noun[] = [
  noun('nitro na rok', 'nitro na rok', 'nitro na rok', 'nitro na rok'),
  noun('karta podarunkowa', 'karty podarunkowej', 'kartę podarunkową', 'kartą podarunkową'),
  noun('zestaw skinów', 'zestawu skinów', 'zestaw skinów', 'zestawem skinów'),
  noun('nowa konsola', 'nowej konsoli', 'nową konsolę', 'nową konsolą'),
  noun('klucz do premiery', 'klucza do premiery', 'klucz do premiery', 'kluczem do premiery'),
  noun('pakiet monet', 'pakietu monet', 'pakiet monet', 'pakietem monet'),
  noun('telefon', 'telefonu', 'telefon', 'telefonem'),
  noun('ranga VIP', 'rangi VIP', 'rangę VIP', 'rangą VIP'),
];

/** What trusted people do for others, by kind. */
export const ESCROW_SERVICES: readonly Noun[] = [
  noun(
    'pośrednictwo w wymianach',
    'pośrednictwa w wymianach',
    'pośrednictwo w wymianach',
    'pośrednictwem w wymianach',
  ),
  noun(
    'pośrednictwo przy kontach',
    'pośrednictwa przy kontach',
    'pośrednictwo przy kontach',
    'pośrednictwem przy kontach',
  ),
];

export const TRADE_SERVICES: readonly Noun[] = [
  noun('sprzedaż doładowań', 'sprzedaży doładowań', 'sprzedaż doładowań', 'sprzedażą doładowań'),
  noun('skup skinów', 'skupu skinów', 'skup skinów', 'skupem skinów'),
  noun(
    'sprzedaż kluczy do gier',
    'sprzedaży kluczy do gier',
    'sprzedaż kluczy do gier',
    'sprzedażą kluczy do gier',
  ),
  noun('wymiana przedmiotów', 'wymiany przedmiotów', 'wymianę przedmiotów', 'wymianą przedmiotów'),
];

export const CRAFT_SERVICES: readonly Noun[] = [
  noun('grafika na zamówienie', 'grafiki na zamówienie', 'grafikę na zamówienie', 'grafiką na zamówienie'),
  noun('montaż filmów', 'montażu filmów', 'montaż filmów', 'montażem filmów'),
  noun('konfiguracja serwerów', 'konfiguracji serwerów', 'konfigurację serwerów', 'konfiguracją serwerów'),
  noun('pisanie botów', 'pisania botów', 'pisanie botów', 'pisaniem botów'),
  noun('budowanie map', 'budowania map', 'budowanie map', 'budowaniem map'),
];

export const CARE_SERVICES: readonly Noun[] = [
  noun('moderacja kanałów', 'moderacji kanałów', 'moderację kanałów', 'moderacją kanałów'),
  noun(
    'pomoc po przejęciu konta',
    'pomocy po przejęciu konta',
    'pomoc po przejęciu konta',
    'pomocą po przejęciu konta',
  ),
  noun('sprawdzanie zgłoszeń', 'sprawdzania zgłoszeń', 'sprawdzanie zgłoszeń', 'sprawdzaniem zgłoszeń'),
];

/** State of one payment, for tables. */
export const STATES = [
  'bez odpowiedzi',
  'brak towaru',
  'zwrot odmówiony',
  'w toku',
  'zwrot częściowy',
  'rozmowa usunięta',
] as const;

export const LATER = [
  ...[
    'tego samego wieczoru',
    'następnego dnia',
    'po kilku godzinach',
    'po weekendzie',
    'w ciągu godziny',
    'po tygodniu',
  ],
  ...['jeszcze tego samego dnia', 'nad ranem', 'po dwóch dniach', 'chwilę później'],
] as const;

/** Where messages come. */
export const PLACES = [
  ...['w wiadomości prywatnej', 'w rozmowie grupowej', 'na kanale głosowym', 'na kanale z prośbami o pomoc'],
  ...['w komentarzach pod rozdaniem', 'na serwerze szkolnym', 'na serwerze gry', 'w wątku o wymianach'],
] as const;

/** Where goods and services are offered. */
export const BOARDS = [
  ...['na kanale handlowym', 'na serwerze z ogłoszeniami', 'w wątku „kupię, sprzedam”', 'na serwerze gry'],
  ...[
    'na kanale `#giełda`',
    'w grupie kolekcjonerskiej',
    'na serwerze lokalnej społeczności',
    'na kanale `#handel`',
  ],
] as const;

export const CHANNELS = [
  ...[
    '#giełda',
    '#ogłoszenia',
    '#handel',
    '#wymiany',
    '#rozdania',
    '#pomoc',
    '#weryfikacja',
    '#regulamin',
    '#opinie',
  ],
  ...['#legitymacje', '#powitanie', '#zgłoszenia', '#kupię-sprzedam', '#ważne'],
] as const;

/** Accusative: what was given as the reason of a delay. */
export const EXCUSES = [
  ...[
    'limit przelewów',
    'awarię telefonu',
    'przerwę w banku',
    'zmianę numeru',
    'wyjazd',
    'chorobę',
    'blokadę konta',
  ],
  ...[
    'aktualizację aplikacji',
    'kolejkę zamówień',
    'święto',
    'brak zasięgu',
    'błąd bota',
    'rozładowaną baterię',
  ],
  ...['pomyłkę w tytule wpłaty', 'szkołę', 'nadgodziny', 'kontrolę na platformie', 'zgubiony portfel'],
] as const;

export const MONTHS = [
  ...['stycznia', 'lutego', 'marca', 'kwietnia', 'maja', 'czerwca'],
  ...['lipca', 'sierpnia', 'września', 'października', 'listopada', 'grudnia'],
] as const;

export const HOST_STARTS = [
  ...[
    'rozdanie',
    'nitro',
    'sklep',
    'skiny',
    'logowanie',
    'weryfikacja',
    'doladowania',
    'nagroda',
    'pomoc',
    'gielda',
  ],
  ...[
    'prezent',
    'konto',
    'turniej',
    'monety',
    'klucze',
    'borsuk',
    'zbik',
    'zubr',
    'losowanie',
    'komunikator',
  ],
] as const;

export const HOST_ENDS = [
  ...[
    'online',
    'polska',
    'centrum',
    'premium',
    'odbierz',
    'bot',
    'sklep',
    'panel',
    'serwis',
    'plus',
    'gratis',
    'start',
  ],
] as const;

/** Where proofs and threads are kept; also reserved example names. */
export const ARCHIVE_HOSTS = [
  'example.com',
  'example.org',
  'zrzuty.example',
  'archiwum.example',
  'forum.example',
] as const;

export const ARCHIVE_PATHS = ['zrzut', 'watek', 'rozmowa', 'ogloszenie', 'opinie', 'zgloszenie'] as const;
