import { NO_STORE, REVALIDATED_CACHE } from '#src/http/response-headers.ts';

/** A small file for tools, made of the settings. */
export function fileAnswer(type: string, text: string): Response {
  return new Response(text, {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': REVALIDATED_CACHE },
  });
}

export function noSuchFile(): Response {
  return new Response('Nie znaleziono', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': NO_STORE },
  });
}
