import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#src/http/endpoint.ts';
import { createRoutes } from '#src/http/routes.ts';
import { TEST_OPERATION } from '../../support/test-operation.ts';

function makeEndpoint(): { readonly definition: Endpoint } {
  return {
    definition: {
      operation: TEST_OPERATION,
      limit: undefined,
      hasForms: false,
      isStream: false,
      isCacheable: false,
      chooseType: () => '',
      read: () => ({ status: 200, headers: {}, body: '' }),
    },
  };
}

const lists = makeEndpoint();
const avatar = makeEndpoint();
const reserved = makeEndpoint();
const faces = { definition: { ...makeEndpoint().definition, takesRest: true } };
const matchRoute = createRoutes({
  '/api/scammers': lists,
  '/api/chat/avatar/{chatId}': avatar,
  '/api/chat/avatar/default': reserved,
  '/api/{kind}/of/{id}': lists,
  '/api/faces/{id}': faces,
});

describe('createRoutes', () => {
  it('finds a path that is written out', () => {
    expect(matchRoute('/api/scammers')).toEqual({
      endpoint: lists.definition,
      route: '/api/scammers',
      path: {},
    });
  });

  it('gives parameters by name', () => {
    expect(matchRoute('/api/chat/avatar/123')).toEqual({
      endpoint: avatar.definition,
      route: '/api/chat/avatar/{chatId}',
      path: { chatId: '123' },
    });
    expect(matchRoute('/api/a/of/b')?.path).toEqual({ kind: 'a', id: 'b' });
  });

  it('gives slashes too to an endpoint that takes the rest', () => {
    expect(matchRoute('/api/faces/../a')).toEqual({
      endpoint: faces.definition,
      route: '/api/faces/{id}',
      path: { id: '../a' },
    });
    expect(matchRoute('/api/faces/\n')?.path).toEqual({ id: '\n' });
    expect(matchRoute('/api/faces/')).toBeUndefined();
  });

  it('prefers a path that is written out over a pattern', () => {
    expect(matchRoute('/api/chat/avatar/default')?.endpoint).toBe(reserved.definition);
  });

  it('gives a parameter as it is, whatever characters it has', () => {
    for (const chatId of ['%2e', 'ż', '🦊', 'a b', '?x=1', '\\', '__proto__', 'a\nb']) {
      expect(matchRoute(`/api/chat/avatar/${chatId}`)?.path).toEqual({ chatId });
    }
  });

  it.each([
    '/',
    '',
    '/api',
    '/api/',
    '/api/scammers/',
    '/api/scammers/1',
    '/API/scammers',
    '/api/Scammers',
    '/x/api/scammers',
    'api/scammers',
    '/api/chat/avatar',
    '/api/chat/avatar/',
    '/api/chat/avatar/1/2',
    '/api//of/b',
    '/api/toString',
    '/api/__proto__',
    '__proto__',
    'constructor',
  ])('finds nothing at %j', (path) => {
    expect(matchRoute(path)).toBeUndefined();
  });
});
