/** Texts that only the home page has. */
import { pl } from '../ui/polish.ts';
import { ofPlatform } from '../layout/site-texts.ts';

export const HOME = {
  lead: (platform: string | undefined): string => {
    const where = platform === undefined ? '' : pl` z ${ofPlatform(platform)}`;
    return pl`Czujka to publiczny rejestr zgłoszeń: sprawdzisz w nim, czy ktoś zgłosił osobę lub serwer${where}.`;
  },
  /** Of what stands beside the check. */
  about: pl`O rejestrze`,
  figures: {
    title: pl`W liczbach`,
    confirmed: pl`Ostatnie potwierdzone zgłoszenie`,
    changes: pl`Zmiany z ostatnich 30 dni`,
    asOf: (time: string) => pl`Stan z ${time}.`,
  },
  example: {
    title: pl`Przykład odpowiedzi`,
    invented: pl`Ten wpis jest zmyślony.`,
    name: 'zmyślony_nick',
    /** No account has it: IDs do not begin with a zero. */
    id: '0123456789012345678',
    reason: pl`Zaliczka 50 zł za doładowanie. Po wpłacie rozmowa została usunięta.`,
    notes: [
      pl`Zdanie na górze mówi, na której liście jest ID.`,
      pl`Nick może mieć każdy, więc porównaj ID cyfra po cyfrze.`,
      pl`Powód i dowody mówią, skąd wziął się wpis. Wpis to zgłoszenie, nie wyrok.`,
    ],
  },
} as const;
