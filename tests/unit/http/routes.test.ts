import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#src/http/endpoint.ts';
import { createRoutes } from '#src/http/request-target.ts';
import { TEST_OPERATION } from '../../support/test-operation.ts';

function makeEndpoint(): { readonly definition: Endpoint } {
  return {
    definition: {
      operation: TEST_OPERATION,
      limit: 'lists',
      isStream: false,
      isCacheable: false,
      isCatchAll: false,
      parse: () => expect.unreachable(),
    },
  };
}

const ROUTES: Readonly<Record<string, { readonly definition: Endpoint }>> = {
  '/api/scammers': makeEndpoint(),
  '/api/chat/avatar/default': makeEndpoint(),
  '/api/chat/avatar/{chatId}': makeEndpoint(),
  '/api/{kind}/of/{id}': makeEndpoint(),
  '/api/faces/{id}': { definition: { ...makeEndpoint().definition, isCatchAll: true } },
};
const matchRoute = createRoutes(ROUTES);

describe('createRoutes', () => {
  it.each([
    ['a path that is written out', '/api/scammers', '/api/scammers', {}],
    ['a parameter by its name', '/api/chat/avatar/123', '/api/chat/avatar/{chatId}', { chatId: '123' }],
    ['several parameters', '/api/a/of/b', '/api/{kind}/of/{id}', { kind: 'a', id: 'b' }],
    ['the first of two routes', '/api/chat/avatar/default', '/api/chat/avatar/default', {}],
    ['slashes too for an endpoint that takes the rest', '/api/faces/../a', '/api/faces/{id}', { id: '../a' }],
    ['a line break for it', '/api/faces/\n', '/api/faces/{id}', { id: '\n' }],
  ])('finds %s', (_what, asked, route, path) => {
    expect(matchRoute(asked)).toEqual({ endpoint: ROUTES[route]?.definition, route, path });
  });

  it('gives a parameter as it is, whatever characters it has', () => {
    for (const chatId of ['%2e', 'ż', '🦊', 'a b', '?x=1', '\\', '__proto__', 'a\nb']) {
      expect(matchRoute(`/api/chat/avatar/${chatId}`)?.path).toEqual({ chatId });
    }
  });

  it('finds nothing at other paths', () => {
    const near = '/ /api /api/ /api/scammers/ /api/scammers/1 /API/scammers /api/Scammers /x/api/scammers';
    const deep =
      '/api/chat/avatar /api/chat/avatar/ /api/chat/avatar/1/2 /api//of/b /api/faces/ api/scammers';
    const names = '/api/toString /api/__proto__ __proto__ constructor';
    for (const path of ['', ...`${near} ${deep} ${names}`.split(' ')])
      expect(matchRoute(path), path).toBeUndefined();
  });
});
