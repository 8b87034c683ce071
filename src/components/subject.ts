/** What a visitor typed or pasted into the check: an ID in any of the forms that people copy, or a nick. */

export type Subject =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'nick'; readonly search: string; readonly doubt?: 'invite' | 'id_length' };

const WHOLE_ID = /^\d{17,20}$/;
/** A mention, or a link to a profile. */
const WRAPPED_ID = /^<@[!&]?(\d{17,20})>$|^(?:https?:\/\/)?[\w.-]+\/(?:\w+\/)*users\/(\d{17,20})\/?$/;
const INVITE = /^(?:https?:\/\/)?[\w.-]+(?:\.gg\/|\/invite\/)[\w-]+\/?$/i;
/** Fewer digits are a nick or a telephone number sooner than a part of an ID. */
const NEARLY_ID = /^\d{10,}$/;

export function readSubject(typed: string): Subject {
  const text = typed.trim();
  const wrapped = WRAPPED_ID.exec(text);
  const id = wrapped?.[1] ?? wrapped?.[2];
  if (id) return { kind: 'id', id };
  const joined = text.replace(/\s/g, '');
  if (WHOLE_ID.test(joined)) return { kind: 'id', id: joined };
  if (INVITE.test(text)) return { kind: 'nick', search: text, doubt: 'invite' };
  if (NEARLY_ID.test(joined)) return { kind: 'nick', search: text, doubt: 'id_length' };
  return { kind: 'nick', search: text };
}
