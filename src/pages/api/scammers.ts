import { listEndpoint } from '../_list-endpoint.ts';

export const GET = listEndpoint(
  'listScammers',
  'scammers',
  'Zgłoszone osoby: potwierdzone i z listy ryzyka.',
);
