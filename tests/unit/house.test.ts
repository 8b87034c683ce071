/** The house keeps its own rules: import arrows, one way to make endpoints, texts that are true of it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig, SETTING_NAMES } from '#src/config.ts';
import { ENDPOINTS, PICTURES } from '#src/site.ts';
import { EXAMPLES } from '../../scripts/operator/examples.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOUNS = ['entries', 'proofs', 'status', 'donations', 'avatars', 'previews'];
const ROOT_FILES = ['api', 'config', 'log', 'paths', 'process-end', 'services', 'site', 'server', 'env.d'];

/** Of a file. What is longer has a second reason to exist, or is data. */
const LINES_MAX = 350;
const LINES_MEDIAN_MAX = 60;

/** Folders of src whose files are no modules that one would read first. */
const WITHOUT_CODE = ['layouts', 'styles', 'public'];

/** What each part of src and scripts may import: folders of src, or single files at its root. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  config: [],
  log: [],
  paths: [],
  api: ['pages'],
  'process-end': ['log'],
  'env.d': ['services', 'http'],
  db: ['db'],
  turns: ['turns'],
  http: ['http', 'log', 'text', 'turns'],
  text: ['text', 'log', 'db'],
  outbound: ['outbound', 'log', 'db'],
  changes: ['changes', 'log', 'db'],
  ...Object.fromEntries(NOUNS.map((noun) => [noun, [noun, 'db', 'text', 'outbound', 'changes']])),
  previews: ['previews', 'turns', 'text'],
  backups: ['backups', 'db', 'changes', 'proofs'],
  serving: ['serving', 'entries', 'db', 'text', 'changes', 'turns'],
  services: ['config', 'log', 'db', 'http', 'changes', 'outbound', 'serving', 'backups', 'turns', ...NOUNS],
  metrics: ['metrics', 'http'],
  site: ['api', 'config', 'log', 'paths', 'services', 'http', 'pages', 'turns', 'metrics'],
  server: ['config', 'log', 'db', 'http', 'process-end', 'site', 'metrics'],
  pages: [
    'api',
    'services',
    'http',
    'serving',
    'backups',
    'turns',
    ...NOUNS,
    'components',
    'layouts',
    'paths',
    'config',
    'db',
    'browser',
    'styles',
    'text',
  ],
  layouts: ['layouts', 'components', 'paths', 'browser', 'styles'],
  components: ['components', 'paths', ...NOUNS, 'browser'],
  browser: ['browser'],
  worker: [
    'worker',
    'config',
    'log',
    'process-end',
    'db',
    'changes',
    'outbound',
    'serving',
    'backups',
    'metrics',
    ...NOUNS,
  ],
  // The worker's erasure is also the operator's, and the development server serves the site.
  scripts: [
    'scripts',
    'site',
    'process-end',
    'config',
    'log',
    'paths',
    'db',
    'text',
    'outbound',
    'changes',
    'http',
    'worker',
    'serving',
    'backups',
    'metrics',
    ...NOUNS,
  ],
};

interface Import {
  readonly file: string;
  readonly target: string;
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

/** `src/http/etag.ts` belongs to `http`, `src/log.ts` to `log`, everything under scripts/ to `scripts`. */
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

