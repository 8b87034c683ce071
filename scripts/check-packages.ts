/**
 * Part of `npm run check`: holds what is installed against packages.json. Each dependency has a reason and an exact
 * version; of all packages, as `npm sbom` lists them, none has a licence that was not looked at, or a version with one
 * of the advisories. Ends with 1 and every problem when something does not hold.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..');
const LIST_OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

const byName = z.record(z.string(), z.string());
const manifestSchema = z.object({
  dependencies: byName,
  devDependencies: byName,
  optionalDependencies: byName,
});
const expectedSchema = z.object({
  reasons: byName,
  licences: z.array(z.string()),
  advisories: z.array(z.object({ package: z.string(), fixedIn: z.string(), ids: z.array(z.string()) })),
});
const listSchema = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      licenses: z
        .array(z.object({ license: byName.optional(), expression: z.string().optional() }))
        .default([]),
    }),
  ),
});

const { dependencies, devDependencies, optionalDependencies } = manifestSchema.parse(
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);
const expected = expectedSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8')),
);
const wanted = new Map(Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }));
const problems: string[] = [];

for (const [name, version] of wanted) {
  if (!Object.hasOwn(expected.reasons, name))
    problems.push(`${name}: packages.json does not say why it is here`);
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`${name}: ${version} is no exact version`);
}
for (const name of Object.keys(expected.reasons))
  if (!wanted.has(name))
    problems.push(`${name}: packages.json has a reason for it, package.json does not have it`);

for (const { name, version, licenses } of listInstalled()) {
  const licences = licenses.map(
    ({ license, expression }) => expression ?? license?.id ?? license?.name ?? '',
  );
  if (licences.length === 0 || licences.some((licence) => !expected.licences.includes(licence)))
    problems.push(`${name} ${version}: its licence (${licences.join(', ') || 'none'}) was not looked at`);
  for (const { package: affected, fixedIn, ids } of expected.advisories)
    if (name === affected && isOlder(version, fixedIn))
      problems.push(`${name} ${version}: has ${ids.join(', ')}, fixed in ${fixedIn}`);
}

process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
if (problems.length > 0) process.exitCode = 1;

function listInstalled(): z.infer<typeof listSchema>['components'] {
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: LIST_OUTPUT_MAX_BYTES,
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return listSchema.parse(JSON.parse(stdout)).components;
}

/** Digits compare as numbers; the versions of the advisories have nothing else. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0;
}
