import { listEndpoint } from '../_list-endpoint.ts';

export const ALL = listEndpoint('listTrusted', 'legit', 'Zaufane osoby, zawsze potwierdzone.');
