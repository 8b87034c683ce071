/** How a bot asks for a verdict, on /docs. */
import { pl } from '../../ui/polish.ts';
import type { Block } from './block.ts';
import { VERDICT_SAMPLES } from './verdict-samples.ts';

export const verdictBlocks = (): Block[] => [
  { heading: pl`Wynik dla bota`, id: 'werdykt' },
  pl`Pytaj o ID i bierz pod uwagę odpowiedzi w tej kolejności:`,
  { sample: VERDICT_SAMPLES.javascript, label: 'JavaScript' },
  { sample: VERDICT_SAMPLES.python, label: 'Python' },
  {
    list: [
      pl`\`unknown\` znaczy, że **nie ma wpisu o tym ID**, a nie że ktoś jest uczciwy. Nie pokazuj go na zielono. Gdy odpowiedź ma inny kod niż 200, nie wiesz nic: to też nie jest \`unknown\`.`,
      pl`**Sam nick nigdy nie może prowadzić do bana.** Nick może mieć każdy, a podobieństwo nie świadczy o zamiarze: ukarzesz osobę, pod którą ktoś się podszywa, albo kogoś zupełnie innego. Ostrzeżenie pokaż człowiekowi, razem z ID do porównania.`,
      pl`**ID to tekst, nie liczba.** \`JSON.parse\` i \`Number\` zaokrąglają ID: \`1572250755006587457\` staje się \`1572250755006587400\`, czyli ID kogoś innego albo ID, którego nikt nie ma. Czytaj i zapisuj ID w cudzysłowie. \`id_rounded\` ostrzega, gdy mogło się to już stać; zwykłe ID też bywa do takiego podobne.`,
    ],
  },
];
