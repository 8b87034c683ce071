/** Headers by which a client says what it takes (RFC 9110 section 12.5). */
import { LRUCache } from 'lru-cache';

/** Browsers and bots send few different headers; a bound keeps a flood of others from growing what is remembered. */
const CHOICES_MAX = 1_000;

/** Remembers what was chosen by a header, so that the next one like it costs a look. */
export function rememberChoice<Choice extends string>(
  choose: (header: string) => Choice,
): (header: string) => Choice {
  const choices = new LRUCache<string, Choice>({ max: CHOICES_MAX });
  return (header) => {
    let choice = choices.get(header);
    if (choice === undefined) {
      choice = choose(header);
      choices.set(header, choice);
    }
    return choice;
  };
}

/** By name in small letters, its weight from 0 (refused) to 1. */
export function readAccepted(header: string): ReadonlyMap<string, number> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const given = parameters.find((parameter) => /^q=[01](?:\.\d*)?$/.test(parameter));
      return [name, given === undefined ? 1 : Number(given.slice('q='.length))];
    }),
  );
}

/**
 * Chooses by Accept among the media types of an answer: the first that is taken, by its name or else by a range; the
 * last one where none is, since an answer that was not asked for helps more than 406. Without Accept all are taken.
 */
export function createTypeChoice<Type extends string>(
  offers: readonly [Type, ...Type[]],
): (accept: string | undefined) => Type {
  const [first] = offers;
  const last = offers.at(-1) ?? first;
  const choose = rememberChoice((accept): Type => {
    const accepted = readAccepted(accept);
    const takes = (type: string): boolean =>
      (accepted.get(type) ?? accepted.get(`${type.split('/', 1)[0]}/*`) ?? accepted.get('*/*') ?? 0) > 0;
    return offers.find(takes) ?? last;
  });
  return (accept) => (accept === undefined || accept === '' ? first : choose(accept));
}