describe('the house', () => {
  it('has no file that is too long, and half of them short', () => {
    const lengths = FILES.map((file) => ({ file, lines: countLines(file) })).sort(
      (a, b) => a.lines - b.lines,
    );
    const over = lengths.filter(({ lines }) => lines > LINES_MAX);
    expect(
      over.map(({ file, lines }) => `${file}: ${lines} lines`),
      `part these where a second reason to exist begins; none may have over ${LINES_MAX} lines`,
    ).toEqual([]);
    expect(lengths[Math.floor(lengths.length / 2)]?.lines, 'the median').toBeLessThanOrEqual(
      LINES_MEDIAN_MAX,
    );
  });

  it('has only parts whose arrows are known', () => {
    const parts = new Set(FILES.map(partOf));
    for (const part of parts) expect(Object.keys(ARROWS), `add ${part} to ARROWS`).toContain(part);
  });

  it('follows the import arrows', () => {
    const wrong = FILES.flatMap(readImports).filter(
      ({ from, to }) => from !== to && !ARROWS[from]?.includes(to),
    );
    expect(
      wrong.map(({ file, from, to }) => `${file}: ${from} may not import ${to}`),
      'move the code, or the shared part of it, to where both may reach it',
    ).toEqual([]);
  });

  it('lets components know nouns by their types only', () => {
    const values = FILES.flatMap(readImports).filter(
      ({ from, to, typeOnly }) => from === 'components' && NOUNS.includes(to) && !typeOnly,
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

  it('has single files at the root of src only where they are named', () => {
    const roots = globSync('src/*.ts', { cwd: ROOT }).map((file) => file.slice('src/'.length, -'.ts'.length));
    expect(roots.toSorted()).toEqual(ROOT_FILES.toSorted());
  });

  it('makes every endpoint in pages by endpoint() and serves it', () => {
    const files = globSync(
      [
        'src/pages/{api,badge,feeds,preview,snapshots,status}/**/*.ts',
        'src/pages/{healthz,readyz,openapi.json}.ts',
      ],
      {
        cwd: ROOT,
      },
    );
    const served = Object.keys({ ...ENDPOINTS, ...PICTURES });
    for (const file of files) {
      const path = file.slice('src/pages'.length, -'.ts'.length).replaceAll('[', '{').replaceAll(']', '}');
      expect(served, `add ${file} to API in src/api.ts`).toContain(path);
      const exports = readFileSync(join(ROOT, file), 'utf8').match(/^export .*$/gm);
      expect(exports, `${file} exports something not made by endpoint()`).toEqual([
        'export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({',
      ]);
    }
    expect(files).toHaveLength(served.length);
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
    // The preview's decodes shapes of ours and nothing else, see unit/previews.
    expect(importers(/from 'sharp'/).toSorted()).toEqual([
      'src/previews/draw-preview.ts',
      'src/proofs/encode-image.ts',
    ]);
    expect(importers(/\/encode-image\.ts'/)).toEqual(['src/proofs/keep-proof-files.ts']);
    const keepers = importers(/\/keep-proof-files\.ts'/);
    expect(keepers.filter((file) => partOf(file) !== 'scripts')).toEqual([]);
  });

  it('puts HTML into pages in two components', () => {
    const files = FILES.filter((file) =>
      /set:html|unescapeHTML/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(files.toSorted(), 'let text be text, or make it with markup of src/components/markup.ts').toEqual([
      'src/components/Markup.astro',
      'src/components/Reason.astro',
    ]);
  });

  it('shows every setting in .env.example, with values that are accepted', () => {
    const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const settings = Object.fromEntries(
      [...example.matchAll(/^#? ?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    expect(Object.keys(settings).toSorted()).toEqual(SETTING_NAMES.toSorted());
    expect(() => parseConfig(settings)).not.toThrow();
  });

  describe('what is written about it', () => {
    const texts = ['README.md', 'src/DECISIONS.md', 'scripts/deploy/README.md'].map((path) => ({
      path,
      text: readFileSync(join(ROOT, path), 'utf8'),
    }));
    const readme = texts[0]?.text ?? '';

    it('fits into 200 lines of README', () => {
      const lines = readme.trimEnd().split('\n').length;
      expect(lines, 'move something to scripts/deploy/README.md or src/DECISIONS.md').toBeLessThanOrEqual(
        200,
      );
    });

    it('leads from each folder of src to the file that one reads first, whose head says what else is there', () => {
      const first = new Map(
        [...readme.matchAll(/\[src\/(\w+)\/\]\(([^)]+)\)/g)].map(([, room, file]) => [room, file]),
      );
      const rooms = globSync('src/*/', { cwd: ROOT }).map((path) => path.split(sep)[1] ?? '');
      for (const room of rooms) {
        if (WITHOUT_CODE.includes(room)) continue;
        const file = first.get(room) ?? expect.fail(`src/${room}/ leads nowhere in the map of folders`);
        const head = /^\/\*\*.*?\*\//s.exec(readFileSync(join(ROOT, file), 'utf8'))?.[0] ?? '';
        expect(head.split('\n').length - 2, `${file} has no head of three lines`).toBeGreaterThanOrEqual(3);
        for (const [name] of head.matchAll(/[\w-]+\.(?:ts|js|astro)\b/g))
          expect(globSync(`src/{${room},.}/**/${name}`, { cwd: ROOT }), `${file} names ${name}`).not.toEqual(
            [],
          );
      }
      for (const room of WITHOUT_CODE) expect(readme).toContain(`src/${room}/`);
    });

    it('names every verb of the operator', () => {
      const table = readme.slice(
        readme.indexOf('| verb |'),
        readme.indexOf('\n## ', readme.indexOf('| verb |')),
      );
      for (const verb of Object.keys(EXAMPLES))
        for (const word of verb.split(' '))
          expect(table, `the table of verbs has no ${verb}`).toMatch(new RegExp(`\\b${word}\\b`));
    });

    it('names only npm scripts that exist', () => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
      for (const { text } of texts)
        for (const [, name] of text.matchAll(/`npm (?:run )?(\w+)/g)) {
          if (name === 'ci') continue;
          expect(Object.keys(scripts), `npm run ${name}`).toContain(name);
        }
    });

    it('names only files and tests that are there', () => {
      const missing = texts.flatMap(({ path, text }) =>
        [
          ...text.matchAll(
            /`((?:src|scripts|tests|db|unit|contract|property|e2e|litecoin|system|browser|live)\/[\w./-]+)`/g,
          ),
        ]
          .map(([, name = '']) => name)
          .filter((name) => !isThere(name))
          .map((name) => `${path}: ${name}`),
      );
      expect(missing).toEqual([]);
    });

    it('leads to headings that are there', () => {
      const dead = texts.flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)]
          .filter(
            ([, file = '', heading]) =>
              !leadsSomewhere(join(ROOT, file ? join(dirname(path), file) : path), heading),
          )
          .map(([link]) => `${path}: ${link}`),
      );
      expect(dead).toEqual([]);
    });
  });
});

function countLines(file: string): number {
  return readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length;
}

/** A path from the root; a test or its folder without an ending. */
function isThere(name: string): boolean {
  const path = join(ROOT, name);
  return (
    existsSync(path) ||
    existsSync(join(ROOT, 'tests', name)) ||
    existsSync(join(ROOT, 'tests', `${name}.test.ts`))
  );
}

/** @param heading as it stands in an address */
function leadsSomewhere(path: string, heading: string | undefined): boolean {
  if (!existsSync(path) || heading === undefined) return existsSync(path);
  const headings = [...readFileSync(path, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  return headings.includes(heading);
}
