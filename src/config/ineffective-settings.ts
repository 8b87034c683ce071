/** Ignored settings never stop the service, because a new version must start with the settings of the last one. */
import { diff } from 'node:util';

/** install.sh reads these from the same file. */
const OF_INSTALLER = new Set(['PROXY', 'TLS_CERTIFICATE', 'TLS_KEY']);
/** For Node and the system libraries. */
const OF_RUNTIME = /^(?:NODE_|UV_|LC_|TZ$|LANG$)/;
/** The environment has variables of many programs; these prefixes are ours. */
const OWN_PREFIX = /^(?:LITECOIN|BOT|CHAT_PLATFORM|PROTECTION_SERVICE|AVATARS|APPEALS|BACKUP|METRICS)_/;
/** Up to two wrong characters count as a typing error; in `.env`, up to this share of the name too. */
const TYPO_MAX = 2;
const TYPO_SHARE_MAX = 0.3;
/** In the environment, shorter names are those of other programs. */
const ENVIRONMENT_LENGTH_MIN = 7;

/**
 * @param environment by name, with those of `.env`; an empty value counts as absent
 * @param inFile names in `.env`
 * @param known names of all settings
 * @returns a sentence for each ignored setting, without its value
 */
export function listIneffective(
  environment: Readonly<Record<string, string | undefined>>,
  inFile: ReadonlySet<string>,
  known: ReadonlySet<string>,
): string[] {
  const given = Object.entries(environment).filter(([, value]) => (value?.trim() ?? '') !== '');
  const isGiven = (name: string): boolean => given.some(([one]) => one === name);
  const isOurs = (name: string): boolean =>
    OWN_PREFIX.test(name) ||
    (inFile.has(name)
      ? !OF_INSTALLER.has(name) && !OF_RUNTIME.test(name)
      : name.length >= ENVIRONMENT_LENGTH_MIN && findNearest(name, known, TYPO_MAX) !== undefined);
  const warnings = given.flatMap(([name]) => {
    if (known.has(name) || !isOurs(name)) return [];
    const nearest = findNearest(name, known, Math.max(TYPO_MAX, name.length * TYPO_SHARE_MAX));
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return [`${name} is ignored: there is no such setting${meant}`];
  });
  if (isGiven('LITECOIN_RPC_URL') && isGiven('LITECOIN_ESPLORA_URL'))
    warnings.push(
      'LITECOIN_ESPLORA_URL is ignored: LITECOIN_RPC_URL is set, and donations are watched by one source',
    );
  return warnings;
}

function findNearest(name: string, known: ReadonlySet<string>, editsMax: number): string | undefined {
  const near = [...known].filter((other) => Math.abs(other.length - name.length) <= editsMax);
  const [nearest] = near.toSorted((one, other) => countEdits(name, one) - countEdits(name, other));
  return nearest !== undefined && countEdits(name, nearest) <= editsMax ? nearest : undefined;
}

/** A swap or a wrong character, one insertion and one deletion in the difference, counts once. */
function countEdits(name: string, other: string): number {
  const changes = diff(name, other);
  return Math.max(...[1, -1].map((kind) => changes.filter(([change]) => change === kind).length));
}
