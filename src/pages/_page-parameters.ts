import { CHECK_PARAMETERS } from '#src/entries/check-query.ts';
import { LIST_PARAMETERS } from '#src/entries/list-query.ts';
import { DETAILS_PATH } from '#src/paths.ts';

/** By path of a page that may be cached, the parameters that it reads; others make no page of their own. */
export const PAGE_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/': CHECK_PARAMETERS,
  '/scammers': LIST_PARAMETERS,
  '/servers': LIST_PARAMETERS,
  '/legit': LIST_PARAMETERS,
  '/donate': [],
  '/status': [],
  '/jak-powstaja-wpisy': [],
  '/odwolania': ['nr'],
  '/zglos': [],
  '/pomoc': [],
  '/prywatnosc': [],
  '/docs': [],
  [DETAILS_PATH]: [],
};
