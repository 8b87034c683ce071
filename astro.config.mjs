// @ts-check
import node, { getAdapter } from '@astrojs/node';
import { defineConfig } from 'astro/config';

/** @typedef {Extract<NonNullable<import('astro').ViteUserConfig['plugins']>[number], { name: string }>} VitePlugin */

/**
 * Modules under src/ that pages share with the server stay outside the bundle: bundled, they would exist twice in one
 * process (two rate limiters, two databases).
 * @returns {VitePlugin}
 */
function keepSharedModulesExternal() {
  return {
    name: 'czujka:external-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith('#src/') && id.endsWith('.ts') ? { id, external: true } : null),
  };
}

/**
 * Which line of a source a line of the server's bundle comes from: `npm test -- --coverage` counts the sources.
 * @returns {VitePlugin}
 */
function mapServerToSources() {
  return {
    name: 'czujka:source-maps',
    apply: 'build',
    configEnvironment: (name) => (name === 'client' ? undefined : { build: { sourcemap: true } }),
  };
}

/**
 * Astro's adapter for Node with an entry of our own.
 * @returns {import('astro').AstroIntegration}
 */
function nodeAdapter() {
  const adapter = node({ mode: 'middleware' });
  adapter.hooks['astro:config:done'] = ({ setAdapter }) =>
    setAdapter({
      ...getAdapter({ staticHeaders: false }),
      serverEntrypoint: new URL('./src/astro-entry.ts', import.meta.url),
    });
  return adapter;
}

export default defineConfig({
  output: 'server',
  adapter: nodeAdapter(),
  publicDir: './src/public',
  // Only strict same-origin files pass the policy of src/http/response-headers.ts.
  build: { inlineStylesheets: 'never' },
  // The default also drops white space that readers see.
  compressHTML: true,
  devToolbar: { enabled: false },
  session: false,
  security: { checkOrigin: false },
  vite: {
    build: { assetsInlineLimit: 0 },
    // What runs has no packages of Astro: their parts go into the bundle. Modules of src/ use zod, too.
    ssr: { noExternal: /^(?!zod|sharp|#src)/ },
    plugins: [keepSharedModulesExternal(), mapServerToSources()],
  },
});
