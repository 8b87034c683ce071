/** How a bot asks for a verdict, on /docs. */
import { pl } from '../polish.ts';
import type { Block } from './block.ts';
import { VERDICT_SAMPLES } from './verdict-samples.ts';

const PARAMETER_HEAD = ['Parametr', 'Wartość', 'Znaczenie'];

/** @param curl a command that asks for a path */
export const verdictBlocks = (curl: (path: string) => string): Block[] => [
  { heading: pl`Werdykt dla bota: /api/verdict`, id: 'werdykt' },
  pl`Jedna odpowiedź, której nie da się źle odczytać. O werdykcie decyduje **tylko ID**: \`reported\` (potwierdzone zgłoszenie osoby albo serwera), \`risk\` (lista ryzyka), \`trusted\` (lista zaufanych) albo \`unknown\`. Podaj co najmniej jeden z parametrów.`,
  {
    caption: pl`Parametry werdyktu`,
    head: PARAMETER_HEAD,
    table: [
      ['`id`', pl`1–64 znaki`, pl`ID osoby albo serwera.`],
      [
        '`name`',
        pl`1–100 znaków`,
        pl`Nick; \`@\` na początku i \`#0001\` na końcu pomijamy. Bez niego nie szukamy podobnych nicków.`,
      ],
    ],
  },
  { command: curl('/api/verdict?id=1572250755006587499&name=Iis_posrednik'), label: pl`Zapytanie` },
  { sample: VERDICT_SAMPLES.verdict, label: pl`Odpowiedź` },
  pl`\`entries\` to wpisy z tym ID, decydujący jako pierwszy, z polami jak w listach oraz \`list\`, \`reportedAt\` i \`updatedAt\`. \`lookAlikes\` to najwyżej 20 wpisów z innym ID, których nick przypomina podany, najpierw zaufane: \`same_name\` (taki sam, poza wielkością liter, znakami diakrytycznymi i niewidocznymi), \`same_shape\` (podobne litery) albo \`one_edit\` (jedna litera różnicy w dłuższym nicku). \`differs\` mówi, co jest inne: \`to\` w podanym nicku zamiast \`from\` w nicku z listy, w miejscu \`at\`. \`dataAt\` to chwila zmiany list, do której odpowiedź jest aktualna.`,
  {
    caption: pl`Ostrzeżenia (warnings)`,
    head: ['Wartość', 'Znaczenie'],
    table: [
      ['`looks_like_trusted`', pl`Nick przypomina zaufaną osobę, a ID jest inne.`],
      ['`looks_like_reported`', pl`Nick przypomina zgłoszony wpis z innym ID.`],
      ['`mixed_scripts`', pl`Nick miesza alfabety, na przykład łaciński z cyrylicą.`],
      ['`hidden_characters`', pl`Nick zawiera niewidoczne znaki.`],
      ['`id_malformed`', pl`ID nie ma od 17 do 20 cyfr.`],
      ['`id_rounded`', pl`ID wygląda na zaokrąglone przez liczbę zmiennoprzecinkową i nie ma go na listach.`],
    ],
  },
  { heading: pl`Wiele ID naraz: /api/verdicts`, level: 3 },
  pl`\`ids\` to od 1 do 100 ID oddzielonych przecinkami. W odpowiedzi jest każde z nich, raz; całość liczy się jako jedno zapytanie.`,
  {
    command: curl('/api/verdicts?ids=1558644164640031523,280864204968068869,1572250755006587499'),
    label: pl`Zapytanie`,
  },
  { sample: VERDICT_SAMPLES.verdicts, label: pl`Odpowiedź` },
  pl`Nie szukamy po skrócie ID: wśród członków jednego serwera kilka cyfr skrótu i tak wskazuje jedną osobę. Kto nie chce zdradzać, o kogo pyta, może trzymać [własną kopię list](#kopia).`,
  { heading: pl`Jak używać tego w bocie`, level: 3 },
  pl`Pytaj o ID i bierz pod uwagę odpowiedzi w tej kolejności:`,
  { sample: VERDICT_SAMPLES.javascript, label: 'JavaScript' },
  { sample: VERDICT_SAMPLES.python, label: 'Python' },
  {
    list: [
      pl`\`unknown\` znaczy, że **nikt nie zgłosił tego ID**, a nie że ktoś jest uczciwy. Nie pokazuj go na zielono. Gdy odpowiedź ma inny kod niż 200, nie wiesz nic: to też nie jest \`unknown\`.`,
      pl`**Sam nick nigdy nie może prowadzić do bana.** Nick może mieć każdy, a podobieństwo nie świadczy o zamiarze: ukarzesz osobę, pod którą ktoś się podszywa, albo kogoś zupełnie innego. Ostrzeżenie pokaż człowiekowi, razem z ID do porównania.`,
      pl`**ID to tekst, nie liczba.** \`JSON.parse\` i \`Number\` zaokrąglają ID: \`1572250755006587457\` staje się \`1572250755006587400\`, czyli ID kogoś innego albo niczyim. Czytaj i zapisuj ID w cudzysłowie. \`id_rounded\` ostrzega, gdy to już się stało.`,
    ],
  },
];
