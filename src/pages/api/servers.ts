import { listEndpoint } from '../_list-endpoint.ts';

export const GET = listEndpoint(
  'listServers',
  'servers',
  'Zgłoszone serwery: potwierdzone i z listy ryzyka.',
);
