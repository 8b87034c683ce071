import { describe, expect, it } from 'vitest';
import { createTypeChoice } from '#src/http/accept.ts';

describe('the choice of a media type', () => {
  const choose = createTypeChoice(['image/webp', 'image/png']);

  it.each([
    [undefined, 'image/webp'],
    ['', 'image/webp'],
    ['*/*', 'image/webp'],
    ['image/*', 'image/webp'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/webp'],
    ['IMAGE/WEBP;Q=0.1', 'image/webp'],
    ['image/png, image/webp;q=0.001', 'image/webp'],
    ['image/png', 'image/png'],
    ['image/png,image/svg+xml;q=0.8,video/*;q=0.8', 'image/png'],
    ['image/webp;q=0, */*', 'image/png'],
    ['image/*;q=0.000, */*', 'image/png'],
    ['*/*;q=0, image/webp', 'image/webp'],
    ['*/*;q=0', 'image/png'],
    ['text/html', 'image/png'],
    ['image/webpx', 'image/png'],
    [',;,', 'image/png'],
  ])('takes from "%s" %s', (header, type) => {
    expect(choose(header)).toBe(type);
    expect(choose(header)).toBe(type);
  });

  it('stays right under a flood of different headers', () => {
    for (let i = 0; i < 5_000; i += 1) expect(choose(`text/x-${i}`)).toBe('image/png');
    expect(choose('image/webp')).toBe('image/webp');
  });
});
