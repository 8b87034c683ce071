/** Where to write about a hole in the service (RFC 9116); there is none until the operator names an address. */
import type { APIRoute } from 'astro';
import { contactHref } from '#src/paths.ts';
import { answerFile, answerNoFile } from '../_answer-file.ts';

/** A later reader fetches a new one. */
const VALID_MS = 180 * 86_400_000;

export const GET: APIRoute = ({ locals }) => {
  const { operator, baseUrl } = locals.services;
  const { securityContact: contact } = operator;
  if (contact === undefined) return answerNoFile();
  const lines = [
    `Contact: ${contactHref(contact)}`,
    `Expires: ${new Date(Date.now() + VALID_MS).toISOString()}`,
    'Preferred-Languages: pl, en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
  ];
  return answerFile('text/plain', `${lines.join('\n')}\n`);
};
