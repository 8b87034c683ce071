import {
  ADJECTIVES,
  CYRILLIC_NAMES,
  EMOJI,
  HANDLE_PREFIXES,
  HANDLE_SUFFIXES,
  HANDLES,
  HOSTILE_NAMES,
  JAPANESE_NAMES,
  NOUNS,
  POPULAR_NICKS,
  RTL_NAMES,
  SERVER_TAILS,
  SERVER_THEMES,
  SYLLABLES,
} from './name-words.ts';
import type { Random } from './random.ts';
import type { SampleList } from './sample-record.ts';

const NAME_LENGTH_MAX = 100; // code points, as in the import format

type NameMaker = (random: Random) => string;

/** Each maker with its share in per mille; what is left of 1000 goes to the last one. */
const PERSON_MAKERS: readonly (readonly [number, NameMaker])[] = [
  [220, wordPair],
  [240, handle],
  [140, syllableNick],
  [100, (random) => random.pickEarly(POPULAR_NICKS)],
  [40, (random) => toLookAlike(handle(random), random)],
  [90, (random) => `${random.pick(NOUNS)}${random.pick(['', '_', '.'])}${digits(random)}`],
  [20, (random) => withTail(random.pick(CYRILLIC_NAMES), random)],
  [10, (random) => toMixedScript(handle(random))],
  [15, (random) => withTail(random.pick(JAPANESE_NAMES) + random.pick(JAPANESE_NAMES), random)],
  [10, (random) => withTail(random.pick(RTL_NAMES), random)],
  [20, emojiName],
  [5, stackedDiacritics],
  [8, (random) => toFullWidth(`${random.pick(HANDLES)}_${digits(random)}`)],
  [4, singleCharacter],
  [3, hundredCharacters],
  [8, hostileName],
  [0, handle],
];

const SERVER_MAKERS: readonly (readonly [number, NameMaker])[] = [
  [420, serverTitle],
  [130, (random) => `${random.pick(SERVER_THEMES)} ${titlePair(random)}`],
  [120, wordPair],
  [90, (random) => `${random.pick(EMOJI)} ${serverTitle(random)}`],
  [
    60,
    (random) =>
      `${random.pick(SERVER_THEMES).toUpperCase()} | ${random.pick(SERVER_TAILS)} ${random.pick(EMOJI)}`,
  ],
  [50, (random) => toLookAlike(serverTitle(random), random)],
  [40, (random) => random.pickEarly(SERVER_THEMES)],
  [20, (random) => withTail(random.pick(CYRILLIC_NAMES), random)],
  [15, (random) => random.pick(JAPANESE_NAMES) + random.pick(JAPANESE_NAMES)],
  [12, (random) => withTail(random.pick(RTL_NAMES), random)],
  [10, (random) => toFullWidth(random.pick(HANDLES))],
  [5, stackedDiacritics],
  [4, singleCharacter],
  [4, hundredCharacters],
  [12, hostileName],
  [0, serverTitle],
];

/** A nickname, or for the server list a server name: 1–100 code points, no outer white space. */
export function sampleName(random: Random, list: SampleList): string {
  const makers = list === 'servers' ? SERVER_MAKERS : PERSON_MAKERS;
  let roll = random.below(1000);
  for (const [share, make] of makers) {
    if (roll < share) return make(random);
    roll -= share;
  }
  return handle(random);
}

/** The same name to a hasty eye: I for l, 0 for o and the like. Unchanged without such a letter or room for more. */
export function toLookAlike(name: string, random: Random): string {
  const swapAll = random.chance(0.5);
  let swapped = '';
  let done = false;
  for (const character of name) {
    const twin: string | undefined = LOOK_ALIKES[character];
    const swap: boolean = twin !== undefined && (swapAll || !done);
    swapped += swap ? twin : character;
    done ||= swap;
  }
  return [...swapped].length <= NAME_LENGTH_MAX ? swapped : name;
}

