import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markDifferences } from '#src/entries/mark-name.ts';
import { findDifferences, normalizeName } from '#src/text/look-alike.ts';

/** Brackets stand for frames. */
const frame = (asked: string, listed: string): string =>
  markDifferences(normalizeName(asked), findDifferences(normalizeName(asked), normalizeName(listed)))
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

it.each([
  ['Lis_Posrednlk', 'Lis_Posrednik', 'Lis_Posredn[l]k'],
  ['Lis_Posrednik', 'Lis_Posrednik', 'Lis_Posrednik'],
  ['аdmin_pоmoc', 'admin_pomoc', '[а]dmin_p[о]moc'],
  // A letter that two others look like, and the other way round.
  ['pornoc', 'pomoc', 'po[rn]oc'],
  ['pomoc', 'pornoc', 'po[m]oc'],
  // What is missing has no place.
  ['Lis_Posrednk', 'Lis_Posrednik', 'Lis_Posrednk'],
  // Neighbours share a frame, also outside the basic plane, where a character has two units.
  ['𝐌𝐚𝐫ek😀', 'Marek😀', '[𝐌𝐚𝐫]ek😀'],
  ['🇲arek', 'Marek', '[🇲]arek'],
  // Marks and joiners stay with their letter.
  ['Mar\u200dek', 'Marek', 'Ma[r\u200d]ek'],
  ['L\u0316\u0317\u0318isek', 'Lisek', '[L\u0316\u0317\u0318]isek'],
  ['👩\u200d💻 Marek', '👩💻 Marek', '[👩\u200d💻] Marek'],
  // What stands for nothing else has a frame of its own.
  ['ha\u202endel', 'handel', 'ha[\u202e]ndel'],
  ['Kuba\u3164', 'Kuba', 'Kuba[\u3164]'],
  ['Marek', 'M\u0336arek', 'Marek'],
])('%j beside %j', (asked, listed, framed) => {
  expect(frame(asked, listed)).toBe(framed);
});

it('frames lose and cut nothing, whatever the names', () => {
  const unit = fc.constantFrom(...['I', 'l', 'о', 'm', '👩', '🇲', 'ﷺ'], ...'\u0301\u200b\u200d\u202e\ud83d');
  const names = fc.string({ unit, maxLength: 12 });
  const clusters = new Intl.Segmenter('pl');
  fc.assert(
    fc.property(names, names, (asked, listed) => {
      const name = normalizeName(asked);
      const parts = markDifferences(name, findDifferences(name, normalizeName(listed)));
      expect(parts.map(({ text }) => text).join('')).toBe(asked.normalize());
      const edges = parts.map((_part, at) =>
        parts.slice(0, at).reduce((sum, { text }) => sum + text.length, 0),
      );
      const whole = new Set(Array.from(clusters.segment(asked.normalize()), ({ index }) => index));
      expect(edges.filter((edge) => !whole.has(edge))).toEqual([]);
    }),
  );
});
