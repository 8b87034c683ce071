/** What all scenarios are. */
export interface Finding {
  readonly fault: string;
  readonly found: string;
  /** `notRun`: a tool is missing here. */
  readonly isRight: boolean | 'notRun';
}

/** A quick run shares its machine: it holds a service to what it says and keeps, and to these times of the goals. */
export const QUICK_FACTOR = 6;

export interface ScenarioOptions {
  /** Short, for every change of the code. */
  readonly isQuick: boolean;
}

export interface Scenario {
  readonly name: string;
  /** Rows of the fault matrix that it stands for. */
  readonly rows: string;
  /** Measures how fast things are: nothing else runs meanwhile. */
  readonly isAlone?: true;
  /** Measures what only a machine of its own can tell: no part of a quick run. */
  readonly isLong?: true;
  /** Only when it is asked for by name. */
  readonly isOnRequest?: true;
  readonly run: (options: ScenarioOptions) => Promise<readonly Finding[]>;
}
