/**
 * Link previews of chats: headline, sentence, picture. A chat keeps them and shows them to people who never asked, so they
 * name no reported person and always say what does not follow.
 */
import { LINK_PICTURES } from '#src/paths.ts';
import { pl } from '../ui/polish.ts';

export interface LinkCard {
  readonly title: string;
  readonly description: string;
  /** One of three files; none says who was reported, or for what. `alt` is the text in it. */
  readonly picture: { readonly path: string; readonly alt: string };
}

const draw = (picture: keyof typeof LINK_PICTURES, shown: string) => ({
  path: LINK_PICTURES[picture],
  alt: pl`Latarnia morska nocą, świeci w obie strony. Napis: Czujka. ${shown}`,
});
export const NEUTRAL_PICTURE = draw('neutral', pl`Sprawdź, zanim zapłacisz.`);
export const ENTRY_PICTURE = draw('entry', pl`Jest wpis: sprawdź ID.`);

/** Reported and risk are one: whichever it is, the page says, with the reason. The others have the title of the answer. */
export const ID_CARDS = {
  reported: {
    title: pl`Jest wpis o tym ID`,
    note: pl`Wpis oznacza zgłoszenie, nie wyrok.`,
    picture: ENTRY_PICTURE,
  },
  victim: {
    note: pl`Nie wysyłaj pieniędzy.`,
    picture: draw(
      'taken',
      pl`Jest wpis: sprawdź ID. Znak przejętego konta: romb ze znakiem „nie równa się”.`,
    ),
  },
  good: {
    note: pl`To nie gwarancja: porównaj ID cyfra po cyfrze.`,
    picture: NEUTRAL_PICTURE,
  },
  none: {
    note: pl`To nie znaczy, że jest bezpiecznie.`,
    picture: NEUTRAL_PICTURE,
  },
} as const;

/** A nick beside a word about reports would be an accusation, so only the page says what was found. */
export const NICK_CARD: LinkCard = {
  title: pl`Wynik sprawdzenia nicku`,
  description: pl`Nick może mieć każdy, liczy się ID. Aktualny wynik jest na stronie.`,
  picture: NEUTRAL_PICTURE,
};

export const CARD_DATES = {
  id: (date: string) => pl`Stan z ${date}.`,
  status: (date: string, time: string) => pl`Stan z ${date}, ${time}. Aktualny jest na stronie.`,
  donation: (date: string, time: string) => pl`Stan wpłaty z ${date}, ${time}. Aktualny jest na stronie.`,
} as const;
