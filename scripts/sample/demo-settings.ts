/** A donation of the demo. At this price of 1 LTC the 0.125 LTC that it asks for are worth a month of premium. */
export const DEMO_TERMS = {
  network: 'regtest',
  minimum_litoshi: 12_500_000,
  rate_grosze: 32_000,
  premium_month_grosze: 4_000,
  premium_lifetime_grosze: 15_000,
  payerChatId: undefined,
} as const;

/** The demo's settings: every address is invented, and nobody can pay. */
export const DEMO_SETTINGS = {
  OPERATOR_NAME: 'Fundacja Przykład',
  PLATFORM_NAME: 'Gwarnik',
  OPERATOR_CONTACT: 'kontakt@czujka.example',
  APPEALS_CONTACT: 'odwolania@czujka.example',
  APPEALS_LINK: 'https://czat.czujka.example/odwolania',
  APPEALS_ANSWER_DAYS: '14',
  REPORTS_CONTACT: 'zgloszenia@czujka.example',
  REPORTS_LINK: 'https://czat.czujka.example/zgloszenia',
  BOT_INVITE_URL: 'https://czat.czujka.example/dodaj-bota',
  REPORTS_ANSWER_DAYS: '7',
  CONFIRMED_WHEN:
    'Zgłoszenie jest potwierdzone, gdy ktoś z zespołu Czujki obejrzał dowody i widać na nich ID konta, datę i to, co opisano.',
  SECURITY_CONTACT: 'bezpieczenstwo@czujka.example',
  LITECOIN_NETWORK: 'regtest',
  LITECOIN_EXPLORER_URL: 'https://explorer.example/tx',
  LITECOIN_PRICE_PLN: String(DEMO_TERMS.rate_grosze / 100),
  LITECOIN_PREMIUM_MONTH_PLN: String(DEMO_TERMS.premium_month_grosze / 100),
  LITECOIN_PREMIUM_LIFETIME_PLN: String(DEMO_TERMS.premium_lifetime_grosze / 100),
  LITECOIN_PURPOSE: 'Wpłaty pokrywają koszt serwera i domeny. Nikt nie dostaje z nich wynagrodzenia.',
  LITECOIN_PREMIUM_BENEFITS:
    'Rola **Premium** na serwerze Czujki|Znaczek przy nicku|Dostęp do kanału dla wspierających',
  LITECOIN_HOW_TO_START: 'Wejdź na [nasz serwer](https://czat.czujka.example) i wpisz komendę **/wesprzyj**.',
} as const;
