/** Which endpoint serves a path. What stands in braces is a parameter: a segment, or a part of one. */
import type { Endpoint } from './endpoint.ts';

export interface RouteMatch {
  readonly endpoint: Endpoint;
  readonly path: Readonly<Record<string, string>>;
}

export type MatchRoute = (path: string) => RouteMatch | undefined;

/** @param endpoints by path, for example `/api/chat/avatar/{chatId}` or `/badge/{id}.svg` */
export function createRoutes(
  endpoints: Readonly<Record<string, { readonly definition: Endpoint }>>,
): MatchRoute {
  // Compared one by one: looking a new string up in a map takes longer than comparing it with a dozen others.
  const exact: [path: string, match: RouteMatch][] = [];
  const patterns: { expression: RegExp; endpoint: Endpoint }[] = [];
  for (const [path, { definition }] of Object.entries(endpoints)) {
    if (path.includes('{')) {
      patterns.push({ expression: toExpression(path, definition.takesRest === true), endpoint: definition });
    } else {
      exact.push([path, { endpoint: definition, path: {} }]);
    }
  }
  return (path) => {
    for (const [known, match] of exact) if (known === path) return match;
    for (const { expression, endpoint } of patterns) {
      const groups = expression.exec(path)?.groups;
      if (groups) return { endpoint, path: { ...groups } };
    }
    return undefined;
  };
}

function toExpression(path: string, takesRest: boolean): RegExp {
  const parameter = takesRest ? '(?<$1>.+)' : '(?<$1>[^/]+)';
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, parameter)}$`, 's');
}
