/** How visitors find an ID in the chat platform, with the names that its menus have. */
import { pl } from '../ui/polish.ts';

export const FIND_ID = {
  title: pl`Jak znaleźć ID?`,
  /** @param menu names of the section, of the switch and of the item, as the settings give them */
  steps: ([section = '', toggle = '', item = '']: readonly string[]) => [
    pl`Wejdź w ustawienia swojego konta, otwórz **${section}** i włącz **${toggle}**.`,
    pl`Przytrzymaj nick tej osoby albo nazwę serwera. Na komputerze kliknij prawym przyciskiem myszy.`,
    pl`Wybierz **${item}** i wklej ID w pole sprawdzania. ID ma od 17 do 20 cyfr.`,
  ],
  phone: { caption: pl`Na telefonie przytrzymaj nick.`, picture: pl`Ekran telefonu z menu pod nickiem` },
  computer: {
    caption: pl`Na komputerze kliknij nick prawym przyciskiem.`,
    picture: pl`Okno na komputerze z menu obok nicku`,
  },
  note: pl`Nazwy w menu zależą od wersji aplikacji. Zamiast ID możesz wkleić wzmiankę albo link do profilu, kanału lub serwera, a my odczytamy z nich ID. Samo zaproszenie na serwer nie wystarczy, bo nie ma w nim ID.`,
} as const;
