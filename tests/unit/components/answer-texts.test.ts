import { expect, it } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';

const [OPENED, DECIDED] = [Date.parse('2026-12-30T23:00:00Z'), Date.parse('2026-12-31T23:30:00Z')];

it.each([
  [null, null, '2026-12-31T12:00:00Z', 'Odwołanie z 31 grudnia, czeka na decyzję.'],
  [null, null, '2026-12-31T23:00:00Z', 'Odwołanie z 31 grudnia 2026, czeka na decyzję.'],
  [
    DECIDED,
    'tak.',
    '2027-01-02',
    'Odwołanie z 31 grudnia 2026: wpis podtrzymano 1 stycznia, bo \u2068tak\u2069.',
  ],
  [DECIDED, null, '2028-01-01', 'Odwołanie z 31 grudnia 2026: wpis podtrzymano 1 stycznia 2027.'],
])('an appeal decided at %s with the note %j is told of at %s: %s', (decidedAt, note, now, text) => {
  const shown = ANSWER.appealed({ openedAt: OPENED, decidedAt, note }, Date.parse(now));
  expect(shown.replaceAll('\u00a0', ' ')).toBe(text);
});

const shownOf = (...asked: Parameters<typeof ANSWER.foundSteps>) =>
  ANSWER.foundSteps(...asked)
    .join(' ')
    .replaceAll('\u00a0', ' ');

it.each([
  ['stop', 'To ID jest na tej stronie? Nie płać.', 'ID jest przy znaku „Znak”? Nie płać.'],
  ['warn', 'To ID jest na tej stronie? Wstrzymaj się', 'ID jest przy znaku „Znak”? Wstrzymaj się z wpłatą.'],
  ['good', 'z tym na stronie, cyfra', 'z tym przy znaku „Znak”, cyfra'],
  ['victim', 'z tym na stronie, cyfra', 'z tym przy znaku „Znak”, cyfra'],
] as const)('steps about a nick, %s, point at one ID of several', (role, alone, among) => {
  expect(shownOf(role)).toContain(alone);
  const steps = shownOf(role, 'accounts', 'Znak');
  expect(steps).toContain(among);
  expect(steps).not.toMatch(/na (?:tej )?stronie/);
});

it('steps about a name of servers speak of servers', () => {
  for (const role of ['stop', 'victim', 'warn', 'none'] as const)
    expect(shownOf(role, 'servers', 'Znak')).not.toMatch(/rozmówc|nick|konto/);
});
