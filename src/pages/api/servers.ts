import { listEndpoint } from '../_list-endpoint.ts';

export const ALL = listEndpoint(
  'listServers',
  'servers',
  'Zgłoszone serwery: potwierdzone i z listy ryzyka.',
);
