/**
 * A visitor who asks on while a fault is done: whatever happens, an answer is the one that came before the fault, or an
 * error in the one form. No answer at all is told of by how long that lasted.
 */
import { setTimeout } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly text: string;
}

export interface Watched {
  readonly answers: number;
  /** Errors among them that were none before the fault. */
  readonly errors: number;
  /** Each answer that was neither right nor an error in the one form. */
  readonly wrong: readonly string[];
  /** The longest time without any answer. */
  readonly silentMs: number;
}

export interface Watch {
  /** Whether all questions get the answers again that they had before the fault. */
  isRight(): Promise<boolean>;
  end(): Promise<Watched>;
}

const PAUSE_MS = 100;
const ANSWER_MS = 10_000;
const SHOWN_MAX = 200;
const OF_MOMENT = new Set(['views']);
let asked = 0;

/** From an address of its own each time: no limit stands in the way. @throws when no whole answer comes */
export async function ask(origin: string, path: string, timeoutMs = ANSWER_MS): Promise<Answer> {
  asked += 1;
  const address = `10.7.${(asked >>> 8) & 255}.${asked & 255}`;
  const answer = await fetch(origin + path, {
    headers: { 'X-Forwarded-For': address, Connection: 'close' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, type, headers: answer.headers, text: await answer.text() };
}

/** @param paths whose answers stay the same as long as nothing is wrong */
export async function watchAnswers(origin: string, paths: readonly string[]): Promise<Watch> {
  const expected = new Map<string, Answer>();
  for (const path of paths) expected.set(path, await ask(origin, path));
  const wrong: string[] = [];
  let answers = 0;
  let errors = 0;
  let silentMs = 0;
  let lastAnswerAt = performance.now();
  let isOver = false;

  const look = async (path: string): Promise<boolean> => {
    const answer = await ask(origin, path).catch(() => undefined);
    silentMs = Math.max(silentMs, performance.now() - lastAnswerAt);
    if (!answer) return false;
    lastAnswerAt = performance.now();
    answers += 1;
    const before = expected.get(path);
    if (before && before.status === answer.status && sameText(before, answer)) return true;
    if (answer.status >= 500 && isInForm(path, answer)) errors += 1;
    else
      wrong.push(
        `${path}: ${answer.status} ${answer.text.slice(0, SHOWN_MAX)} for ${before?.status} ${before?.text.slice(0, SHOWN_MAX)}`,
      );
    return false;
  };
  const asking = (async () => {
    for (let at = 0; !isOver; at += 1) {
      await look(paths[at % paths.length] ?? '');
      await setTimeout(PAUSE_MS);
    }
  })();

  return {
    async isRight() {
      for (const path of paths) if (!(await look(path))) return false;
      return true;
    },
    async end() {
      isOver = true;
      await asking;
      return { answers, errors, wrong, silentMs };
    },
  };
}

/** What tells of views and of the moment changes; of a page it is enough that it came whole and names the same entries. */
function sameText(before: Answer, after: Answer): boolean {
  if (before.type !== after.type) return false;
  const bare = before.type.startsWith('text/html') ? entriesOf : withoutMoment;
  return bare(before.text) === bare(after.text);
}

function withoutMoment(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value: unknown) => (OF_MOMENT.has(key) ? undefined : value));
}

function entriesOf(html: string): string {
  const ids = html.match(/\b\d{17,20}\b/g) ?? [];
  return `${[...new Set(ids)].join(' ')} ${html.trimEnd().endsWith('</html>')}`;
}

function isInForm(path: string, { type, text }: Answer): boolean {
  if (!path.startsWith('/api/'))
    return type === 'text/html; charset=utf-8' && text.trimEnd().endsWith('</html>');
  if (type !== 'application/json; charset=utf-8') return false;
  const body = JSON.parse(text) as { error?: unknown };
  return Object.keys(body).join() === 'error' && typeof body.error === 'string' && body.error !== '';
}