/** A plain ASCII nick, for mentions inside texts. */
export function handle(random: Random): string {
  const core = random.pick(HANDLES);
  switch (random.below(8)) {
    case 0:
      return `${random.pick(HANDLE_PREFIXES)}${core}${random.pick(HANDLE_SUFFIXES)}`;
    case 1:
      return `${core}_${random.pick(HANDLES)}`;
    case 2:
      return `${capitalize(core)}${capitalize(random.pick(HANDLES))}${digits(random)}`;
    case 3:
      return `${random.pick(HANDLE_PREFIXES)}${core}${digits(random)}`;
    case 4:
      return `${core.toUpperCase()}_${digits(random)}`;
    case 5:
      return `${core}.${random.pick(HANDLES)}${random.below(100)}`;
    default:
      return `${core}${random.pick(['', '_', '-', '.', '__'])}${digits(random)}`;
  }
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  l: 'I',
  I: 'l',
  i: 'l',
  o: '0',
  O: '0',
  '0': 'O',
  '1': 'l',
  m: 'rn',
  S: '5',
  B: '8',
};

const CYRILLIC_TWINS: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
};
const SINGLE_CHARACTERS = [...'aBcżŁ7xX0_.Ω字あЖ∞ñ♥🦊🔥'];

function wordPair(random: Random): string {
  const adjective = random.pick(ADJECTIVES);
  const noun = random.pick(NOUNS);
  switch (random.below(6)) {
    case 0:
      return titlePair(random);
    case 1:
      return `${adjective}_${noun}`;
    case 2:
      return `${capitalize(adjective)}${capitalize(noun)}`;
    case 3:
      return `${capitalize(adjective)}${capitalize(noun)}${digits(random)}`;
    case 4:
      return `${adjective}.${noun}${random.below(100)}`;
    default:
      return `${adjective} ${noun} ${digits(random)}`;
  }
}

function titlePair(random: Random): string {
  return `${capitalize(random.pick(ADJECTIVES))} ${capitalize(random.pick(NOUNS))}`;
}

function syllableNick(random: Random): string {
  let nick = '';
  for (let count = random.between(2, 4); count > 0; count--) nick += random.pick(SYLLABLES);
  if (random.chance(0.4)) nick = capitalize(nick);
  return random.chance(0.35) ? nick + digits(random) : nick;
}

function serverTitle(random: Random): string {
  const theme = random.pick(SERVER_THEMES);
  if (random.chance(0.4)) return `${theme} ${random.pick(SERVER_TAILS)}`;
  return `${theme} ${capitalize(random.pick(NOUNS))} ${random.pick(SERVER_TAILS)}`;
}

function emojiName(random: Random): string {
  const emoji = random.pick(EMOJI);
  if (random.chance(0.2)) return emoji + random.pick(EMOJI);
  return random.chance(0.5) ? `${emoji} ${handle(random)}` : handle(random) + emoji;
}

function stackedDiacritics(random: Random): string {
  const base = random.pick(NOUNS);
  const room = Math.floor(NAME_LENGTH_MAX / base.length) - 1;
  let stacked = '';
  for (const character of base) {
    stacked += character;
    for (let count = random.between(1, Math.min(8, room)); count > 0; count--) {
      stacked += String.fromCharCode(0x0300 + random.below(0x70));
    }
  }
  return stacked;
}

function singleCharacter(random: Random): string {
  return random.pick(SINGLE_CHARACTERS);
}

function hundredCharacters(random: Random): string {
  if (random.chance(0.3)) return random.pick(['W', 'ż', 'i', '█', 'あ', '𒀱']).repeat(NAME_LENGTH_MAX);
  let name = random.pick(NOUNS);
  while (name.length < NAME_LENGTH_MAX) name += `${random.pick(['', '_', '-'])}${random.pick(NOUNS)}`;
  return name.slice(0, NAME_LENGTH_MAX);
}

function hostileName(random: Random): string {
  const name = random.pick(HOSTILE_NAMES);
  return random.chance(0.4) ? name + digits(random) : name;
}

function withTail(name: string, random: Random): string {
  return random.chance(0.5) ? `${name}${random.pick(['_', '', ' '])}${digits(random)}` : name;
}

function toMixedScript(name: string): string {
  let mixed = '';
  for (const character of name) mixed += CYRILLIC_TWINS[character] ?? character;
  return mixed;
}

function toFullWidth(name: string): string {
  let wide = '';
  for (let at = 0; at < name.length; at++) wide += String.fromCharCode(name.charCodeAt(at) + 0xfee0);
  return wide;
}

function digits(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return String(random.below(10));
    case 1:
      return String(random.between(1998, 2014));
    case 2:
      return random.pick(['00', '07', '123', '777', '69', '1337', '404', '997']);
    default:
      return String(random.below(10_000));
  }
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
