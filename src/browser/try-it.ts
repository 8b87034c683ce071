/** Shows below a form of the documentation what its endpoint answers. */
import { announce } from './announce.ts';

const SHOWN_MAX = 20_000;
/** Streams never end by themselves. */
const STREAM_MS = 5_000;
const SHOWN_HEADERS =
  'Content-Type Cache-Control ETag Age RateLimit-Limit RateLimit-Remaining RateLimit-Reset Retry-After'.split(
    ' ',
  );

for (const form of document.querySelectorAll<HTMLFormElement>('.try-it'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryIt(form);
  });

async function tryIt(form: HTMLFormElement): Promise<void> {
  const region = form.querySelector<HTMLElement>('.tried');
  const [said, body] = [region?.querySelector('p'), region?.querySelector('pre')];
  if (!region || !said || !body) return;
  const { waiting = '', failed = '', cut = '' } = form.dataset;
  region.hidden = false;
  said.textContent = waiting;
  body.textContent = '';
  const from = performance.now();
  try {
    const fields = [...form.querySelectorAll<HTMLInputElement>('[name]')];
    const query = new URLSearchParams(fields.map(({ name, value }) => [name, value]));
    const answer = await fetch(`${form.action}?${query}`, { cache: 'no-store' });
    const ms = Math.round(performance.now() - from);
    const headers = SHOWN_HEADERS.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    });
    said.textContent = `${answer.status} · ${ms} ms`;
    announce(said.textContent);
    body.textContent = [...headers, '', await readText(answer, cut)].join('\n');
  } catch {
    said.textContent = failed;
    announce(failed);
  }
}

async function readText(answer: Response, cut: string): Promise<string> {
  const type = answer.headers.get('Content-Type') ?? '';
  if (type.startsWith('image/') && !type.startsWith('image/svg')) return `${(await answer.blob()).size} B`;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const isStream = type.startsWith('text/event-stream');
  const stop = isStream ? setTimeout(() => void reader?.cancel(), STREAM_MS) : undefined;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += part.value;
    if (text.length > SHOWN_MAX) break;
  }
  clearTimeout(stop);
  await reader?.cancel();
  if (text.length > SHOWN_MAX) return text.slice(0, SHOWN_MAX) + cut;
  return type.startsWith('application/json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
}
