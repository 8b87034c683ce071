import { CACHE_CONTROL } from '#src/http/response.ts';

/** A small file for tools, made of the settings. */
export function answerFile(type: string, text: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': CACHE_CONTROL.revalidated },
  });
}

export function answerNoFile(): Response {
  return new Response('Nie znaleziono', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': CACHE_CONTROL.none },
  });
}
