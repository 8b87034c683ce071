import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOutbound, fetchJson } from '#src/outbound/outbound.ts';
import { startLoopbackServer } from '../../support/loopback-server.ts';
import { requestOf, SECRET } from '../../support/secret-request.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const clock = { now: 0 };
const outbound = createOutbound(() => clock.now);
afterAll(() => outbound.close());

describe('an outgoing call', () => {
  it('brings status and body', async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader('Content-Type', 'Text/Plain; charset=utf-8');
      response.end('dzień dobry');
    });
    const contentTypes = ['text/plain'];
    const answer = await outbound.send(requestOf(server.origin, { contentTypes }));
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe('dzień dobry');
    expect(server.requests).toEqual([`GET /path-${SECRET}?token=${SECRET}`]);
  });

  it('keeps connections, and gives what is not safe to repeat one of its own', async () => {
    const server = await startLoopbackServer((request, response) => {
      request.resume().on('end', () => response.end(request.method));
    });
    for (let i = 0; i < 5; i += 1) await outbound.send(requestOf(server.origin));
    const connections = server.connections();
    expect(connections).toBeLessThanOrEqual(2);
    const posted = await outbound.send(requestOf(server.origin, { method: 'POST', body: 'ż' }));
    expect(posted.body.toString()).toBe('POST');
    expect(server.connections()).toBe(connections + 1);
  });

  it('goes through a Unix socket', async () => {
    const socketPath = join(makeFolder(), 's');
    const server = await startLoopbackServer((request, response) => {
      response.end(request.headers.host);
    }, socketPath);
    const answer = await outbound.send(requestOf('http://docker', { socketPath }));
    expect(answer.body.toString()).toBe('docker');
    expect(server.requests).toHaveLength(1);
    const nowhere = requestOf('http://docker', { socketPath: `${socketPath}-none` });
    await expect(outbound.send(nowhere)).rejects.toMatchObject({
      reason: 'connection',
      message: `${socketPath}-none: connection failed (ENOENT)`,
    });
  });
});

const serve = (answer: (response: ServerResponse) => void) =>
  startLoopbackServer((_request, response) => answer(response));

describe('backing off', () => {
  it('leaves alone who asks for it, for as long as it says', async () => {
    const state = { status: 429 };
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(state.status, { 'Retry-After': '7' }).end();
    });
    await expect(outbound.send(requestOf(server.origin))).rejects.toMatchObject({
      status: 429,
      retryAfterMs: 7_000,
    });
    state.status = 200;
    clock.now += 6_999;
    await expect(outbound.send(requestOf(server.origin))).rejects.toMatchObject({
      reason: 'backing_off',
      retryAfterMs: 1,
    });
    expect(server.requests).toHaveLength(1);
    clock.now += 1;
    expect((await outbound.send(requestOf(server.origin))).status).toBe(200);
  });
});

describe('fetchJson', () => {
  const schema = z.object({ attributes: z.object({ current_state: z.string() }) });
  const serveText = (body: string) =>
    serve((response) => response.setHeader('Content-Type', 'application/json; charset=utf-8').end(body));

  it('gives the value', async () => {
    const server = await serveText('{"attributes":{"current_state":"running"}}');
    const { value } = await fetchJson(outbound, requestOf(server.origin), schema);
    expect(value).toEqual({ attributes: { current_state: 'running' } });
  });

  it('names the place that is wrong and never its value', async () => {
    const wrong = await serveText(`{"attributes":{"current_state":{"${SECRET}":"${SECRET}"}}}`);
    await expect(fetchJson(outbound, requestOf(wrong.origin), schema)).rejects.toThrow(
      `${wrong.origin}: answered with JSON of another shape, at attributes.current_state`,
    );
    const broken = await serveText(`<html>${SECRET}`);
    await expect(fetchJson(outbound, requestOf(broken.origin), schema)).rejects.toThrow(
      `${broken.origin}: answered with something that is not JSON`,
    );
  });
});
