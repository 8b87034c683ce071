import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../../scripts/operator/examples.ts';
import { makeOperator } from '../../support/run-czujka.ts';
import type { Operator } from '../../support/run-czujka.ts';

describe('the command line', () => {
  /** Each has an example; and what holds several, none. */
  const verbs = [[], ...['entry', 'proofs', 'donation', 'incident'].map((verb) => [verb])].concat(
    Object.keys(EXAMPLES).map((verb) => verb.split(' ')),
  );

  /** By verb; asked for once, for these are some forty processes. */
  const helps = new Map<string, ReturnType<Operator['run']>>();
  const operator = makeOperator();
  const help = (verb: readonly string[]): ReturnType<Operator['run']> => {
    const asked = helps.get(verb.join(' ')) ?? operator.run([...verb, '--help']);
    helps.set(verb.join(' '), asked);
    return asked;
  };

  it('explains every verb, and makes no database for it', async () => {
    const answers = await Promise.all(verbs.map(help));
    for (const [index, { code, stdout, stderr }] of answers.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const verb = ['czujka', ...(verbs[index] ?? [])].join(' ');
      expect(stdout.startsWith(`Usage: ${verb} `)).toBe(true);
      if (!stdout.includes('Commands:')) expect(stdout).toContain(`\nExample:\n  ${verb}`);
    }
    expect(readdirSync(operator.folder)).toEqual([]);
  });

  it('has an example of each of its verbs', async () => {
    const below = async (...verb: string[]): Promise<string[][]> => {
      const { stdout } = await help(verb);
      const start = stdout.indexOf('Commands:');
      const names =
        start < 0 ? [] : [...stdout.slice(start).matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name);
      const own = names.filter((name) => name !== 'help').map((name) => below(...verb, name));
      return [verb, ...(await Promise.all(own)).flat()];
    };
    expect(
      (await below()).map(String).toSorted(),
      'verbs with an example in scripts/operator/examples.ts',
    ).toEqual(verbs.map(String).toSorted());
  });

  it.each([
    [[], 'Usage: czujka'],
    [['entry'], 'Usage: czujka entry'],
    [['improt'], "unknown command 'improt'"],
    [['import', 'x', '--list', 'legit', '--kep-going'], "unknown option '--kep-going'"],
    [['import', '--list', 'legit'], "missing required argument 'file'"],
    [['import', 'x'], "required option '--list <list>' not specified"],
    [['import', 'x', '--list', 'friends'], 'Allowed choices are scammers, servers, legit.'],
    [['import', 'x', 'y', '--list', 'legit'], 'too many arguments'],
    [['backup'], "missing required argument 'folder'"],
  ])('ends with 1 for %j', async (args, problem) => {
    const operator = makeOperator();
    const { code, stdout, stderr } = await operator.run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(problem);
    expect(readdirSync(operator.folder)).toEqual([]);
  });

  it('ends with 2 and every wrong setting at once', async () => {
    const settings = {
      HOST: 'a b',
      PORT: '65536',
      BASE_URL: 'czujka.example',
      TRUST_PROXY: 'all',
      LOG_LEVEL: 'loud',
    };
    const { code, stdout, stderr } = await makeOperator().run(['migrate'], { settings });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const [name, value] of Object.entries(settings)) {
      expect(stderr).toMatch(new RegExp(`^ {2}${name}=${value}: must be .*, for example ${name}=`, 'm'));
    }
  });

  it('reads settings from .env in its folder, and the environment before it', async () => {
    const operator = makeOperator();
    operator.file('.env', 'LOG_LEVEL=loud\nPORT=1234\n');
    const { code, stderr } = await operator.run(['migrate']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('LOG_LEVEL=loud') as string,
    });
    expect((await operator.run(['migrate'], { settings: { LOG_LEVEL: 'info' } })).code).toBe(0);
  });

  it('ends with 2 when the database cannot be opened', async () => {
    const operator = makeOperator();
    operator.file('in-the-way', 'x');
    const settings = { DATABASE_PATH: join(operator.folder, 'in-the-way/czujka.db') };
    const { code, stderr } = await operator.run(['migrate'], { settings });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^could not run: .*in-the-way.*\n$/);
  });
});
