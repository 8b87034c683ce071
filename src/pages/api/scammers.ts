import { listEndpoint } from '../_list-endpoint.ts';

export const ALL = listEndpoint(
  'listScammers',
  'scammers',
  'Zgłoszone osoby: potwierdzone i z listy ryzyka.',
);
