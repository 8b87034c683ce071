/** An example of each verb, at the end of its `--help`. */
import type { Command } from 'commander';

const EXAMPLES: Readonly<Record<string, string>> = {
  doctor: 'doctor --public',
  settings: 'settings --json',
  import: 'import scammers.ndjson --list scammers --keep-going',
  export: 'export --list legit --out legit.ndjson',
  'entry add':
    'entry add 280864204968068869 --list scammers --name kupskin --reason "Sold one skin **twice**." --risk --proof chat.png --caption "The deal"',
  'entry edit': 'entry edit 280864204968068869 --list scammers --reason-file reason.md',
  'entry verify': 'entry verify 280864204968068869 --list scammers',
  'entry unverify': 'entry unverify 280864204968068869 --list scammers',
  'entry remove': 'entry remove 280864204968068869 --list scammers --reason appeal',
  'entry note': 'entry note 280864204968068869 "The same person wrote from another account."',
  'entry show': 'entry show 280864204968068869',
  'entry list': 'entry list --list scammers --json',
  'appeal open': 'appeal open R-BA06DY3YQ0 --at 2026-11-03',
  'appeal cancel': 'appeal cancel R-BA06DY3YQ0',
  'appeal uphold': 'appeal uphold R-BA06DY3YQ0 --note "przelew i rozmowa są z tego samego dnia"',
  'appeal list': 'appeal list',
  'proofs add': 'proofs add 280864204968068869 --list scammers --file chat.png --caption "The deal" --public',
  'proofs private': 'proofs private 280864204968068869 --list scammers',
  'proofs public': 'proofs public 280864204968068869 --list scammers',
  'proofs remove': 'proofs remove 280864204968068869 --list scammers --item 2',
  'proofs show': 'proofs show 280864204968068869 --list scammers --item 2 --out chat.png',
  lookalikes: 'lookalikes --list servers',
  batch: 'batch < lines.ndjson',
  'donation create': 'donation create --pln 25 --for 280864204968068869',
  'donation show': 'donation show DONATION',
  'donation list': 'donation list --json',
  'donation cancel': 'donation cancel DONATION',
  'donation role': 'donation role DONATION done',
  'incident list': 'incident list --limit 5',
  'incident note': 'incident note 3 "Przerwa u dostawcy sieci."',
  migrate: 'migrate',
  seed: 'seed --count 1000 --seed 7',
  rebuild: 'rebuild',
  backup: 'backup /var/backups/czujka/before-the-upgrade',
  restore: 'restore /var/backups/czujka/czujka-20261122T041000Z.db.zst --yes',
};

/** To every verb that is in the program now. */
export function addExamples(program: Command): void {
  const walk = (command: Command, path: readonly string[]): void => {
    for (const child of command.commands) walk(child, [...path, child.name()]);
    const example = EXAMPLES[path.join(' ')];
    if (example !== undefined) command.addHelpText('after', `\nExample:\n  czujka ${example}`);
  };
  walk(program, []);
}
