import { pl } from '../../ui/polish.ts';

/** What only the operator knows; undefined until the settings say it. */
export interface OperatorFacts {
  readonly name: string | undefined;
  readonly appealsContact: string | undefined;
  readonly reportsContact: string | undefined;
  readonly appealsAnswerDays: number | undefined;
  readonly platformName: string | undefined;
}

/** A link to an e-mail or web address, for Rich.astro. */
export function contactLink(contact: string): string {
  const label = contact.replace(/^https:\/\//, '').replace(/\/$/, '');
  const address = contact.startsWith('https://') ? contact : `mailto:${contact}`;
  return `[${label}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

/** None as long as the settings name nobody. */
export function operatorSentences(operator: OperatorFacts): string[] {
  return operator.name === undefined ? [] : [pl`Czujkę prowadzi ${operator.name}.`];
}

export function appealsSentence(operator: OperatorFacts): string {
  return operator.appealsContact === undefined
    ? pl`**Nie podano jeszcze adresu do odwołań.**`
    : pl`Adres do odwołań: ${contactLink(operator.appealsContact)}.`;
}

/**
 * For whoever is told to write on the page of a donation; it goes to the address for appeals, the operator's own. None as
 * long as there is no address: the page then tells nobody to write.
 */
export function donationContactSentences(operator: OperatorFacts): string[] {
  return operator.appealsContact === undefined
    ? []
    : [pl`Adres, na który można napisać: ${contactLink(operator.appealsContact)}.`];
}
