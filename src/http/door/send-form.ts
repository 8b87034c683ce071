/** One and the same answer, in the form that the client takes. */
import { COMPRESSED_FROM_BYTES, inForm } from '../content-encoding.ts';
import type { Answer } from '../endpoint.ts';
import type { CacheHit } from '../shared-cache.ts';
import { answerFailure } from './answer-failure.ts';
import { send, sendStored } from './send-answer.ts';
import type { FrontDoor, Visit } from './visit.ts';

/** An answer of the cache, in the form that the client takes. The limit's headers are the client's own already. */
export function sendHit(door: FrontDoor, visit: Visit, hit: CacheHit): void {
  const { plain } = hit.stored;
  const isSmall = plain.body.length < COMPRESSED_FROM_BYTES;
  const encoding = isSmall || isPacked(hit) ? 'identity' : door.chooseEncoding(visit.request);
  if (encoding === 'identity') return sendStored(visit, plain, hit.ageSeconds);
  const form = door.cache.form(hit, encoding);
  if (!(form instanceof Promise)) return sendStored(visit, form, hit.ageSeconds);
  form.then(
    (made) => sendStored(visit, made, hit.ageSeconds),
    (error: unknown) => answerFailure(door, visit, error),
  );
}

/** An answer that was made beforehand, in the form that the client takes. */
export function sendForm(door: FrontDoor, visit: Visit, answer: Answer, looksCached: boolean): void {
  const encoding = door.chooseEncoding(visit.request);
  if (encoding === 'identity' || !answer.form) return send(visit, answer, looksCached);
  answer.form(encoding).then(
    (body) => {
      const packed = body ? { ...answer, headers: inForm(answer.headers, encoding), body } : answer;
      send(visit, packed, looksCached);
    },
    (error: unknown) => answerFailure(door, visit, error),
  );
}

/** Images other than SVG are compressed already. */
function isPacked({ stored }: CacheHit): boolean {
  const type = stored.plain.headers['Content-Type'] ?? '';
  return type.startsWith('image/') && !type.startsWith('image/svg');
}
