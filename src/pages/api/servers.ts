import { listEndpoint } from '../_list-endpoint.ts';

export const GET = listEndpoint('servers');
