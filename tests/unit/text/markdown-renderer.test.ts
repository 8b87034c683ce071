import { expect, it, onTestFinished } from 'vitest';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import type { Misbehaviour } from './test-thread.ts';

const TEST_THREAD = new URL('./test-thread.ts', import.meta.url);
const REAL_THREAD = new URL('../../../src/text/markdown-thread.ts', import.meta.url);
/** Far more than any text here takes, so that only the endless one meets it. */
const DEADLINE_MS = 1_000;
const TOO_SLOW = { ok: false, problem: 'takes longer than 1 s to render; simplify the text' };
const FATAL = { ok: false, problem: 'cannot be rendered; simplify the text' };

type Renderer = ReturnType<typeof createMarkdownRenderer>;

/** Results in the order of the texts. */
async function inOrder(renderer: Renderer, markdowns: readonly string[]) {
  const results = await renderer.render(markdowns);
  return markdowns.map((text) => results.get(text));
}

function createRenderer(options: Parameters<typeof createMarkdownRenderer>[0] = {}): Renderer {
  const all = { deadlineMs: DEADLINE_MS, shortDeadlineMs: 0, threadFile: TEST_THREAD, ...options };
  const renderer = createMarkdownRenderer(all);
  onTestFinished(() => renderer.close());
  return renderer;
}

const numbered = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `**${from + index}** tekst`);
const rendered = (markdowns: readonly string[]) => markdowns.map(renderMarkdown);

it('renders batches at once as renderMarkdown does, in order, and again after a pause', async () => {
  const markdowns = ['# a', '2) d\n\t>2) \na', 'zwykły', '', '[x](javascript:y)'];
  const renderer = createMarkdownRenderer();
  onTestFinished(() => renderer.close());
  const batches = [markdowns, [], numbered(0, 40), ['a']];
  const results = await Promise.all(batches.map((batch) => inOrder(renderer, batch)));
  expect(results).toEqual(batches.map(rendered));
  expect(await inOrder(renderer, ['a'])).toEqual(rendered(['a']));
});

it('ends a text that takes too long and renders all others', async () => {
  const renderer = createRenderer();
  const results = await Promise.all([
    inOrder(renderer, numbered(0, 50)),
    inOrder(renderer, [...numbered(50, 20), 'spin', ...numbered(70, 20)]),
    inOrder(renderer, numbered(90, 50)),
    inOrder(renderer, ['spin']),
    inOrder(renderer, ['spin', 'a']),
  ]);
  expect(results).toEqual([
    rendered(numbered(0, 50)),
    [...rendered(numbered(50, 20)), TOO_SLOW, ...rendered(numbered(70, 20))],
    rendered(numbered(90, 50)),
    [TOO_SLOW],
    [TOO_SLOW, ...rendered(['a'])],
  ]);
});

it('ends a slow text in this process and in the thread, which renders the next one', async () => {
  // Takes a second.
  const slow = '_a'.repeat(10_000);
  const options = { shortDeadlineMs: 10, threadFile: REAL_THREAD };
  const problem = expect.stringContaining('takes longer than 0.02 s') as string;
  const ended = await inOrder(createRenderer({ ...options, deadlineMs: 20 }), [slow]);
  expect(ended).toEqual([{ ok: false, problem }]);
  const next = createRenderer({ ...options, deadlineMs: 60_000 });
  expect(await inOrder(next, ['**a**'])).toEqual(rendered(['**a**']));
});

it.each<Misbehaviour>(['throw', 'exit'])('gives up only the text that ends it by %s', async (word) => {
  const renderer = createRenderer();
  const results = await Promise.all([inOrder(renderer, ['a', word, 'b']), inOrder(renderer, ['c', word])]);
  expect(results).toEqual([
    [...rendered(['a']), FATAL, ...rendered(['b'])],
    [...rendered(['c']), FATAL],
  ]);
});

it('rejects when its thread cannot run', async () => {
  const renderer = createRenderer({ threadFile: new URL('./no-such-thread.ts', import.meta.url) });
  const calls = Array.from({ length: 10 }, () => inOrder(renderer, ['a']));
  const cause = { message: expect.stringContaining('no-such-thread.ts') as string };
  for (const result of await Promise.allSettled(calls))
    expect(result).toMatchObject({
      reason: { message: 'the thread that renders Markdown cannot run', cause },
    });
});

it('rejects what is under way when it is closed, and what comes later', async () => {
  const renderer = createRenderer({ deadlineMs: 60_000 });
  const calls = Array.from({ length: 10 }, () => inOrder(renderer, ['spin']));
  const settled = Promise.allSettled(calls);
  await renderer.close();
  await renderer.close();
  const late = Promise.allSettled([inOrder(renderer, ['a'])]);
  for (const result of [...(await settled), ...(await late)])
    expect(result).toMatchObject({ reason: { message: 'the Markdown renderer is closed' } });
});
