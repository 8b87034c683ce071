import { listEndpoint } from '../_list-endpoint.ts';

export const GET = listEndpoint('listTrusted', 'legit', 'Zaufane osoby, zawsze potwierdzone.');
