import { join } from 'node:path';
import astro from 'eslint-plugin-astro';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Refuses doc comments that are fragments: each is a sentence with a subject and a verb. */
const fullSentences = {
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments()) {
        if (comment.type === 'Block' && /^\*\s*(?:\*\s*)?(?:Of|As of|Those|What)\b/.test(comment.value)) {
          report({ loc: comment.loc, message: 'A doc comment is a sentence with a subject and a verb.' });
        }
      }
    },
  }),
};

export default tseslint.config(
  // The sample bot stands alone, with packages of its own.
  { ignores: ['dist/', 'data/', 'node_modules/', 'tests/openapi/', '.astro/', 'scripts/sample/bot/'] },
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: join(import.meta.dirname, '..') },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      // Control characters are what these patterns are about.
      'no-control-regex': 'off',
      eqeqeq: 'error',
      'no-duplicate-imports': 'error',
      'no-console': 'error',
      'house/full-sentences': 'error',
    },
    plugins: { house: { rules: { 'full-sentences': fullSentences } } },
  },
  ...astro.configs.recommended,
  {
    // typescript-eslint does not know the types of .astro files; `astro check` does.
    files: ['**/*.astro', '**/*.astro/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    // What visitors and operators send is matched here: a pattern takes time in proportion to its text.
    files: ['src/**', 'scripts/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      // A sticky pattern begins where it is told to, and nowhere else.
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignorePartial: false, ignoreSticky: true },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
    rules: { 'no-console': 'off' },
  },
);
