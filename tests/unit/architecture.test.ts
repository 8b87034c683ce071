/** Rules of structure: which folder may import which, one way to make endpoints, one place for images, HTML and the environment. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DOMAIN_FOLDERS = ['entries', 'proofs', 'status', 'donations', 'avatars'];

/** The imports of each part of src and scripts: folders of src, or single files at its root. */
const ALLOWED_IMPORTS: Readonly<Record<string, string>> = {
  config: 'data-files environment',
  'data-files': '',
  environment: '',
  log: '',
  paths: '',
  'platform-id': '',
  'operator-error': '',
  'escape-markup': '',
  browser: '',
  'env.d': '',
  endpoints: 'http',
  'astro-entry': 'http',
  'process-end': 'log',
  db: 'data-files',
  queues: '',
  http: 'escape-markup log queues text',
  text: 'escape-markup queues',
  outbound: 'log',
  changes: 'data-files db text',
  removals: 'changes data-files db entries lists proofs search text operator-error',
  entries: 'changes data-files db paths platform-id proofs removals text operator-error',
  proofs: 'changes data-files db removals operator-error',
  status: 'config db outbound text',
  donations: 'config data-files db outbound text operator-error',
  avatars: 'config data-files outbound platform-id text',
  backups: 'changes data-files db donations entries proofs status text',
  lists: 'changes db entries queues search text',
  search: 'changes data-files db entries lists queues text',
  services: 'avatars changes config db endpoints entries http lists log outbound search status',
  metrics: 'http log process-end',
  server: 'config db endpoints environment http log metrics pages paths process-end services',
  pages:
    'avatars backups browser changes components db donations endpoints entries http layouts lists paths platform-id ' +
    'proofs queues search services status styles text',
  layouts: 'browser components paths styles',
  components: 'browser donations entries escape-markup paths platform-id proofs status text',
  worker:
    'backups changes config data-files db donations entries environment lists log metrics outbound process-end proofs queues ' +
    'removals search status text',
  supervisor: 'backups config entries environment log metrics operator/console operator-error',
  'operator/console':
    'changes config data-files db entries environment lists proofs removals search text operator-error',
  'operator/import': 'changes db entries operator/console platform-id proofs removals text operator-error',
  'operator/doctor':
    'backups changes config data-files db donations entries http lists operator/console outbound proofs removals search status ' +
    'text worker',
  // `seed` fills in the invented entries.
  operator:
    'avatars backups changes config db donations entries environment lists operator/console operator/doctor ' +
    'operator/import outbound platform-id proofs removals sample search status text operator-error',
  sample: 'changes db donations entries operator/console proofs status text operator-error',
  scripts:
    'config db donations entries environment http log operator/console paths process-end sample ' +
    'server supervisor operator-error',
};

/** `src/http/response.ts` belongs to `http`, `src/log.ts` to `log`; folders of the operator's code are parts of their own. */
function partOf(file: string): string {
  const [top = '', folder = '', inner = '', ...deeper] = file.split(sep);
  if (top === 'scripts') return folder === 'sample' ? 'sample' : 'scripts';
  if (folder === 'operator' && deeper.length > 0) return `${folder}/${inner}`;
  return folder.replace(/\.(?:ts|astro|mjs)$/, '');
}

function readImports(file: string) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const statements = text.matchAll(
    /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]((?:\.{1,2}\/|#src\/)[^'"]+)['"]/gm,
  );
  return [...statements].map(([, typeOnly, target = '']) => {
    const bare = target.replace(/\?.*$/, '');
    const path = bare.startsWith('#src/')
      ? bare.replace('#src/', 'src/')
      : relative(ROOT, join(ROOT, dirname(file), bare));
    return { file, path, from: partOf(file), to: partOf(path), typeOnly: typeOnly !== undefined };
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
const IMPORTS = FILES.flatMap(readImports);
const filesWith = (pattern: RegExp, files = FILES): string[] =>
  files.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8'))).toSorted();

it('has only parts with a list of allowed imports', () => {
  const parts = new Set(FILES.map(partOf));
  for (const part of parts)
    expect(Object.keys(ALLOWED_IMPORTS), `add ${part} to ALLOWED_IMPORTS`).toContain(part);
});

it('imports only what ALLOWED_IMPORTS allows', () => {
  const wrong = IMPORTS.filter(
    ({ from, to }) => from !== to && !ALLOWED_IMPORTS[from]?.split(' ').includes(to),
  );
  expect(
    wrong.map(({ file, from, to }) => `${file}: ${from} may not import ${to}`),
    'move the code, or the shared part of it, to where both may reach it',
  ).toEqual([]);
});

it('allows no import that does not exist', () => {
  const found = new Set(IMPORTS.map(({ from, to }) => `${from} → ${to}`));
  const allowed = Object.entries(ALLOWED_IMPORTS).flatMap(([from, parts]) =>
    parts.split(' ').flatMap((to) => (to === '' ? [] : `${from} → ${to}`)),
  );
  expect(allowed.filter((arrow) => !found.has(arrow))).toEqual([]);
});

it('lets components know nouns by their types only', () => {
  const values = IMPORTS.filter(
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
  const imports = new Map(FILES.map((file) => [file, readImports(file).map(({ path }) => path)]));
  expect(
    findCircles(imports).map((circle) => circle.join(' → ')),
    'move what both need, often a type, to the file that it describes or to one of its own',
  ).toEqual([]);
});

it('reads the environment only in src/environment.ts', () => {
  const files = [...FILES, 'astro.config.mjs', 'scripts/run.mjs', 'scripts/start.mjs'];
  expect(filesWith(/process\.env|import\.meta\.env/, files)).toEqual(['src/environment.ts']);
});

it('decodes images of others only in the commands of the operator', () => {
  // The demo paints pictures and reads none.
  const demo = 'scripts/demo/chat-platform.ts';
  expect(filesWith(/from 'sharp'/)).toEqual([demo, 'src/proofs/encode-image.ts']);
  expect(filesWith(/\/encode-image\.ts'/)).toEqual(['src/proofs/store-proofs.ts']);
  const verbs = 'entries/change-proofs entries/staging-session entries/write-entry'.split(' ');
  const updaters = filesWith(/\/(?:store-proofs|staging-session|write-entry|change-proofs)\.ts'/);
  const others = updaters.filter((file) => !/^(?:operator|sample|scripts)/.test(partOf(file)));
  expect(others).toEqual(verbs.map((file) => `src/${file}.ts`));
});

it('puts HTML into pages in two components', () => {
  expect(
    filesWith(/set:html|unescapeHTML/),
    'let text be text, or make it with markup of src/components/ui/markup.ts',
  ).toEqual(['src/components/list/Reason.astro', 'src/components/ui/Markup.astro']);
});
