/** The entry of Astro's build. It renders a whole page, and passes on the error of a page that fails. */
import { createApp } from 'astro/app/entrypoint';
import type { RenderPage } from './http/render-page.ts';

const app = createApp({ streaming: false });
// Astro would print errors as text, without the number that the visitor sees.
app.logger.setDestination({ write: () => {} });
app.renderError = async (_request, { error, status, response }) => {
  if (error) throw error as Error;
  return response ?? new Response(null, { status });
};

export const render: RenderPage = async (url, locals) => {
  const request = new Request(`http://localhost${url}`);
  const routeData = app.match(request);
  if (!routeData) return undefined;
  const response = await app.render(request, { locals, routeData });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  };
};
