/**
 * The image of scripts/deploy/Containerfile, made without a daemon, and containers of it as compose.yaml describes them: its
 * environment, volumes, limits and health check. Only root can make them; the network is the machine's.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { childEnvironment } from '#src/environment.ts';
import { makeFolder } from './temporary-database.ts';

const DEPLOY = join(import.meta.dirname, '../../scripts/deploy');
const USER_ID = 10_001;
const OUTPUT_MAX = 64 * 1024 * 1024;
const BASE = 'localhost/czujka-test-base';
/** The tests have a store of their own, so that no image stays on the machine. */
const STORAGE = [`--root=${makeFolder()}`, `--runroot=${makeFolder()}`];
const serviceSchema = z.object({
  build: z.object({ context: z.string(), dockerfile: z.string() }),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  tmpfs: z.array(z.string()),
  read_only: z.boolean(),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()) }),
});
const composeSchema = z.object({
  services: z.object({ czujka: serviceSchema }),
  networks: z.object({
    inside: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
  }),
});
const imageSchema = z.object({
  OCIv1: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Cmd: z.array(z.string()),
      WorkingDir: z.string(),
      Volumes: z.record(z.string(), z.unknown()),
    }),
  }),
});

export function readCompose(): z.infer<typeof composeSchema> {
  return composeSchema.parse(parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8')));
}

/** @param context the folder of the repository */
export function buildImage(name: string, context: string): void {
  if (spawnSync('buildah', [...STORAGE, 'inspect', '--type=image', BASE]).status !== 0) makeBase();
  const { dockerfile } = readCompose().services.czujka.build;
  const options = ['--layers', '--isolation=chroot', `--build-arg=BASE=${BASE}`];
  buildah('bud', ...options, '-t', name, '-f', join(context, dockerfile), context);
}

/** A Debian 13 from its packages, which trusts whom this machine trusts. */
function makeBase(): void {
  const file = join(makeFolder(), 'base.tar');
  const options = ['--quiet', '--variant=minbase', 'trixie'];
  execFileSync('mmdebstrap', [...options, file, 'http://deb.debian.org/debian']);
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, file, '/');
  const authorities = childEnvironment()['NODE_EXTRA_CA_CERTS'];
  if (authorities !== undefined) {
    buildah('add', '--quiet', container, authorities, '/etc/authorities.pem');
    buildah('config', '--env=NODE_EXTRA_CA_CERTS=/etc/authorities.pem', container);
  }
  buildah('commit', '--quiet', '--rm', container, BASE);
}

export type Container = ReturnType<typeof createContainer>;

/** @param volumes a folder in which each volume is one @param settings over those of compose.yaml */
export function createContainer(image: string, volumes: string, settings: Readonly<Record<string, string>>) {
  const service = readCompose().services.czujka;
  const rootContainer = buildah('from', '--pull-never', image);
  const { config } = imageSchema.parse(JSON.parse(buildah('inspect', '--type=image', image))).OCIv1;
  const rootfs = buildah('mount', rootContainer);
  const [bundle, state] = [makeFolder(), makeFolder()];
  const mounts = service.volumes.map((volume) => {
    const [name = '', destination = ''] = volume.split(':');
    const source = join(volumes, name);
    mkdirSync(source, { recursive: true, mode: 0o700 });
    chownSync(source, USER_ID, USER_ID);
    return { destination, type: 'bind', source, options: ['bind', 'rw'] };
  });
  const scratch = service.tmpfs.map((destination) => ({ destination, type: 'tmpfs', source: 'tmpfs' }));
  const environment = { ...service.environment, ...settings };
  const [uid, gid] = config.User.split(':').map(Number);
  execFileSync('runc', ['spec', '--bundle', bundle]);
  const spec = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as Spec;
  spec.root = { path: rootfs, readonly: service.read_only };
  spec.process = {
    user: { uid, gid },
    args: config.Cmd,
    cwd: config.WorkingDir,
    env: [...config.Env, ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
    capabilities: {},
    noNewPrivileges: true,
  };
  spec.mounts = [...spec.mounts.filter(({ type }) => type !== 'cgroup'), ...scratch, ...mounts];
  spec.linux.namespaces = spec.linux.namespaces.filter(({ type }) => !/network|cgroup/.test(type));
  delete spec.linux.resources;
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec));
  const id = `czujka-${process.pid}-${rootContainer}`;
  const runc = (args: readonly string[], input = '') => {
    const options = { encoding: 'utf8', maxBuffer: OUTPUT_MAX, input } as const;
    const { status, stdout, stderr } = spawnSync('runc', ['--root', state, ...args], options);
    return { code: status, stdout, stderr };
  };
  return {
    config,
    rootfs,
    /** @returns how the first process ends */
    start() {
      const command = ['runc', '--root', state, 'run', '--bundle', bundle, id];
      const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
      const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], { stdio });
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (log += text));
      const ended = once(child, 'exit').then(([code]) => code as number | null);
      return { log: () => log, ended };
    },
    exec(command: readonly string[], input = '', env: Readonly<Record<string, string>> = {}) {
      const given = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      return runc(['exec', ...given, id, ...command], input);
    },
    /** Another container of the image, whose first process is this command. */
    run(command: readonly string[], input = '') {
      const other = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as Spec;
      const folder = makeFolder();
      const first = { ...other.process, args: command };
      writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...other, process: first }));
      return runc(['run', '--bundle', folder, `${id}-verb`], input);
    },
    kill: (signal: 'TERM' | 'KILL') => runc(['kill', id, signal]),
    remove(): void {
      runc(['delete', '--force', id]);
      buildah('umount', rootContainer);
      buildah('rm', rootContainer);
    },
  };
}

interface Spec {
  root: object;
  process: object;
  mounts: { destination: string; type: string; source: string; options?: readonly string[] }[];
  linux: { namespaces: { type: string }[]; resources?: object };
}

function buildah(...args: readonly string[]): string {
  const options = { encoding: 'utf8', maxBuffer: OUTPUT_MAX } as const;
  const { status, stdout, stderr } = spawnSync('buildah', [...STORAGE, ...args], options);
  if (status !== 0)
    throw new Error(`buildah ${args.join(' ')}: ${stderr.slice(-2_000)}${stdout.slice(-2_000)}`);
  return stdout.trim();
}
