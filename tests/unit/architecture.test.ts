/** Rules of structure: which folder may import which, one way to make endpoints, one place for images, HTML and the environment. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DOMAIN_NAMES = 'entries proofs status donations avatars';
const DOMAIN_FOLDERS = DOMAIN_NAMES.split(' ');

/** The allowed imports of each part of src and scripts: folders of src, or single files at its root. */
const ALLOWED_IMPORTS: Readonly<Record<string, string>> = {
  config: '',
  log: '',
  paths: '',
  'platform-id': '',
  'escape-markup': '',
  api: 'pages http',
  'process-end': 'log',
  'env.d': 'services http',
  // Columns have the types of their domain.
  db: 'db changes entries donations status',
  turns: 'turns',
  http: 'http log text turns escape-markup',
  text: 'text log db turns escape-markup',
  outbound: 'outbound log db',
  changes: 'changes log db',
  ...Object.fromEntries(
    DOMAIN_FOLDERS.map((folder) => [folder, `${folder} db text outbound changes platform-id`]),
  ),
  backups: 'backups db changes text proofs entries status donations',
  lists: 'lists search entries db text changes turns',
  search: 'search lists entries db text changes turns',
  services: `api config log db http changes outbound lists search backups turns ${DOMAIN_NAMES}`,
  metrics: 'metrics http process-end',
  site: 'api config log paths services http pages turns metrics',
  server: 'config log db http process-end site metrics',
  pages:
    `api services http lists search backups turns ${DOMAIN_NAMES} components layouts paths ` +
    'platform-id config db browser styles text',
  layouts: 'layouts components paths browser styles',
  components: `components paths platform-id escape-markup ${DOMAIN_NAMES} browser`,
  browser: 'browser',
  worker: `worker turns config log process-end db changes outbound lists search backups metrics ${DOMAIN_NAMES}`,
  'astro-entry': 'http',
  // The worker's erasure is also the operator's, and the development server serves the site.
  scripts:
    'platform-id scripts site process-end config log paths db text outbound changes http worker ' +
    `lists search backups metrics ${DOMAIN_NAMES}`,
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** `src/http/send.ts` belongs to `http`, `src/log.ts` to `log`, everything under scripts/ to `scripts`. */
function partOf(file: string): string {
  const [top = '', folder = ''] = file.split(sep);
  if (top === 'scripts') return 'scripts';
  return folder.replace(/\.(?:ts|astro|mjs)$/, '');
}

function readImports(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]((?:\.{1,2}\/|#src\/)[^'"]+)['"]/gm,
  );
  return [...statements].map(([, typeOnly, target = '']) => {
    const bare = target.replace(/\?.*$/, '');
    const path = bare.startsWith('#src/')
      ? bare.replace('#src/', 'src/')
      : relative(ROOT, join(ROOT, dirname(file), bare));
    return { file, target: path, from: partOf(file), to: partOf(path), typeOnly: typeOnly !== undefined };
  });
}

/** Each as the files on its way, the first once more at its end. */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      circles.push([...trail.slice(start), file]);
    } else if (!done.has(file)) {
      for (const next of imports.get(file) ?? []) walk(next, [...trail, file]);
      done.add(file);
    }
  };
  for (const file of imports.keys()) walk(file, []);
  return circles;
}

/** Patterns pass over folders whose names begin with a dot. */
const FILES = globSync(['src/**/*.{ts,astro}', 'src/pages/.well-known/*.ts', 'scripts/**/*.ts'], {
  cwd: ROOT,
});

describe('the structure', () => {
  it('has only parts with a list of allowed imports', () => {
    const parts = new Set(FILES.map(partOf));
    for (const part of parts)
      expect(Object.keys(ALLOWED_IMPORTS), `add ${part} to ALLOWED_IMPORTS`).toContain(part);
  });

  it('imports only what ALLOWED_IMPORTS allows', () => {
    const wrong = FILES.flatMap(readImports).filter(
      ({ from, to }) => from !== to && !ALLOWED_IMPORTS[from]?.split(' ').includes(to),
    );
    expect(
      wrong.map(({ file, from, to }) => `${file}: ${from} may not import ${to}`),
      'move the code, or the shared part of it, to where both may reach it',
    ).toEqual([]);
  });

  it('lets components know nouns by their types only', () => {
    const values = FILES.flatMap(readImports).filter(
      ({ from, to, typeOnly }) => from === 'components' && DOMAIN_FOLDERS.includes(to) && !typeOnly,
    );
    expect(values.map(({ file, to }) => `${file} imports a value of ${to}`)).toEqual([]);
  });

  it('has no circle of imports, of types neither', () => {
    const sample = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCircles(sample), 'the search itself').toEqual([['b', 'c', 'b']]);
    const imports = new Map(FILES.map((file) => [file, readImports(file).map(({ target }) => target)]));
    expect(
      findCircles(imports).map((circle) => circle.join(' → ')),
      'move what both need, often a type, to the file that it describes or to one of its own',
    ).toEqual([]);
  });

  it('reads the environment only in src/config.ts', () => {
    const readers = [...FILES, 'astro.config.mjs', 'scripts/first.mjs'].filter((file) =>
      /process\.env|import\.meta\.env/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(readers).toEqual(['src/config.ts']);
  });

  it('decodes images of others only in the commands of the operator', () => {
    const importers = (pattern: RegExp): string[] =>
      FILES.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')));
    // The demo paints pictures and reads none.
    expect(importers(/from 'sharp'/).filter((file) => file !== 'scripts/demo/chat-platform.ts')).toEqual([
      'src/proofs/encode-image.ts',
    ]);
    expect(importers(/\/encode-image\.ts'/)).toEqual(['src/proofs/keep-proof-files.ts']);
    const updaters = importers(/\/keep-proof-files\.ts'/);
    expect(updaters.filter((file) => partOf(file) !== 'scripts')).toEqual([]);
  });

  it('puts HTML into pages in two components', () => {
    const files = FILES.filter((file) =>
      /set:html|unescapeHTML/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(
      files.toSorted(),
      'let text be text, or make it with markup of src/components/ui/markup.ts',
    ).toEqual(['src/components/list/Reason.astro', 'src/components/ui/Markup.astro']);
  });
});
