/** The environment of the process: settings (config.ts checks them), and what systemd and the test command pass. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(environment: Environment = process.env): Environment {
  return environment;
}

/** @param overrides settings of the child process */
export function childEnvironment(overrides: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/** Reads whether systemd wants notifications, and the interval of its watchdog. */
export function readServiceManager(): { readonly isThere: boolean; readonly watchdogMs: number | undefined } {
  const microseconds = Number(process.env['WATCHDOG_USEC']);
  return {
    isThere: (process.env['NOTIFY_SOCKET'] ?? '') !== '',
    watchdogMs: microseconds > 0 ? microseconds / 1_000 : undefined,
  };
}

/**
 * Returns the descriptor of a listening socket from systemd (sd_listen_fds(3)), or undefined. The supervisor passes
 * it to the web process under the same number.
 */
export function readPassedSocket(): number | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: receiver } = process.env;
  return Number(count) >= 1 && [process.pid, process.ppid].includes(Number(receiver)) ? 3 : undefined;
}

/** Variables of the test command. */
export function readTestEnvironment(): { readonly isCi: boolean; readonly hasManyTrials: boolean } {
  return { isCi: process.env['CI'] === 'true', hasManyTrials: process.env['TRIALS'] === 'many' };
}
