import { isolate } from './polish.ts';

export const COPY = {
  button: 'Kopiuj',
  label: (name?: string) => (name === undefined ? 'Kopiuj ID' : `Kopiuj ID ${isolate(name)}`),
  done: 'Skopiowano',
  byHand: 'Zaznaczono. Skopiuj ręcznie.',
} as const;
