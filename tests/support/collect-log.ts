import pino from 'pino';

export function collectLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { log: pino({ level: 'debug', base: null, timestamp: false }, { write }), lines };
}
