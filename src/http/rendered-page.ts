/**
 * Astro's handler writes to a ServerResponse. The front door wants the whole page first: to validate it by ETag, to
 * know its length, and to replace a failed one by the error page instead of sending half of it.
 */
import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** What @astrojs/node's middleware mode exports as `handler`. */
export type AstroHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
  locals?: object,
) => Promise<void>;

export interface RenderedPage {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * The request that Astro sees is made here: a page may be kept for everybody, so nothing of one visitor's headers can
 * be in it, and his going away does not end it for others.
 * @param url path and query
 * @returns undefined when no page has this path
 */
export async function renderPage(
  handler: AstroHandler,
  url: string,
  locals: object,
): Promise<RenderedPage | undefined> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'GET', url, headers: { host: 'localhost' } });
  const response = new CapturedResponse(request);
  let matched = true;
  await handler(
    request,
    response as unknown as ServerResponse,
    () => {
      matched = false;
    },
    locals,
  );
  return matched ? response.captured() : undefined;
}

/** The part of ServerResponse that the adapter writes to. */
class CapturedResponse extends EventEmitter {
  readonly req: IncomingMessage;
  statusCode = 200;
  statusMessage = '';
  headersSent = false;
  #headers: OutgoingHttpHeaders = {};
  readonly #chunks: Buffer[] = [];

  constructor(request: IncomingMessage) {
    super();
    this.req = request;
  }

  writeHead(status: number, ...rest: unknown[]): this {
    const headers = rest.find((part) => typeof part === 'object' && part !== null);
    this.statusCode = status;
    this.headersSent = true;
    Object.assign(this.#headers, headers);
    return this;
  }

  setHeader(name: string, value: OutgoingHttpHeader): this {
    this.#headers[name.toLowerCase()] = value;
    return this;
  }

  write(chunk: Uint8Array | string, done?: () => void): boolean {
    // Without a copy: the page is Astro's no longer.
    this.#chunks.push(
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
    );
    done?.();
    return true;
  }

  end(chunk?: Uint8Array | string): this {
    if (chunk !== undefined) this.write(chunk);
    this.emit('finish');
    this.emit('close');
    return this;
  }

  /** The adapter gives up on a page whose stream failed after the head was written. */
  destroy(): this {
    this.statusCode = 500;
    this.emit('close');
    return this;
  }

  captured(): RenderedPage {
    const [whole = Buffer.alloc(0), ...others] = this.#chunks;
    const body = others.length === 0 ? whole : Buffer.concat(this.#chunks);
    return { status: this.statusCode, headers: this.#headers, body };
  }
}
