/** Which endpoint serves a path. What stands in braces is a parameter: a segment, or a part of one. */
import type { Endpoint } from './endpoint.ts';

export interface RouteMatch {
  readonly endpoint: Endpoint;
  /** As it was declared, for example `/badge/{id}.svg`. */
  readonly route: string;
  readonly path: Readonly<Record<string, string>>;
}

export type MatchRoute = (path: string) => RouteMatch | undefined;

/** @param endpoints by path, for example `/api/chat/avatar/{chatId}` or `/badge/{id}.svg` */
export function createRoutes(
  endpoints: Readonly<Record<string, { readonly definition: Endpoint }>>,
): MatchRoute {
  // Compared one by one: looking a new string up in a map takes longer than comparing it with a dozen others.
  const exact: [path: string, match: RouteMatch][] = [];
  const patterns: { expression: RegExp; endpoint: Endpoint; route: string }[] = [];
  for (const [path, { definition }] of Object.entries(endpoints)) {
    if (path.includes('{')) {
      const expression = toExpression(path, definition.takesRest === true);
      patterns.push({ expression, endpoint: definition, route: path });
    } else {
      exact.push([path, { endpoint: definition, route: path, path: {} }]);
    }
  }
  return (path) => {
    for (const [known, match] of exact) if (known === path) return match;
    for (const { expression, endpoint, route } of patterns) {
      const groups = expression.exec(path)?.groups;
      if (groups) return { endpoint, route, path: { ...groups } };
    }
    return undefined;
  };
}

function toExpression(path: string, takesRest: boolean): RegExp {
  const parameter = takesRest ? '(?<$1>.+)' : '(?<$1>[^/]+)';
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, parameter)}$`, 's');
}
