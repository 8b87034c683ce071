import { isolate } from './polish.ts';

export const COPY = {
  button: 'Kopiuj',
  id: 'Kopiuj ID',
  label: (name?: string) => (name === undefined ? 'Kopiuj ID' : `Kopiuj ID ${isolate(name)}`),
  done: 'Skopiowano',
  byHand: 'Zaznaczono. Skopiuj ręcznie.',
} as const;
