import { describe, expect, it } from 'vitest';
import { createCacheKeys } from '#src/http/cache-keys.ts';

function setUp() {
  const clock = { now: 0 };
  let worked = 0;
  const keys = createCacheKeys(() => clock.now);
  const work = (): string => {
    worked += 1;
    return 'key';
  };
  return {
    clock,
    find: (target: string) => keys.find(target, '', work),
    findRepeated: (target: string) => keys.findRepeated(target, '', 100, work),
    countWork: () => worked,
  };
}

describe('createCacheKeys', () => {
  it('works the key of a target out until it is asked for again, and then remembers it', () => {
    const { find, countWork } = setUp();
    for (let asked = 0; asked < 5; asked += 1) expect(find('/a')).toBe('key');
    expect(countWork()).toBe(2);
    find('/b');
    expect(countWork()).toBe(3);
  });

  it('remembers no key of what is asked for seldom, nor of a long target', () => {
    const { clock, find, countWork } = setUp();
    for (clock.now = 0; clock.now < 50_005; clock.now += 10_001) find('/a');
    expect(countWork()).toBe(5);
    for (let asked = 0; asked < 3; asked += 1) find(`/${'a'.repeat(300)}`);
    expect(countWork()).toBe(8);
  });

  it('gives a key for what is cheap only when it is asked for again soon', () => {
    const { clock, findRepeated } = setUp();
    for (const at of [0, 101, 202]) {
      clock.now = at;
      expect(findRepeated('/a')).toBeUndefined();
    }
    clock.now = 302;
    expect(findRepeated('/a')).toBe('key');
    expect(findRepeated('/b')).toBeUndefined();
  });

  it('keeps media types of a target apart', () => {
    const keys = createCacheKeys(() => 0);
    for (let asked = 0; asked < 3; asked += 1) {
      expect(keys.find('/a', 'image/png', () => 'png')).toBe('png');
      expect(keys.find('/a', 'image/webp', () => 'webp')).toBe('webp');
    }
  });
});
