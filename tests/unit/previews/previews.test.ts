import { describe, expect, it } from 'vitest';
import type { Preview } from '#src/previews/preview.ts';
import { createPreviews } from '#src/previews/previews.ts';
import { OverloadedError } from '#src/turns/overloaded-error.ts';

const MEGABYTE = 1_000_000;

function previewOf(title: string): Preview {
  return { mark: 'none', title, lines: [], note: '', foot: '' };
}

function askerOf(client: string): { client: string; signal: AbortSignal } {
  return { client, signal: new AbortController().signal };
}

/** Pictures that are finished one by one, when the test says so. */
function createSlowDrawing() {
  const titles: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    titles,
    draw: async ({ title }: Preview): Promise<Buffer> => {
      titles.push(title);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return Buffer.from(title);
    },
    finishOne: async (): Promise<void> => {
      waiting.shift()?.();
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('createPreviews', () => {
  it('draws one at a time', async () => {
    const { draw, titles, finishOne } = createSlowDrawing();
    const previews = createPreviews(MEGABYTE, draw);
    const pictures = ['a', 'b', 'c'].map((title) => previews.draw(previewOf(title), askerOf(title)));
    await finishOne();
    expect(titles).toEqual(['a', 'b']);
    await finishOne();
    await finishOne();
    expect((await Promise.all(pictures)).map(String)).toEqual(['a', 'b', 'c']);
  });

  it('draws once what several ask for, and keeps it', async () => {
    const { draw, titles, finishOne } = createSlowDrawing();
    const previews = createPreviews(MEGABYTE, draw);
    const pictures = ['x', 'y'].map((client) => previews.draw(previewOf('a'), askerOf(client)));
    await finishOne();
    await Promise.all(pictures);
    await previews.draw(previewOf('a'), askerOf('z'));
    expect(titles).toEqual(['a']);
  });

  it('keeps no more than its bound, and drops what was asked for least recently', async () => {
    const drawn: string[] = [];
    const previews = createPreviews(250, ({ title }) => {
      drawn.push(title);
      return Promise.resolve(Buffer.alloc(100));
    });
    for (const title of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await previews.draw(previewOf(title), askerOf('x'));
      expect(previews.bytes).toBeLessThanOrEqual(250);
    }
    expect(drawn).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps at most 50 MB by default', async () => {
    const previews = createPreviews(undefined, () => Promise.resolve(Buffer.alloc(5 * MEGABYTE)));
    for (let n = 0; n < 12; n += 1) await previews.draw(previewOf(String(n)), askerOf('x'));
    expect(previews.bytes).toBeLessThanOrEqual(50 * MEGABYTE);
  });

  it('refuses who has too many waiting, and lets others wait', async () => {
    const { draw } = createSlowDrawing();
    const previews = createPreviews(MEGABYTE, draw);
    const ask = (client: string, n: number): Promise<Buffer> => {
      const picture = previews.draw(previewOf(`${client}${n}`), askerOf(client));
      picture.catch(() => {});
      return picture;
    };
    const own = Array.from({ length: 8 }, (_, n) => ask('x', n));
    await expect(ask('x', 8)).rejects.toThrow(OverloadedError);
    const other = ask('y', 0);
    expect(await Promise.race([other, Promise.resolve('waits')])).toBe('waits');
    for (let n = 1; n < 248; n += 1) void ask(`z${n}`, 0);
    // The client with eight makes room, until nobody has two.
    for (let n = 1; n < 8; n += 1) {
      void ask(`last${n}`, 0);
      await expect(own[8 - n]).rejects.toThrow(OverloadedError);
    }
    await expect(ask('last', 0)).rejects.toThrow(OverloadedError);
  });

  it('tries again after a drawing that failed', async () => {
    let failures = 1;
    const previews = createPreviews(MEGABYTE, () =>
      failures-- > 0 ? Promise.reject(new Error('broken')) : Promise.resolve(Buffer.from('ok')),
    );
    await expect(previews.draw(previewOf('a'), askerOf('x'))).rejects.toThrow('broken');
    expect(String(await previews.draw(previewOf('a'), askerOf('x')))).toBe('ok');
  });
});
