/** The marks of bots: states that mean different things have different shapes. */
import { expect, it } from 'vitest';
import { renderHealth } from '#src/components/status/status-charts.ts';
import { BOT_STATES, botHealth } from '#src/status/status.ts';

it('draws a starting bot, a stopped one, one of unknown state and one that is not connected in four shapes', () => {
  const shapes = BOT_STATES.map((state) => {
    const health = botHealth({ ok: state === 'running', state } as Parameters<typeof botHealth>[0]);
    return [state, /#z-(\w+)/.exec(renderHealth(health, state).toString())?.[1]];
  });
  expect(Object.fromEntries(shapes)).toEqual({
    running: 'good',
    starting: 'warn',
    stopping: 'warn',
    offline: 'stop',
    unknown: 'none',
    not_configured: 'off',
  });
});
