/** All errors of the API (SPEC section 7, which leaves some statuses open). Clients get nothing else of an error. */

export type ErrorCode = keyof typeof ERRORS;

const ERRORS = {
  bad_request: { status: 400, text: 'Nieprawidłowe zapytanie.' },
  invalid_parameter: { status: 400, text: 'Nieprawidłowy parametr {parameter}: {allowed}.' },
  invalid_header: { status: 400, text: 'Nieprawidłowy nagłówek {parameter}: {allowed}.' },
  check_without_subject: { status: 400, text: 'Podaj nick albo ID.' },
  donation_id_invalid: { status: 400, text: 'Nieprawidłowe ID płatności' },
  not_found: { status: 404, text: 'Nie znaleziono' },
  cursor_gone: {
    status: 410,
    text: 'Ten kursor jest już nieważny. Pobierz listy od nowa, zaczynając od {manifest}',
  },
  snapshot_gone: { status: 410, text: 'Tego pliku już nie ma. Pobierz ponownie manifest: {manifest}' },
  method_not_allowed: { status: 405, text: 'Metoda niedozwolona' },
  request_timeout: { status: 408, text: 'Przekroczono czas oczekiwania na zapytanie.' },
  expectation_failed: {
    status: 417,
    text: 'Nieobsługiwany nagłówek Expect: dozwolona wartość to 100-continue.',
  },
  rate_limited: { status: 429, text: 'Za dużo zapytań. Spróbuj ponownie za {seconds} s.' },
  request_head_too_large: { status: 431, text: 'Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.' },
  overloaded: { status: 503, text: 'Serwis jest przeciążony. Spróbuj ponownie za {seconds} s.' },
  streams_taken: {
    status: 503,
    text: 'Z jednego adresu IP można mieć najwyżej {most} otwartych strumieni. Zamknij któryś albo spróbuj ponownie za {seconds} s.',
  },
  snapshots_remade: {
    status: 503,
    text: 'Pliki list powstają od nowa. Spróbuj ponownie za {seconds} s.',
  },
  internal: { status: 500, text: 'Błąd podczas pobierania danych.' },
} as const satisfies Record<string, { status: number; text: string }>;

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

export function errorStatus(code: ErrorCode): number {
  return ERRORS[code].status;
}

export function errorText(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}): string {
  return ERRORS[code].text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}
