import { isolate } from './polish.ts';

export const COPY = {
  button: 'Kopiuj',
  label: (name?: string) => (name === undefined ? 'Kopiuj ID' : `Kopiuj ID ${isolate(name)}`),
  linkLabel: 'Kopiuj link do tego wyniku',
  done: 'Skopiowano',
  byHand: 'Zaznaczono. Skopiuj ręcznie.',
} as const;
